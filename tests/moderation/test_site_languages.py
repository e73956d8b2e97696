"""Rules, templates and banner in each language of the site: who reads what, and what is missing."""

import pytest
from django.test import Client

from accounts.profile.writes import save_preferences
from moderation.models import ActionKind
from moderation.rules import writes
from moderation.rules.writes import LastWords, remove_preset, save_preset
from socialsite.site_settings.models import SiteText
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.table import keys, query
from socialsite.web.preferences import Preferences
from tests.moderation.cases import about
from tests.moderation.queues import report
from tests.moderation.site import logged
from tests.web.html import Html

GERMAN, CHINESE = {"accept-language": "de"}, {"accept-language": "zh-hans"}
ADS = {"title": "No ads", "text": "Not here.", "reason": "Ads", "severity": "3"}
WERBUNG = {"title": "Keine Werbung", "text": "Nicht hier.", "reason": "Werbung", "severity": "3"}
RULE, SPAM = "/moderation/rules", "/moderation/rules/spam"
SITE = {"sign_up": "open", "sign_ups_a_day": "0", "hold_first_posts": "0"}


def titles(headers: dict[str, str]) -> list[str]:
    page = Html(Client().get("/rules", headers=headers))
    return [title.text for title in page.all("h2", dir="auto")]


def stored() -> list[str]:
    """The keys of all texts in languages other than the site's own."""
    rows = query(keys.site(), consistent=True)
    return [raw["SK"]["S"] for raw in rows if raw["type"]["S"] == SiteText.__name__]


def chips(response) -> list[str]:
    return [chip.text for chip in Html(response).all("a", class_="chip")]


def test_editing_one_language_of_a_built_in_rule_leaves_the_others(admin, log_in):
    browser = log_in(admin)
    assert browser.post(SPAM, ADS | {"language": "en"}).status_code == 302
    assert [titles(one)[-1] for one in ({}, GERMAN, CHINESE)] == [
        "No ads",
        "Kein Spam",
        "不要发垃圾信息",
    ]
    assert browser.post(SPAM, WERBUNG | {"language": "de"}).status_code == 302
    assert [titles(one)[-1] for one in ({}, GERMAN, CHINESE)] == [
        "No ads",
        "Keine Werbung",
        "不要发垃圾信息",
    ]
    assert stored() == ["text#rule#spam#de"]
    assert [detail["language"] for _, _, detail in logged()] == ["en", "de"]


def test_a_built_in_rule_that_stays_as_it_is_in_a_language_keeps_no_words_there(admin, log_in):
    browser = log_in(admin)
    page = Html(browser.get(f"{SPAM}?language=de"))
    form = {name: page.value(name) for name in ("title", "reason")}
    assert form["title"] == "Kein Spam"
    text = read_site_rules().rule_of("spam").words_in("de").text
    browser.post(SPAM, form | {"text": text, "severity": "1", "language": "de"})
    rule = read_site_rules().rule_of("spam")
    assert (rule.severity, rule.written, stored()) == (1, {}, [])


def test_without_a_language_the_words_are_those_of_the_page(admin, log_in):
    log_in(admin).post(SPAM, WERBUNG, headers=GERMAN)
    assert list(read_site_rules().rule_of("spam").written) == ["de"]


@pytest.mark.parametrize("address", [SPAM, f"{SPAM}/words/remove"])
def test_a_language_that_the_site_does_not_have_is_refused(admin, log_in, address):
    assert log_in(admin).post(address, ADS | {"language": "fr"}).status_code == 400
    assert log_in(admin).get(f"{SPAM}?language=fr").status_code == 400
    assert logged() == []


def test_where_a_language_has_no_words_people_read_those_of_another(admin):
    words = {"title": "Kein Tee", "text": "Nur Kaffee.", "severity": 3}
    writes.save_rule(by=admin, language="de", **words)
    assert [titles(one)[-1] for one in ({}, GERMAN, CHINESE)] == ["Kein Tee"] * 3
    rule_id = read_site_rules().rules[-1].rule_id
    writes.save_rule(
        by=admin, rule_id=rule_id, language="en", title="No tea", text="Coffee.", severity=3
    )
    assert [titles(one)[-1] for one in ({}, GERMAN, CHINESE)] == ["No tea", "Kein Tee", "No tea"]


def test_the_pages_show_what_is_missing_in_which_language(admin, log_in):
    browser = log_in(admin)
    assert not Html(browser.get(RULE)).all("div", class_="banner")
    browser.post(RULE, WERBUNG | {"language": "de"})
    page = Html(browser.get(RULE))
    assert (
        page.one("div", class_="banner").text
        == "English: 1 text to write 简体中文: 1 text to write"
    )
    assert chips(browser.get(RULE))[-3:] == ["English Missing", "Deutsch", "简体中文 Missing"]
    rule_id = read_site_rules().rules[-1].rule_id
    missing = Html(browser.get(f"{RULE}/{rule_id}?language=zh-hans"))
    assert missing.one("blockquote", lang="de").text == "Keine Werbung Nicht hier."
    assert missing.value("title") == ""


def test_standard_words_beside_ones_of_your_own_are_shown_as_work_left(admin, log_in):
    browser = log_in(admin)
    browser.post(SPAM, ADS | {"language": "en"})
    page = Html(browser.get(RULE))
    assert page.one("div", class_="banner").text.startswith("Deutsch: 1 text to write")
    assert chips(browser.get(RULE))[-3:] == [
        "English",
        "Deutsch Standard words",
        "简体中文 Standard words",
    ]


def test_the_standard_words_come_back_when_those_of_the_site_are_removed(admin, log_in):
    browser = log_in(admin)
    for language, words in (("en", ADS), ("de", WERBUNG)):
        browser.post(SPAM, words | {"language": language})
    address = f"{SPAM}/words/remove"
    assert browser.get(address).status_code == 405
    for _ in range(2):
        assert browser.post(address, {"language": "de"})["Location"] == RULE
    assert [titles(one)[-1] for one in ({}, GERMAN)] == ["No ads", "Kein Spam"]
    browser.post(address, {"language": "en"})
    assert (titles({})[-1], stored()) == ("No spam", [])
    removed = [action for _, action, _ in logged() if action == "remove words of rule"]
    assert len(removed) == 2


def test_the_last_words_of_a_rule_go_only_with_the_rule(admin, log_in):
    writes.save_rule(by=admin, language="de", title="Kein Tee", text="Nie.", severity=3)
    rule_id = read_site_rules().rules[-1].rule_id
    with pytest.raises(LastWords):
        writes.remove_rule_words(by=admin, rule_id=rule_id, language="de")
    browser = log_in(admin)
    page = Html(browser.get(f"{RULE}/{rule_id}?language=de"))
    assert not page.all("button", formaction=f"{RULE}/{rule_id}/words/remove")
    answer = browser.post(f"{RULE}/{rule_id}/words/remove", {"language": "de"}, follow=True)
    assert "These are its only words." in answer.content.decode()
    writes.remove_rule(by=admin, rule_id=rule_id)
    assert stored() == []


def test_a_title_is_taken_in_its_own_language_alone(admin, log_in):
    browser = log_in(admin)
    browser.post(RULE, ADS | {"language": "en"})
    rule_id = read_site_rules().rules[-1].rule_id
    taken = browser.post(SPAM, ADS | {"language": "en"})
    assert Html(taken).error("title")
    assert browser.post(SPAM, WERBUNG | {"language": "de"}).status_code == 302
    taken = browser.post(f"{RULE}/{rule_id}", WERBUNG | {"language": "de"})
    assert taken.status_code == 422
    assert Html(taken).one("input", type="hidden", name="language")["value"] == "de"


def test_people_are_told_a_template_in_their_language(admin, mod, alice, bob, log_in):
    save_preset(by=admin, action="warn", title="Tone", text="Calmly, please.", language="en")
    (preset,) = read_site_rules().presets
    page = f"/moderation/presets/{preset.preset_id}"
    form = {"action": "warn", "title": "Ton", "text": "Bitte ruhig.", "language": "de"}
    assert log_in(admin).post(page, form).status_code == 302
    assert stored() == [f"text#preset#{preset.preset_id}#de"]
    save_preferences(by=alice, preferences=Preferences(language="de"))
    report(alice, by=[bob])
    dialog = Html(log_in(mod).get(f"{about(alice).url}/decide?action={ActionKind.WARN}"))
    assert "Tone" in dialog.one("select", name="preset").text
    version = dialog.value("version")
    decided = {"action": "warn", "version": version, "rule": "other", "preset": preset.preset_id}
    log_in(mod).post(f"{about(alice).url}/decide", decided)
    assert "Bitte ruhig." in Html(log_in(alice).get("/standing")).one("main").text


def test_a_template_keeps_its_words_in_at_least_one_language(admin, log_in):
    save_preset(by=admin, action="warn", title="Ton", text="Ruhig.", language="de")
    (preset,) = read_site_rules().presets
    assert (preset.title, preset.own.title) == ("Ton", "")
    browser, address = log_in(admin), f"/moderation/presets/{preset.preset_id}/words/remove"
    browser.post(address, {"language": "de"})
    save_preset(
        by=admin,
        preset_id=preset.preset_id,
        action="warn",
        title="Tone",
        text="Calm.",
        language="en",
    )
    for _ in range(2):
        assert browser.post(address, {"language": "de"}).status_code == 302
    (preset,) = read_site_rules().presets
    assert (list(preset.written), stored()) == (["en"], [])
    remove_preset(by=admin, preset_id=preset.preset_id)


def test_the_banner_is_shown_in_the_language_of_the_reader(admin, log_in):
    def banner(headers: dict[str, str]) -> str:
        return Html(Client().get("/about", headers=headers)).one("p", class_="site-banner").text

    browser = log_in(admin)
    form = SITE | {"banner": "Tea at four.", "banner_in_de": "Tee um vier."}
    for _ in range(2):
        assert browser.post("/moderation/site", form).status_code == 302
    assert [banner(one) for one in ({}, GERMAN, CHINESE)] == [
        "Tea at four.",
        "Tee um vier.",
        "Tea at four.",
    ]
    page = Html(browser.get("/moderation/site"))
    assert page.value("banner_in_de") == "Tee um vier."
    assert "Missing" in page.one(id="id_banner_in_zh-hans_helptext").text
    changed = {"banner": ["", "Tea at four."], "banner de": ["", "Tee um vier."]}
    assert logged() == [(admin.user_id, "change settings", changed)]
    browser.post("/moderation/site", form | {"banner": ""})
    assert banner({}) == "Tee um vier."
    browser.post("/moderation/site", SITE)
    assert stored() == []


def test_a_banner_that_is_too_long_is_said_beside_its_own_field(admin, log_in):
    wrong = log_in(admin).post("/moderation/site", SITE | {"banner_in_de": "x" * 501})
    assert wrong.status_code == 422
    assert Html(wrong).error("banner_in_de")
    assert stored() == []
