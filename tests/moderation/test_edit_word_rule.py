"""A word filter is edited in place: tried, saved under the id that it has, and logged with its words before."""

import pytest

from moderation.rules.filter_writes import add_word_rule, save_word_rule
from moderation.staff.writes import ThereAlready
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.site_settings.word_filters import WILD, Effect, Word, WordKind
from socialsite.table import NotFound
from tests.conftest import post
from tests.moderation.site import logged, word_rule
from tests.web.html import Html

FORM = {
    "kind": "word",
    "pattern": "casino*",
    "options": ["alike", "leet"],
    "effect": "hold",
    "site_rule": "spam",
}


def the_word() -> Word:
    (word,) = read_site_rules().words
    return word


def test_it_keeps_its_id_and_takes_all_that_was_typed(admin, log_in):
    rule_id = word_rule(admin, "bonus", Effect.FLAG, site_rule="")
    browser = log_in(admin)
    for _ in range(2):  # a form sent twice
        sent = browser.post(f"/moderation/words/{rule_id}", FORM)
        assert sent["Location"] == "/moderation/words"
    word = the_word()
    assert (word.rule_id, word.pattern, word.effect, word.site_rule) == (
        rule_id,
        "casino*",
        "hold",
        "spam",
    )
    assert word.options == {"alike", "leet", WILD}
    actions = logged()
    assert [action for _, action, _ in actions] == ["add word rule", "edit word rule"]
    assert actions[1][2] == {
        "rule": rule_id,
        "kind": "word",
        "pattern": "casino*",
        "was": "bonus",
        "effect": "hold",
        "options": "alike, leet, wild",
    }


def test_its_page_shows_it_and_the_list_leads_there(admin, log_in):
    rule_id = word_rule(admin, "casino", Effect.HOLD)
    browser = log_in(admin)
    browser.post(f"/moderation/words/{rule_id}", FORM)
    address = f"/moderation/words/{rule_id}"
    assert Html(browser.get("/moderation/words")).all("a", href=address)
    page = Html(browser.get(address))
    assert page.value("pattern") == "casino*"
    checked = [
        box["value"] for box in page.all("input", name="options") if "checked" in box.attributes
    ]
    assert checked == ["alike", "leet"]


def test_an_edit_is_tried_and_saves_nothing(admin, alice, log_in, drain_stream):
    rule_id = word_rule(admin, "bonus", Effect.FLAG)
    post(alice, "My cаs1nos")
    drain_stream()
    page = Html(log_in(admin).post(f"/moderation/words/{rule_id}/try", FORM))
    assert "1 of the newest 1 public posts" in page.one("p", class_="banner").text
    assert page.all("form", action=f"/moderation/words/{rule_id}")
    assert page.value("pattern") == "casino*"
    assert the_word().pattern == "bonus"


@pytest.mark.parametrize("act", ["", "/try"])
@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"pattern": "*"}, "pattern"),
        ({"pattern": "* *"}, "pattern"),
        ({"pattern": "cas*ino"}, "pattern"),
        ({"pattern": "cheap* pills"}, "pattern"),
        ({"pattern": "* casino"}, "pattern"),
        ({"pattern": "$$$*"}, "pattern"),
        ({"pattern": "赌博*"}, "pattern"),
        ({"kind": "link", "options": [], "pattern": "*.evil.example"}, "pattern"),
        ({"kind": "link", "options": [], "pattern": "ev*il.example"}, "pattern"),
        ({"kind": "link", "pattern": "evil.example"}, "options"),
        ({"options": ["explode"]}, "options"),
    ],
)
def test_what_cannot_match_is_said_beside_its_field(admin, log_in, act, wrong, field):
    rule_id = word_rule(admin, "bonus", Effect.FLAG)
    response = log_in(admin).post(f"/moderation/words/{rule_id}{act}", FORM | wrong)
    assert response.status_code == 422
    page = Html(response)
    assert page.error(field)
    assert page.value("pattern") == (FORM | wrong)["pattern"]
    assert the_word().pattern == "bonus"


def test_the_words_of_another_filter_are_refused(admin, log_in):
    word_rule(admin, "casino", Effect.FLAG)
    rule_id = word_rule(admin, "bonus", Effect.FLAG)
    response = log_in(admin).post(f"/moderation/words/{rule_id}", FORM | {"pattern": "CASINO"})
    assert response.status_code == 422
    assert Html(response).error("pattern")


def test_words_that_an_edited_filter_had_are_free_again(admin):
    rule_id = word_rule(admin, "bonus", Effect.FLAG)
    save_word_rule(by=admin, rule_id=rule_id, word=Word("", WordKind.WORD, "casino", Effect.FLAG))
    again = word_rule(admin, "bonus", Effect.FLAG)
    assert again != rule_id
    with pytest.raises(ThereAlready):
        add_word_rule(by=admin, word=Word("", WordKind.WORD, "Bonus", Effect.HOLD))
    assert {word.pattern for word in read_site_rules().words} == {"bonus", "casino"}


def test_a_filter_that_is_gone_cannot_be_edited(admin, log_in):
    browser = log_in(admin)
    for answer in (
        browser.get("/moderation/words/none"),
        browser.post("/moderation/words/none", FORM),
        browser.post("/moderation/words/none/try", FORM),
    ):
        assert answer.status_code == 404
    with pytest.raises(NotFound):
        save_word_rule(by=admin, rule_id="none", word=Word("", "word", "x", Effect.FLAG))


def test_a_trial_counts_and_shows_false_alarms_in_each_language(admin, log_in):
    browser = log_in(admin)

    def false_alarms(pattern: str) -> dict[str, str]:
        typed = FORM | {"pattern": pattern, "options": []}
        page = Html(browser.post("/moderation/words/try", typed))
        return {one["lang"]: one.text for one in page.all("p", class_="harmless")}

    found = false_alarms("*ass*")
    assert set(found) == {"en", "de"}
    assert "embassy" in found["en"]
    assert "Scunthorpe" not in found["en"]
    assert "Wasser" in found["de"]
    assert "上海口交通" in false_alarms("口交")["zh-hans"]
    assert false_alarms("xyzzy") == {}
