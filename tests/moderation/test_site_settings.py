"""How the site is set up, in each of its languages."""

import threading
from datetime import timedelta

import pytest
from django.test import Client

from accounts.profile.writes import save_preferences
from moderation.models import ActionKind
from moderation.rules import writes
from moderation.rules.writes import LastWords, remove_preset, save_preset
from socialsite.clock import utc_now
from socialsite.site_settings import site_rules as site_settings
from socialsite.site_settings.models import SiteText
from socialsite.site_settings.site_rules import (
    forget_site_rules,
    read_site_rules,
    rule_of,
    site_rules,
)
from socialsite.site_settings.site_setup import DEFAULT_RULES, SignUp, SiteRules
from socialsite.site_settings.word_filters import Effect
from socialsite.table import Unavailable, keys, query
from socialsite.web.preferences import Preferences
from tests.moderation.cases import about, report_by_each
from tests.moderation.staff import logged, set_up, word_rule
from tests.web.conftest import NOBODY_LISTENS, table_at
from tests.web.html import Html

PAGES = ("site", "rules", "words", "topics", "blocks", "presets", "invites")
FORM = {
    "sign_up": "open",
    "sign_ups_a_day": "0",
    "hold_first_posts": "0",
    "looks_before_pause": "20",
}


@pytest.mark.parametrize("name", PAGES)
def test_the_pages_are_there_for_who_may_change_the_site(alice, mod, admin, log_in, name):
    address = f"/moderation/{name}"
    assert Client().get(address).status_code == 404
    assert log_in(alice).get(address).status_code == 404
    assert log_in(mod).get(address).status_code == (200 if name == "invites" else 404)
    shown = Html(log_in(admin).get(address))
    (here,) = [link for link in shown.all("a", aria_current="page") if link["href"] == address]
    assert here.text
    assert shown.all("p", class_="lead")


def test_one_sees_the_way_to_the_pages_that_one_may_open(mod, admin, log_in):
    def ways(viewer):
        page = Html(log_in(viewer).get("/moderation/invites"))
        nav = page.one("nav", aria_label="Moderation")
        return nav.text

    assert "Filters" in ways(admin)
    assert "Filters" not in ways(mod)
    assert "Invitations" in ways(mod)


def test_saving_keeps_every_setting_and_shows_it_again(admin, log_in):
    browser, year = log_in(admin), utc_now().year
    form = {
        "sign_up": "approval",
        "sign_ups_a_day": "30",
        "hold_first_posts": "2",
        "looks_before_pause": "25",
        "banner": "Tea at four.",
        "banner_until": f"{year}-12-31",
        "public_log": "on",
        "log_shows_names": "on",
    }
    assert browser.post("/moderation/site", form)["Location"] == "/moderation/site"
    site = read_site_rules()
    assert (site.sign_up, site.sign_ups_a_day, site.hold_first_posts) == ("approval", 30, 2)
    assert (site.banner, site.banner_until) == ("Tea at four.", f"{year + 1}-01-01T00:00:00+00:00")
    assert site.public_log
    assert site.log_shows_names
    assert site.looks_before_pause == 25
    page = Html(browser.get("/moderation/site"))
    for name in ("sign_ups_a_day", "hold_first_posts", "banner", "banner_until"):
        assert page.value(name) == form[name]
    assert "checked" in page.one("input", name="sign_up", value="approval").attributes
    assert browser.post("/moderation/site", FORM).status_code == 302
    assert read_site_rules() == SiteRules()


def test_what_was_changed_is_logged_once(admin, log_in):
    browser = log_in(admin)
    for _ in range(2):
        browser.post("/moderation/site", FORM | {"sign_up": "closed", "banner": "Shut"})
    changed = {"sign_up": ["open", "closed"], "banner": ["", "Shut"]}
    assert logged() == [(admin.user_id, "change settings", changed)]


@pytest.mark.parametrize(
    "wrong",
    [
        {"sign_up": "sometimes"},
        {"sign_ups_a_day": "-1"},
        {"sign_ups_a_day": "many"},
        {"hold_first_posts": "51"},
        {"banner": "x" * 501},
        {"banner": "a" + "\u0300" * 9},
        {"banner_until": "tomorrow"},
        {"banner_until": "9999-12-31"},
    ],
)
def test_what_cannot_be_is_said_beside_its_field(admin, log_in, wrong):
    response = log_in(admin).post("/moderation/site", FORM | wrong)
    assert response.status_code == 422
    assert Html(response).error(*wrong)
    assert read_site_rules() == SiteRules()


def test_the_banner_stands_on_every_page_for_everybody_until_its_end(admin, alice, log_in):
    def banners(browser: Client, path: str) -> list[str]:
        page = Html(browser.get(path))
        return [banner.text for banner in page.all("p", class_="site-banner")]

    text = "Back <soon> & well"
    soon = utc_now() + timedelta(hours=1)
    set_up(admin, banner=text, banner_until=soon.isoformat())
    for browser in (Client(), log_in(alice)):
        for path in ("/", "/about", "/local", "/@alice", "/nowhere"):
            assert banners(browser, path) == [text]
    set_up(admin, banner_until=(soon - timedelta(hours=2)).isoformat())
    assert banners(Client(), "/about") == []
    set_up(admin, banner_until="")
    assert banners(Client(), "/about") == [text]


def test_a_process_keeps_its_copy_for_a_while(admin, requests_of, settings):
    settings.SITE_RULES_SECONDS = 3600
    set_up(admin, banner="first")
    with requests_of() as requests:
        for _ in range(3):
            assert site_rules().banner == "first"
    assert requests.operations == ["Query"]
    settings.SITE_RULES_SECONDS = 0
    forget_site_rules()
    with requests_of() as requests:
        site_rules(), site_rules()
    assert requests.operations == ["Query", "Query"]


def test_what_changes_elsewhere_is_seen_when_the_copy_is_old(admin, settings):
    settings.SITE_RULES_SECONDS = 0
    forget_site_rules()
    assert site_rules().banner == ""
    settings.SITE_RULES_SECONDS = 3600
    before = site_settings._kept.copy
    set_up(admin, banner="elsewhere")
    site_settings._kept.copy = before  # as in a process that has not heard of the change
    assert site_rules().banner == "elsewhere"


def test_while_the_table_cannot_be_read_the_copy_holds(admin, settings):
    set_up(admin, sign_up=SignUp.CLOSED)
    settings.SITE_RULES_SECONDS = 0
    assert site_rules().sign_up == SignUp.CLOSED
    with table_at(NOBODY_LISTENS):
        assert site_rules().sign_up == SignUp.CLOSED
        forget_site_rules()
        with pytest.raises(Unavailable):
            site_rules()
        assert Client().get("/about").status_code == 200


def test_many_threads_read_an_old_copy_anew_once(admin, requests_of, settings):
    set_up(admin, banner="new")
    barrier = threading.Barrier(8)
    found = []

    def ask() -> None:
        barrier.wait()
        found.append(site_rules().banner)

    with requests_of() as requests:
        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == ["new"] * 8
    assert requests.operations == ["Query"]


def test_a_site_of_which_nothing_is_stored_has_six_rules(table):
    assert read_site_rules() == SiteRules()
    assert len(DEFAULT_RULES) == 6
    assert rule_of("spam").title == "No spam"
    assert rule_of("").title == rule_of("gone").title == "Something else"


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_all_of_it_is_read_by_one_query(admin, measure):
    for number in range(20):
        word_rule(admin, f"word {number}", Effect.FLAG)
    with measure() as meter:
        read_site_rules()
    assert [(call.operation, call.units) for call in meter.calls] == [("Query", 1)]


# Rules, templates and banner in each language of the site: who reads what, and what is missing.

GERMAN, CHINESE = {"accept-language": "de"}, {"accept-language": "zh-hans"}
ADS = {"title": "No ads", "text": "Not here.", "reason": "Ads", "severity": "3"}
WERBUNG = {"title": "Keine Werbung", "text": "Nicht hier.", "reason": "Werbung", "severity": "3"}
RULE, SPAM = "/moderation/rules", "/moderation/rules/spam"
SITE = {
    "sign_up": "open",
    "sign_ups_a_day": "0",
    "hold_first_posts": "0",
    "looks_before_pause": "20",
}


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
    report_by_each(alice, by=[bob])
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
