"""First messages to strangers: word filters, and the hint that many say the same."""

import pytest

from chats.models import Message
from chats.writes import CannotWrite, delete_message
from moderation.models import HintKind, SamePost
from moderation.suspicions.reads import list_hints, list_same_posts
from moderation.suspicions.writes import note_same_messages
from socialsite.clock import utc_now
from socialsite.site_settings.word_filters import Effect
from socialsite.table import as_model, get, keys
from socialsite.table.reading import scan
from tests.chats.scenes import accept, knows, texts, write
from tests.conftest import person
from tests.moderation.staff import word_rule

SPAM = "Earn money from home, quickly and without any work"


def lines() -> list[str]:
    return [hint.line for hint in list_hints(HintKind)]


def item_of(sent) -> Message:
    key = keys.message(sent.message.chat_id, sent.message.message_id)
    return get(Message, key, consistent=True)


# Word filters


@pytest.mark.parametrize("effect", [Effect.HOLD, Effect.LIMIT, Effect.REFUSE])
def test_a_filter_that_lets_no_post_through_refuses_a_request(alice, bob, admin, effect):
    word_rule(admin, "casino", effect)
    with pytest.raises(CannotWrite):
        write(alice, bob, "Come to our casino")
    assert texts(bob, alice) == []


def test_a_filter_that_only_reports_lets_it_through_and_reports_nothing(
    alice, bob, admin, drain_stream
):
    word_rule(admin, "casino", Effect.FLAG)
    write(alice, bob, "Come to our casino")
    drain_stream()
    assert texts(bob, alice) == ["Come to our casino"]
    assert not [raw for raw in scan() if raw["type"]["S"] == "Case"]


def test_no_filter_reads_what_people_say_who_know_each_other(alice, bob, carol, admin):
    word_rule(admin, "casino", Effect.REFUSE)
    knows(bob, alice)
    write(alice, bob, "Casino night?")
    write(carol, bob, "We met.")
    accept(bob, carol)
    write(carol, bob, "At the casino.")
    assert texts(bob, carol) == ["We met.", "At the casino."]


# Hints


def test_five_alike_first_messages_in_an_hour_are_a_hint(alice, drain_stream):
    others = [person(f"other{number}") for number in range(5)]
    for number, other in enumerate(others):
        write(alice, other, f"Hi @{other.handle}! {SPAM} {number}")
        drain_stream()
        assert bool(lines()) == (number == 4)
    assert lines() == ["5 first messages to strangers said the same within an hour"]
    (hint,) = list_hints(HintKind)
    assert [one.case_id.subject_id for one in list_same_posts(hint.hint_id, most=9)] == [
        alice.user_id
    ]


def test_those_of_several_accounts_count_together(alice, bob, carol, drain_stream):
    for number in range(5):
        write((alice, bob)[number % 2], person(f"other{number}"), SPAM)
    drain_stream()
    assert len(lines()) == 1


def test_what_is_said_to_people_one_knows_is_not_compared(alice, drain_stream):
    for number in range(5):
        friend = person(f"friend{number}")
        knows(friend, alice)
        assert item_of(write(alice, friend, SPAM)).likeness is None
    drain_stream()
    assert not lines()


def test_short_and_different_ones_are_none(alice, drain_stream):
    for number, text in enumerate(("Hi", "Hi", "Hi", "Hi", "Hi")):
        write(alice, person(f"other{number}"), text)
    drain_stream()
    assert not lines()


def test_no_word_of_it_stands_in_the_table(alice, bob, drain_stream):
    sent = write(alice, bob, SPAM)
    drain_stream()
    assert item_of(sent).likeness
    assert "money" not in str(list(scan()))


def test_the_same_record_again_counts_once(alice, bob, carol, drain_stream):
    message = item_of(write(alice, bob, SPAM))
    moment = utc_now()
    for _ in range(6):
        note_same_messages(message, moment=moment)
    (noted,) = [as_model(SamePost, raw) for raw in scan() if raw["type"]["S"] == "SamePost"]
    assert noted.message_ids == {message.message_id}
    assert not lines()


def test_a_deleted_message_is_like_none(alice, bob):
    sent = write(alice, bob, SPAM)
    delete_message(by=alice, chat_id=sent.message.chat_id, message_id=sent.message.message_id)
    assert item_of(sent).likeness is None
