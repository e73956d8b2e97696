"""The statement of reasons is whole: what, where, how long, how it was found, by whom, on which ground, what to do."""

import pytest

from accounts.people.restrictions import FOR_EVER
from feed.posts.models import Post
from moderation.cases.action_cards import ActionCard
from moderation.cases.decisions import act_automatically
from moderation.cases.effects import undo_action
from moderation.cases.statement import statement_of
from moderation.cases.writes import appeal
from moderation.models import ActionKind, Strike
from moderation.reports.writes import file_report, flag_post
from socialsite.site_settings.site_setup import CHILD
from socialsite.site_settings.word_filters import Word
from socialsite.table import change, keys, reading
from tests.conftest import post
from tests.moderation.cases import about, about_post, decide, held_post, strikes
from tests.web.html import Html

ELEMENTS = [
    "Decision",
    "Where it applies",
    "How long",
    "How we came to it",
    "Who decided",
    "On which ground",
    "What you can do",
]
LIMITING = Word(rule_id="w1", kind="word", pattern="x", effect="limit", site_rule="spam", days=3)


def told(browser, action_id: str) -> dict[str, str]:
    page = Html(browser.get(f"/standing/{action_id}"))
    names = [one.text.strip() for one in page.all("dt")]
    return dict(zip(names, [one.text.strip() for one in page.all("dd")], strict=True))


@pytest.mark.parametrize(
    "kind", [ActionKind.WARN, ActionKind.LIMIT, ActionKind.SUSPEND, ActionKind.HIDE]
)
def test_the_person_reads_every_element(alice, bob, mod, log_in, kind):
    posts = [post(alice)] if kind == ActionKind.HIDE else []
    file_report(by=bob, person_id=alice.user_id, rule_id="spam")
    action_id = decide(mod, about(alice), kind, *posts, rule_id="spam", text="So many ads")
    found = told(log_in(alice), action_id)
    assert list(found) == ELEMENTS
    assert all(found.values())
    assert found["How we came to it"] == "Someone reported it to us."
    assert "No spam" in found["On which ground"]
    assert "court" in found["What you can do"]
    assert "Appeal on this page" in found["What you can do"]


def test_a_limit_says_when_it_ends(alice, bob, mod, log_in):
    file_report(by=bob, person_id=alice.user_id)
    until = "2099-03-04T12:00:00+00:00"
    action_id = decide(mod, about(alice), ActionKind.LIMIT, until=until)
    assert "2099" in told(log_in(alice), action_id)["How long"]
    endless = decide(mod, about(alice), ActionKind.FREEZE)
    assert told(log_in(alice), endless)["How long"] == "Until a moderator lifts it."


def test_nobody_is_said_to_have_reported_what_staff_found(alice, mod, log_in):
    flag_post(post_id=post(alice), author_id=alice.user_id, rule_id="spam", severity=3)
    found = told(log_in(alice), decide(mod, about(alice), ActionKind.WARN))
    assert found["How we came to it"] == "We found it ourselves. Nobody had reported it."
    assert found["Who decided"] == "A person. No program decided."


def test_what_a_filter_did_by_itself_is_said(alice, log_in):
    post_id = post(alice)
    flag_post(post_id=post_id, author_id=alice.user_id, rule_id="spam", severity=3)
    act_automatically(post=reading.get(Post, keys.post(alice.user_id, post_id)), word=LIMITING)
    (strike,) = strikes(alice)
    found = told(log_in(alice), strike.action_id)
    assert "without a person" in found["Who decided"]
    assert "filters" in found["How we came to it"]


def test_a_held_post_was_found_by_a_filter_and_decided_by_a_person(alice, mod, log_in, worker):
    post_id = held_post(alice)
    worker.drain()
    found = told(log_in(alice), decide(mod, about_post(post_id), ActionKind.REFUSE))
    assert "filters" in found["How we came to it"]
    assert found["Who decided"] == "A person. No program decided."


def test_a_decision_that_was_taken_back_applies_no_more(alice, bob, mod, log_in):
    file_report(by=bob, person_id=alice.user_id)
    action_id = decide(mod, about(alice), ActionKind.LIMIT)
    undo_action(by=mod, case_id=about(alice), action_id=action_id)
    found = told(log_in(alice), action_id)
    assert "taken back" in found["How long"]
    assert "Appeal" not in found["What you can do"]


def test_an_older_decision_says_nothing_of_what_was_not_noted(alice, bob, mod, log_in):
    file_report(by=bob, person_id=alice.user_id)
    action_id = decide(mod, about(alice), ActionKind.LIMIT)
    change(Strike, keys.strike(alice.user_id, action_id), [Strike.noticed.remove()])
    assert list(told(log_in(alice), action_id)) == [
        name for name in ELEMENTS if name != "How we came to it"
    ]


def card_of(kind: ActionKind, **facts) -> ActionCard:
    shared = {"text": "", "until": "", "posts": (), "iso": "", "ago": "", "is_undone": False}
    return ActionCard(action_id="x", kind=kind, **{**shared, **facts})


def test_illegal_content_and_the_terms_are_different_grounds():
    for rule_id in ("illegal", CHILD):
        card = card_of(ActionKind.HIDE, rule_id=rule_id)
        assert "against the law" in dict(statement_of(card))["On which ground"]
    card = card_of(ActionKind.HIDE)
    assert "rules of this site" in dict(statement_of(card))["On which ground"]


@pytest.mark.parametrize(
    ("until", "how_long"),
    [
        ("2099-03-04T12:00:00+00:00", "2099"),
        (FOR_EVER, "Until a moderator lifts it."),
    ],
)
def test_removed_pictures_that_suspend_the_account_say_both_and_how_long_each(until, how_long):
    card = card_of(ActionKind.REMOVE, until=until)
    found = dict(statement_of(card))
    for said in ("Pictures of yours were removed", "Your account was suspended"):
        assert said in found["Decision"]
        assert said in found["How long"]
    assert "For good, unless we take it back." in found["How long"]
    assert how_long in found["How long"]
    assert "9999" not in found["How long"]
    assert card.is_on_the_account
    alone = dict(statement_of(card_of(ActionKind.REMOVE)))
    assert alone["How long"] == "For good, unless we take it back."
    assert "suspended" not in str(alone)


def test_a_suspended_person_reads_it_too(alice, bob, mod, log_in):
    browser = log_in(alice)
    file_report(by=bob, person_id=alice.user_id)
    action_id = decide(mod, about(alice), ActionKind.SUSPEND)
    assert list(told(browser, action_id)) == ELEMENTS


def test_an_appeal_keeps_it_on_the_page(alice, bob, mod, log_in):
    file_report(by=bob, person_id=alice.user_id)
    action_id = decide(mod, about(alice), ActionKind.LIMIT)
    appeal(person_id=alice.user_id, action_id=action_id, text="No")
    assert list(told(log_in(alice), action_id)) == ELEMENTS
