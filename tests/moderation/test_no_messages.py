"""The restriction "may not write messages": what it stops, what it says, who is told, and how it ends."""

import pytest

from accounts.people.restrictions import FOR_EVER, Frozen, Restriction
from accounts.people.viewer import Viewer
from chats.models import Line
from chats.writes import choose_days
from feed.publishing.writes import publish_post
from moderation.bulk_decisions.reads import actions_for
from moderation.cases.effects import undo_action
from moderation.cases.reads import read_case
from moderation.cases.writes import answer_appeal, appeal
from moderation.models import ActionKind, CaseKind
from moderation.people.reads import list_restricted
from socialsite.table import ids, keys
from tests.chats.scenes import knows, seen_by, texts, write
from tests.conftest import HTMX
from tests.feed.scenes import returning
from tests.moderation.cases import about, broken, decide, info, report, restrict, strikes
from tests.web.html import Html

K = ActionKind


@pytest.fixture
def silenced(alice, bob) -> Viewer:
    """Bob, who may write no messages until tomorrow. He and Alice know each other."""
    knows(alice, bob)
    knows(bob, alice)
    write(alice, bob, "How are you?")
    restrict(bob, Restriction.NO_MESSAGES)
    return returning(bob)


def form(text: str, to: Viewer) -> dict[str, str]:
    return {"content": text, "nonce": ids.new_id(), "to": to.user_id}


def test_they_read_and_post_and_write_no_message(silenced, alice):
    with pytest.raises(Frozen) as refused:
        write(silenced, alice, "Fine")
    assert refused.value.told.startswith("Until ")
    assert texts(silenced, alice) == ["How are you?"]
    assert publish_post(by=silenced, content="Hello", nonce=ids.new_id())


def test_no_line_of_the_system_in_their_name_comes_either(silenced, alice):
    with pytest.raises(Frozen):
        choose_days(by=silenced, chat_id=keys.pair(silenced.user_id, alice.user_id), days=1)
    assert Line.KEEP not in [one.line for one in seen_by(alice, silenced).messages]


def test_others_still_write_to_them(silenced, alice):
    write(alice, silenced, "Still there?")
    assert texts(silenced, alice) == ["How are you?", "Still there?"]


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_what_was_typed_in_a_page_of_before_stays(silenced, alice, log_in, headers):
    answer = log_in(silenced).post("/messages/@alice", form("Much to say", alice), headers=headers)
    assert answer.status_code == 422
    page = Html(answer)
    assert page.one("textarea", id="message-text").text == "Much to say"
    assert silenced.card.no_messages_text in answer.content.decode()
    assert texts(alice, silenced) == ["How are you?"]


def test_in_the_place_of_the_form_stands_why_and_until_when(silenced, log_in):
    page = Html(log_in(silenced).get("/messages/@alice"))
    assert silenced.card.no_messages_text in page.one("div", id="chat-form").text
    assert not page.all("textarea")
    assert "How are you?" in page.one("ol", id="messages").text


def test_it_is_a_decision_with_an_end_a_reason_and_a_notice(alice, bob, mod, log_in):
    report(alice, bob)
    action_id = decide(
        mod, about(bob), K.NO_MESSAGES, text="Because", rule_id="spam", until=FOR_EVER
    )
    assert info(bob).no_messages_until == FOR_EVER
    (strike,) = strikes(bob)
    assert (strike.kind, strike.text, strike.rule_id) == (K.NO_MESSAGES, "Because", "spam")
    said = Html(log_in(bob).get(f"/standing/{action_id}")).one("section", id="strike").text
    assert said.startswith("You can’t write messages for now")
    assert "You can’t write messages" in Html(log_in(bob).get("/standing")).one("main").text
    assert broken() == {}


def test_an_undo_and_a_granted_appeal_lift_it(alice, bob, mod, admin):
    report(alice, bob)
    first = decide(mod, about(bob), K.NO_MESSAGES)
    undo_action(by=mod, case_id=about(bob), action_id=first)
    assert info(bob).no_messages_until is None
    second = decide(mod, about(bob), K.NO_MESSAGES)
    appeal(person_id=bob.user_id, action_id=second, text="It was a joke")
    version = int(read_case(about(bob)).version)
    answer_appeal(
        by=admin, case_id=about(bob), action_id=second, text="", version=version, grant=True
    )
    assert info(bob).no_messages_until is None
    assert broken() == {}


def test_an_undo_leaves_an_earlier_one_in_force_and_other_restrictions_alone(alice, bob, mod):
    report(alice, bob)
    end = "2030-01-01T00:00:00+00:00"
    decide(mod, about(bob), K.NO_MESSAGES, until=end, keep_open=True)
    decide(mod, about(bob), K.FREEZE, until=end, keep_open=True)
    last = decide(mod, about(bob), K.NO_MESSAGES)
    undo_action(by=mod, case_id=about(bob), action_id=last)
    assert (info(bob).no_messages_until, info(bob).frozen_until) == (end, end)


def test_staff_find_them_among_the_restricted(silenced, mod, moderator, drain_stream):
    drain_stream()
    (row,) = list_restricted().items
    assert row.person.user_id == silenced.user_id
    assert [name for name, _end in row.restrictions] == ["No messages"]
    page = Html(moderator.get(f"/moderation/people/{silenced.user_id}")).one("main").text
    assert "No messages" in page
    assert broken() == {}


def test_a_wave_can_take_it(mod):
    assert K.NO_MESSAGES in actions_for(CaseKind.PERSON, mod)


def test_the_log_says_it(alice, bob, mod, moderator):
    report(alice, bob)
    action_id = decide(mod, about(bob), K.NO_MESSAGES)
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    log = Html(moderator.get("/moderation/log")).one("main").text
    assert "stopped @bob from writing messages" in log
    assert "let @bob write messages again" in log
