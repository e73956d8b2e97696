"""The site's rules and the moderators' texts: listed, added, changed, put in order, removed."""

import pytest
from django.test import Client

from moderation.rules import writes
from moderation.rules.writes import MOST_PRESETS, save_preset
from socialsite.site_settings.site_rules import read_site_rules
from tests.moderation.staff import logged
from tests.web.html import Html

RULE = {
    "title": "Be kind",
    "text": "Say it as you would to a friend.",
    "severity": "2",
    "language": "en",
}
TEXT = {"action": "warn", "title": "Tone", "text": "Please keep it calm.", "language": "en"}
BUILT_IN = ["violence", "illegal", "harassment", "sexual", "impersonation", "spam"]


def titles(path: str = "/rules", **headers: str) -> list[str]:
    return [title.text for title in Html(Client().get(path, headers=headers)).all("h2", dir="auto")]


def ids() -> list[str]:
    return [rule.rule_id for rule in read_site_rules().rules]


def test_everybody_can_read_the_rules_in_their_language(table):
    assert titles()[-1] == "No spam"
    assert len(titles()) == 6
    for path in ("/about", "/signup", "/local"):
        assert Html(Client().get(path)).all("a", href="/rules")


def test_an_added_rule_comes_last_beside_the_built_in_ones(admin, log_in):
    response = log_in(admin).post("/moderation/rules", RULE)
    assert response["Location"] == "/moderation/rules"
    assert titles()[-2:] == ["No spam", "Be kind"]
    (rule,) = [rule for rule in read_site_rules().rules if rule.title == "Be kind"]
    assert (rule.text, rule.severity) == (RULE["text"], 2)
    assert logged() == [(admin.user_id, "add rule", {"rule": rule.rule_id, "title": "Be kind"})]


def test_built_in_rules_that_stay_as_they_are_keep_no_words_of_their_own(admin):
    writes.save_rule(by=admin, language="en", title="Be kind", text="Do.", severity=2)
    assert [rule.own_title for rule in read_site_rules().rules] == [""] * 6 + ["Be kind"]
    spam = read_site_rules().rule_of("spam")
    writes.save_rule(
        by=admin, language="en", rule_id="spam", title=spam.title, text=spam.text, severity=1
    )
    spam = read_site_rules().rule_of("spam")
    assert (spam.own_title, spam.own_text, spam.severity) == ("", "", 1)


def test_sending_the_form_twice_adds_one_rule(admin, log_in):
    browser = log_in(admin)
    browser.post("/moderation/rules", RULE)
    again = browser.post("/moderation/rules", RULE)
    assert again.status_code == 422
    assert Html(again).error("title")
    assert Html(again).value("text") == RULE["text"]
    assert len(ids()) == 7


def test_a_rule_is_changed_on_a_page_of_its_own(admin, log_in):
    browser = log_in(admin)
    page = Html(browser.get("/moderation/rules/spam"))
    assert page.value("title") == "No spam"
    answer = browser.post("/moderation/rules/spam", RULE | {"title": "No ads"})
    assert answer["Location"] == "/moderation/rules"
    assert titles()[-1] == "No ads"
    assert ids() == BUILT_IN
    taken = browser.post("/moderation/rules/violence", RULE | {"title": "No ads"})
    assert taken.status_code == 422
    assert browser.get("/moderation/rules/nothing").status_code == 404
    assert browser.post("/moderation/rules/nothing", RULE).status_code == 404


def test_a_rule_named_as_another_was_before_is_a_new_one(admin):
    writes.save_rule(by=admin, language="en", title="Be kind", text="Do.", severity=2)
    writes.save_rule(
        by=admin, language="en", rule_id=ids()[-1], title="Be calm", text="Do.", severity=2
    )
    writes.save_rule(by=admin, language="en", title="Be kind", text="Do.", severity=2)
    assert titles()[-2:] == ["Be calm", "Be kind"]


@pytest.mark.parametrize(
    ("rule", "to", "order"),
    [
        ("illegal", "up", ["illegal", "violence", *BUILT_IN[2:]]),
        ("illegal", "down", ["violence", "harassment", "illegal", *BUILT_IN[3:]]),
        ("violence", "up", BUILT_IN),
        ("spam", "down", BUILT_IN),
    ],
)
def test_a_rule_moves_by_one_place(admin, log_in, rule, to, order):
    answer = log_in(admin).post(f"/moderation/rules/{rule}/move", {"to": to})
    assert answer["Location"] == f"/moderation/rules#rule-{rule}"
    assert ids() == order
    writes.save_rule(by=admin, language="en", title="Last", text="Of all.", severity=3)
    assert ids()[:6] == order


def test_a_rule_moves_nowhere_else(admin, log_in):
    assert log_in(admin).post("/moderation/rules/spam/move", {"to": "top"}).status_code == 400
    assert log_in(admin).post("/moderation/rules/nothing/move", {"to": "up"}).status_code == 404
    assert log_in(admin).get("/moderation/rules/spam/move").status_code == 405


def test_a_removed_rule_is_gone_and_can_be_added_again(admin, log_in):
    browser = log_in(admin)
    for _ in range(2):
        assert browser.post("/moderation/rules/spam/remove").status_code == 302
    assert ids() == BUILT_IN[:-1]
    assert [action for _, action, _ in logged()] == ["remove rule"]
    browser.post("/moderation/rules", RULE | {"title": "No spam"})
    assert titles()[-1] == "No spam"
    assert browser.get("/moderation/rules/spam/remove").status_code == 405


def test_when_the_last_is_gone_the_built_in_rules_are_back(admin):
    for rule_id in BUILT_IN:
        writes.remove_rule(by=admin, rule_id=rule_id)
    assert ids() == BUILT_IN


@pytest.mark.parametrize(
    "wrong",
    [{"title": ""}, {"title": "x" * 101}, {"text": ""}, {"text": "x" * 501}, {"severity": "4"},
     {"title": "two\nlines"}],
)  # fmt: skip
def test_what_cannot_be_a_rule_is_said_beside_its_field(admin, log_in, wrong):
    response = log_in(admin).post("/moderation/rules", RULE | wrong)
    assert response.status_code == 422
    assert Html(response).error(*wrong)
    assert ids() == BUILT_IN


def test_there_are_so_many_rules_at_most(admin, log_in):
    for number in range(writes.MOST_RULES - 6):
        writes.save_rule(by=admin, language="en", title=f"Rule {number}", text="Do.", severity=2)
    response = log_in(admin).post("/moderation/rules", RULE)
    assert "30" in Html(response).error("title")
    assert len(ids()) == writes.MOST_RULES
    writes.move_rule(by=admin, rule_id="violence", up=False)


def test_texts_are_listed_by_what_they_are_for(admin, log_in):
    browser = log_in(admin)
    for action, title in (("hide", "Ads"), ("warn", "Tone"), ("warn", "Names")):
        form = TEXT | {"action": action, "title": title}
        assert browser.post("/moderation/presets", form)["Location"] == "/moderation/presets"
    site = read_site_rules()
    assert {preset.title for preset in site.presets_for("warn")} == {"Tone", "Names"}
    assert [preset.text for preset in site.presets_for("hide")] == [TEXT["text"]]
    page = Html(browser.get("/moderation/presets"))
    assert [h.text for h in page.all("h2", class_="section-title")][:2] == [
        "Warning",
        "Hiding a post",
    ]


def test_a_text_is_changed_and_removed(admin, log_in):
    browser = log_in(admin)
    browser.post("/moderation/presets", TEXT)
    again = browser.post("/moderation/presets", TEXT)
    assert again.status_code == 422
    (preset,) = read_site_rules().presets
    address = f"/moderation/presets/{preset.preset_id}"
    assert Html(browser.get(address)).value("text") == TEXT["text"]
    assert browser.post(address, TEXT | {"text": "Calmly."}).status_code == 302
    (preset,) = read_site_rules().presets
    assert preset.text == "Calmly."
    assert browser.get(f"{address}/remove").status_code == 405
    for _ in range(2):
        assert browser.post(f"{address}/remove").status_code == 302
    assert read_site_rules().presets == ()
    assert browser.get(address).status_code == 404
    assert browser.post(address, TEXT).status_code == 404
    assert [action for _, action, _ in logged()] == ["save preset"] * 2 + ["remove preset"]


@pytest.mark.parametrize(
    "wrong", [{"action": "dance"}, {"title": ""}, {"text": ""}, {"text": "x" * 501}]
)
def test_what_cannot_be_a_text_is_said_beside_its_field(admin, log_in, wrong):
    response = log_in(admin).post("/moderation/presets", TEXT | wrong)
    assert response.status_code == 422
    assert Html(response).error(*wrong)


def test_there_are_so_many_texts_at_most(admin, log_in):
    for number in range(MOST_PRESETS):
        save_preset(by=admin, language="en", action="warn", title=f"Text {number}", text="Please.")
    response = log_in(admin).post("/moderation/presets", TEXT)
    assert "50" in Html(response).error("title")
