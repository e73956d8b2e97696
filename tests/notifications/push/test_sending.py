"""What waits for someone is told on their devices: one line for all of it, with names and numbers and no word of a
text."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from feed.likes.writes import like_post, unlike_post
from feed.publishing.writes import delete_post
from moderation.models import ActionKind
from notifications.push.choices import MESSAGES, PushChoices
from notifications.push.writes import choose_push, plan_push, send_test
from notifications.writes import choose_notifications, read_notifications
from relations.blocks.writes import block, mute
from relations.follows.writes import follow
from relations.muted_words.words import MutedWord
from relations.muted_words.writes import mute_word
from socialsite.table import ids
from socialsite.telling import OptOut
from tests.chats.scenes import write
from tests.conftest import person, post
from tests.feed.scenes import answer
from tests.moderation.cases import about, decide, report
from tests.notifications.push.conftest import signed_in, waiting_work
from tests.notifications.push.services import Browser
from tests.notifications.told import waiting

EVERYTHING = PushChoices(off=frozenset())


def like(by, post_id, author):
    like_post(by=by, post_id=post_id, author_id=author.user_id)


def said(service, device):
    """The words of each push that the device got."""
    return [device.read(one.body) for one in service.got]


def titles(service, device):
    return [words["title"] for words in said(service, device)]


def test_a_follower_is_told_on_the_device(alice, bob, device, service, push):
    follow(by=bob, user_id=alice.user_id)
    push()
    assert said(service, device) == [
        {
            "title": "Bob Brandt followed you",
            "tag": "follow",
            "url": "/notifications",
            "badge": 1,
        }
    ]
    assert waiting_work() == []


def test_a_push_says_how_long_it_is_of_use_and_what_it_replaces(alice, bob, device, service, push):
    follow(by=bob, user_id=alice.user_id)
    push()
    (got,) = service.got
    assert got.headers["TTL"] == "14400"
    assert got.headers["Content-Encoding"] == "aes128gcm"
    assert " " not in got.headers["Authorization"].removeprefix("vapid ")


def test_a_push_service_is_not_told_what_a_push_is_about(
    alice, bob, carol, alice_here, device, service, push
):
    """It reads the headers. A later push of the same kind replaces the one before, on each device for itself."""
    Browser(f"{service.origin}/ok/other").turn_on(signed_in(alice))
    follow(by=bob, user_id=alice.user_id)
    push()
    write(carol, alice, "Hello")
    push()
    told = {name: {one.headers[name] for one in service.got} for name in ("Topic", "Urgency")}
    assert len(service.got) == len(told["Topic"]) == 4
    assert told["Urgency"] == {"high"}
    for topic in told["Topic"]:
        assert re.fullmatch("[A-Za-z0-9_-]{24}", topic)
    send_test(by=alice_here, device=device.device)
    send_test(by=alice_here, device=device.device)
    push()
    assert len({one.headers["Topic"] for one in service.got[4:]}) == 1


def test_many_at_once_are_one_push(alice, device, service, push):
    mine = [post(alice, f"Post {number}") for number in range(6)]
    choose_push(by=alice, choices=EVERYTHING)
    for number in range(5):
        fan = person(f"fan{number}", f"Fan {number}")
        like(fan, mine[number], alice)
        follow(by=fan, user_id=alice.user_id)
    push()
    (words,) = said(service, device)
    assert words["body"] == "And 5 more"
    assert words["badge"] == 6


def test_likes_are_not_pushed_unless_wished(alice, bob, device, service, push):
    mine = post(alice)
    like(bob, mine, alice)
    push()
    assert service.got == []
    choose_push(by=alice, choices=EVERYTHING)
    like(bob, post(alice), alice)
    push()
    assert titles(service, device) == ["Bob Brandt liked your post"]


def test_no_word_of_a_post_is_in_a_push(alice, bob, device, service, push):
    mine = post(alice)
    answer(bob, alice, mine, "Nobody else should know this")
    push()
    (words,) = said(service, device)
    assert words["title"] == "Bob Brandt replied"
    assert "Nobody" not in str(words)


def test_a_decision_is_told_without_what_it_is_about(alice, bob, mod, device, service, push):
    report(bob, alice, rule_id="spam")
    decide(mod, about(alice), ActionKind.WARN)
    push()
    assert titles(service, device) == [
        "The moderators made a decision about your account or your posts."
    ]


def test_a_message_is_told_without_its_words(alice, bob, device, service, push):
    write(bob, alice, "The secret")
    push()
    (got,) = service.got
    words = device.read(got.body)
    assert words["url"] == "/messages"
    assert "Bob Brandt" in words["title"]
    assert "secret" not in str(words)


def test_names_are_hidden_if_wished(alice, bob, device, service, push):
    choose_push(by=alice, choices=PushChoices(frozenset(), names=False))
    follow(by=bob, user_id=alice.user_id)
    push()
    (got,) = service.got
    assert device.read(got.body) == {
        "title": "Something new",
        "tag": "news",
        "url": "/notifications",
        "badge": 1,
    }


def test_what_was_read_meanwhile_is_not_told(alice, bob, device, service, push, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    read_notifications(by=alice, up_to=waiting(alice).changes)
    push()
    assert service.got == []
    assert waiting_work() == []


def test_what_is_gone_meanwhile_is_not_told_and_nothing_earlier_instead(
    alice, bob, carol, device, service, push, drain_stream, monkeypatch
):
    choose_push(by=alice, choices=EVERYTHING)
    follow(by=carol, user_id=alice.user_id)
    push()
    mine = post(alice)
    like(bob, mine, alice)
    next_window = datetime.now(UTC) + timedelta(seconds=30)
    monkeypatch.setattr("notifications.push.stream.utc_now", lambda: next_window)
    drain_stream()
    unlike_post(by=bob, post_id=mine)
    push(at=datetime.now(UTC) + timedelta(minutes=1))
    assert titles(service, device) == ["Carol 陈 followed you"]


def test_a_line_that_is_gone_hides_no_message_of_the_same_window(
    alice, bob, carol, device, service, push, drain_stream
):
    write(bob, alice, "Hello")
    drain_stream()
    mine = post(alice)
    reply = answer(carol, alice, mine)
    drain_stream()
    (work,) = waiting_work()
    assert work.about == "reply"
    delete_post(by=carol, post_id=reply)
    push()
    assert titles(service, device) == ["Bob Brandt asks to write to you"]


def test_a_line_that_is_gone_tells_no_message_of_before(
    alice, bob, carol, device, service, push, drain_stream, monkeypatch
):
    write(bob, alice, "Hello")
    push()
    reply = answer(carol, alice, post(alice))
    next_window = datetime.now(UTC) + timedelta(seconds=30)
    monkeypatch.setattr("notifications.push.stream.utc_now", lambda: next_window)
    drain_stream()
    delete_post(by=carol, post_id=reply)
    push()
    assert titles(service, device) == ["Bob Brandt asks to write to you"]


def test_a_later_line_of_a_window_hides_no_earlier_one(
    alice, bob, carol, device, service, push, drain_stream
):
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    reply = answer(carol, alice, post(alice))
    drain_stream()
    delete_post(by=carol, post_id=reply)
    push()
    assert titles(service, device) == ["Bob Brandt followed you"]


@pytest.mark.parametrize("end", [block, mute])
def test_nobody_hears_of_whom_they_blocked_or_muted_meanwhile(
    alice, bob, device, service, push, drain_stream, end
):
    mine = post(alice)
    answer(bob, alice, mine)
    drain_stream()
    end(by=alice, user_id=bob.user_id)
    push()
    assert service.got == []


def test_a_muted_word_keeps_a_push_away(alice, bob, device, service, push):
    mute_word(by=alice, word=MutedWord("football"))
    mine = post(alice)
    answer(bob, alice, mine, "Football tonight")
    push()
    assert service.got == []


def test_what_someone_wants_no_notification_of_is_not_pushed(alice, bob, device, service, push):
    choose_notifications(by=alice, opted_out=[OptOut.FOLLOWS])
    follow(by=bob, user_id=alice.user_id)
    push()
    assert service.got == []


def test_a_deleted_answer_is_not_told(alice, bob, device, service, push, drain_stream):
    mine = post(alice)
    reply = answer(bob, alice, mine)
    drain_stream()
    delete_post(by=bob, post_id=reply)
    push()
    assert service.got == []


def test_each_device_is_told_in_its_language(alice, bob, alice_here, device, service, push):
    other = Browser(f"{service.origin}/ok/other")
    other.turn_on(signed_in(alice), language="de")
    follow(by=bob, user_id=alice.user_id)
    push()
    languages = {one.path: one for one in service.got}
    assert set(languages) == {"/ok/alice", "/ok/other"}
    assert other.read(languages["/ok/other"].body)["title"] == "Bob Brandt folgt dir jetzt"


def test_a_test_comes_to_one_device_whatever_the_hour(alice, alice_here, device, service, push):
    choose_push(by=alice, choices=PushChoices(frozenset(), True, 0, 23, "UTC"))
    Browser(f"{service.origin}/ok/other").turn_on(signed_in(alice))
    send_test(by=alice_here, device=device.device)
    push()
    (got,) = service.got
    assert got.path == "/ok/alice"
    assert device.read(got.body)["title"] == "Push works on this device."


NIGHT = PushChoices(frozenset(), True, 22, 7, "Europe/Berlin")
EVENING = datetime(2026, 11, 28, 22, 30, tzinfo=UTC)  # 23:30 in Berlin
MORNING = datetime(2026, 11, 29, 6, 0, tzinfo=UTC)


def test_what_comes_in_quiet_hours_is_one_piece_of_work_for_their_end():
    alice = ids.new_id()
    late = plan_push(alice, about="like", choices=NIGHT, since=EVENING, now=EVENING)
    later = MORNING - timedelta(hours=1)
    early = plan_push(alice, about="reply", choices=NIGHT, since=later, now=later)
    assert late.key == early.key
    assert late.moment == MORNING.isoformat()
    noon = MORNING + timedelta(hours=6)
    at_noon = plan_push(alice, about="like", choices=NIGHT, since=noon, now=noon)
    assert at_noon.moment < (noon + timedelta(seconds=20)).isoformat()


def test_all_work_of_a_window_takes_in_the_same_time():
    noon = MORNING + timedelta(hours=6)
    one = plan_push("a", about="like", choices=PushChoices(), since=noon, now=noon)
    later = noon + timedelta(seconds=3)
    other = plan_push("a", about="reply", choices=PushChoices(), since=later, now=later)
    assert (one.key, one.news_since) == (other.key, other.news_since)


def test_quiet_hours_follow_summer_time():
    summer = datetime(2026, 7, 1, 21, 0, tzinfo=UTC)  # 23:00 in Berlin
    assert NIGHT.quiet_around(summer) == (
        datetime(2026, 7, 1, 20, 0, tzinfo=UTC),
        datetime(2026, 7, 2, 5, 0, tzinfo=UTC),
    )
    assert NIGHT.quiet_around(summer - timedelta(hours=2)) is None


def test_quiet_hours_that_begin_meanwhile_hold_a_push_back(
    alice, bob, device, service, push, drain_stream
):
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    hour = datetime.now(UTC).hour
    choose_push(by=alice, choices=PushChoices(frozenset(), True, hour, (hour + 2) % 24, "UTC"))
    push()
    assert service.got == []
    (work,) = waiting_work()
    assert work.moment > datetime.now(UTC).isoformat()
    choose_push(by=alice, choices=PushChoices())
    push(at=datetime.now(UTC) + timedelta(hours=3))
    assert titles(service, device) == ["Bob Brandt followed you"]


def test_a_person_without_devices_costs_nothing_more(alice, bob, drain_stream):
    choose_push(by=alice, choices=EVERYTHING)
    follow(by=bob, user_id=alice.user_id)
    write(bob, alice, "Hello")
    drain_stream()
    assert waiting_work() == []


def test_messages_off_are_not_pushed(alice, bob, device, service, push):
    choose_push(by=alice, choices=PushChoices(frozenset({MESSAGES})))
    write(bob, alice, "Hello")
    push()
    assert service.got == []
