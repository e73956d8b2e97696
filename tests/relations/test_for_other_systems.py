"""The function for other systems: four operations and two levels, by an event, with what pages would refuse refused."""

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from accounts.models import UserInfo
from accounts.people.restrictions import FOR_EVER
from accounts.profile.writes import edit_profile
from privacy.erasure.writes import begin_closing
from relations import lambda_handler
from relations.blocks.writes import block
from relations.follows.writes import follow
from relations.friends import writes as friends
from relations.friends.writes import create_circle, file_friend, request_friend
from relations.lambda_handler import REFUSALS
from relations.levels import MOST_NEAR
from relations.own_choices.writes import favourite
from socialsite.clock import utc_now
from socialsite.table import change, keys
from socialsite.web.limits import LimitReached
from tests.conftest import person
from tests.looks import broken_invariants
from tests.relations.scenes import befriend, relationship
from tests.streams.crowd import returning

LATER = (utc_now() + timedelta(days=300)).isoformat()


def asked(operation: str, user: Any = "alice", **event: Any) -> dict[str, Any]:
    return lambda_handler.handle({"operation": operation, "user": user, **event})


@pytest.fixture
def people(alice, bob, carol):
    """Bob of Köln and Carol of Leipzig."""
    edit_profile(by=bob, bio="", location="Köln", gender="er/ihm")
    edit_profile(by=carol, bio="", location="Leipzig", gender="she/her")


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize("kind", ["favourite", "block", "mute"])
def test_a_relationship_is_created_and_deleted_each_time_safe_to_repeat(
    alice, bob, drain_stream, kind
):
    for _ in range(2):
        answer = asked("create", other="@Bob", type=kind)
        assert set(answer["relationship"]) == {kind}
        assert answer["other"] == bob.user_id
        assert answer["relationship"][kind]["since"]
    for _ in range(2):
        assert asked("delete", alice.user_id, other=bob.user_id, type=kind)["relationship"] == {}
    drain_stream()
    assert broken_invariants() == {}


@pytest.mark.usefixtures("people")
def test_a_friend_is_asked_and_becomes_one_when_the_other_asks_too(alice, bob, drain_stream):
    assert set(asked("create", other="bob", type="friend")["relationship"]) == {"friend_request"}
    assert asked("delete", other="bob", type="friend")["relationship"] == {}
    request_friend(by=bob, user_id=alice.user_id)
    assert set(asked("create", other="bob", type="friend")["relationship"]) == {"friend"}
    assert relationship(bob, alice).is_friend
    assert asked("delete", other="bob", type="friend")["relationship"] == {}
    drain_stream()
    assert broken_invariants() == {}


@pytest.mark.parametrize("pull_above", [5_000, 0], ids=["few followers", "many"])
def test_a_mute_and_a_block_of_someone_followed_reach_the_follow(
    alice, bob, drain_stream, settings, pull_above
):
    for one, other in ((alice, bob), (bob, alice)):
        follow(by=one, user_id=other.user_id)
    settings.PULL_ABOVE = pull_above
    assert "mute" in asked("create", other="bob", type="mute")["relationship"]
    assert asked("delete", other="bob", type="mute")["relationship"] == {}
    assert "block" in asked("create", other="bob", type="block")["relationship"]
    drain_stream()
    assert not relationship(alice, bob).follows
    assert not relationship(bob, alice).follows


@pytest.mark.usefixtures("people")
def test_an_update_sets_what_each_type_has_and_its_time(alice, bob, drain_stream):
    befriend(alice, bob)
    favourite(by=alice, user_id=bob.user_id)
    asked("create", other="bob", type="mute")
    circle = create_circle(by=alice, name="Choir")
    before = asked("create", other="bob", type="favourite")["relationship"]
    for kind, name, value in (
        ("friend", "circles", [circle]),
        ("favourite", "notified", True),
        ("mute", "until", LATER),
        ("friend", "circles", []),
        ("favourite", "notified", False),
        ("mute", "until", None),
    ):
        now = asked("update", other="bob", type=kind, **{name: value})["relationship"][kind]
        assert now[name] == (value or type(now[name])())
        assert now["updated"] > before[kind]["updated"]
        assert now["since"] == before[kind]["since"]
    drain_stream()
    assert broken_invariants() == {}


def test_a_moment_of_another_zone_is_kept_in_utc(alice, bob):
    there = (utc_now() + timedelta(hours=5)).astimezone(timezone(timedelta(hours=9)))
    answer = asked("create", other="bob", type="mute", until=there.isoformat())
    until = answer["relationship"]["mute"]["until"]
    assert until.endswith("+00:00")
    assert datetime.fromisoformat(until) == there


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize("kind", ["friend", "favourite", "mute"])
def test_what_is_not_in_force_is_not_updated(kind):
    new = {"friend": {"circles": []}, "favourite": {"notified": True}, "mute": {"until": LATER}}
    answer = asked("update", other="bob", type=kind, **new[kind])
    assert answer["error"] == "not_related"


@pytest.mark.usefixtures("people")
@pytest.mark.parametrize(
    ("narrowed", "found"),
    [
        ({}, ["bob", "carol"]),
        ({"location": "koln"}, ["bob"]),
        ({"pronoun": "she"}, ["carol"]),
        ({"pronouns": "ihm"}, ["bob"]),
        ({"pronoun": "he", "location": "leipzig"}, []),
    ],
)
@pytest.mark.parametrize("kind", ["friend", "favourite"])
def test_a_list_is_filtered_and_tells_no_note(alice, bob, carol, kind, narrowed, found):
    for other in (bob, carol):
        befriend(alice, other)
        file_friend(by=alice, user_id=other.user_id, circles=[], note="Sings bass")
        favourite(by=alice, user_id=other.user_id)
    answer = asked("filter", type=kind, **narrowed)
    assert [one["handle"] for one in answer["found"]] == found
    assert "Sings" not in str(answer)
    assert answer["cursor"] is None
    if found == ["bob"]:
        assert answer["found"][0].items() >= {"location": "Köln", "pronouns": "er/ihm"}.items()


def test_a_circle_is_named_by_its_id_alone(alice, bob, carol):
    circle = create_circle(by=alice, name="Choir")
    for other in (bob, carol):
        befriend(alice, other)
    file_friend(by=returning(alice), user_id=bob.user_id, circles=[circle], note="")
    answer = asked("filter", type="friend", circle=circle)
    assert [(one["handle"], one["circles"]) for one in answer["found"]] == [("bob", [circle])]
    assert "Choir" not in str(answer)


@pytest.mark.parametrize("kind", ["friend", "favourite"])
def test_a_list_is_filtered_by_the_level_that_people_show(alice, bob, carol, kind):
    change(UserInfo, keys.user_info(bob.user_id), [UserInfo.shows_level.set("yes")])
    for other in (bob, carol):
        befriend(alice, other)
        favourite(by=alice, user_id=other.user_id)
    (found,) = asked("filter", type=kind, level="new")["found"]
    assert (found["handle"], found["level"]) == ("bob", "new")
    assert asked("filter", type=kind, level="regular")["found"] == []
    assert [one["level"] for one in asked("filter", type=kind)["found"]] == ["new", ""]


def test_a_long_list_comes_in_pages(alice):
    others = [person(f"star{number:02}") for number in range(22)]
    for other in others:
        favourite(by=alice, user_id=other.user_id)
    first = asked("filter", type="favourite")
    rest = asked("filter", type="favourite", cursor=first["cursor"])
    handles = [one["handle"] for page in (first, rest) for one in page["found"]]
    assert handles == [other.handle for other in others]
    assert asked("filter", type="friend", cursor=first["cursor"])["error"] == "bad_event"


def test_both_levels_are_answered_with_reasons_and_without_what_is_private(alice, bob, carol, mod):
    befriend(alice, bob)
    follow(by=alice, user_id=mod.user_id)
    befriend(bob, carol)
    file_friend(by=alice, user_id=bob.user_id, circles=[], note="Sings bass")
    answer = asked("levels", size=5)
    assert answer["person"]["handle"] == "alice"
    assert [(one["handle"], one["types"]) for one in answer["level_1"]] == [
        ("bob", ["friend"]),
        ("moddy", ["follows"]),
    ]
    (second,) = answer["level_2"]
    assert (second["handle"], second["reason"]) == ("carol", "friend")
    assert second["via"] == {"id": bob.user_id, "handle": "bob"}
    assert second["sentence"] == "Friends with Bob Brandt"
    assert "Sings" not in str(answer)
    assert answer["cost"]["write_units"] == 0


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_both_levels_of_someone_with_a_crowd_keep_their_bound(alice, measure):
    for number in range(60):
        follow(by=alice, user_id=person(f"star{number:02}").user_id)
    answer = asked("levels")
    assert len(answer["level_1"]) == MOST_NEAR
    assert answer["level_1_found"] == 60
    assert answer["cost"]["calls"] <= 1 + 1 + 52 + 2 + 3 + 3
    assert answer["cost"]["read_units"] <= 350 + 75 + 150


BAD_EVENTS: list[Any] = [
    {},
    {"operation": "create"},
    {"operation": "drop", "user": "alice"},
    {"operation": ["create"], "user": "alice"},
    {"operation": "create", "user": 7, "other": "bob", "type": "friend"},
    {"operation": "create", "user": "alice", "other": "bob", "type": "enemy"},
    {"operation": "create", "user": "alice", "other": "bob", "type": "friend_request"},
    {"operation": "create", "user": "alice", "other": "alice", "type": "favourite"},
    {"operation": "create", "user": "alice", "other": "bob", "type": "friend", "note": "x"},
    {"operation": "create", "user": "alice", "other": "bob", "type": "friend", "until": LATER},
    {"operation": "create", "user": "alice", "other": "bob", "type": "mute", "until": "soon"},
    {"operation": "create", "user": "alice", "other": "b" * 5000, "type": "mute"},
    {
        "operation": "create",
        "user": "alice",
        "other": "bob",
        "type": "mute",
        "until": "2020-01-01T00:00:00+00:00",
    },
    {"operation": "update", "user": "alice", "other": "bob", "type": "block"},
    {"operation": "update", "user": "alice", "other": "bob", "type": "mute"},
    {"operation": "update", "user": "alice", "other": "bob", "type": "favourite", "notified": 1},
    {"operation": "update", "user": "alice", "other": "bob", "type": "friend", "circles": "x"},
    {"operation": "update", "user": "alice", "other": "bob", "type": "friend", "circles": ["x"]},
    {"operation": "filter", "user": "alice", "type": "friend", "pronoun": "it"},
    {"operation": "filter", "user": "alice", "type": "friend", "level": "expert"},
    {"operation": "filter", "user": "alice", "type": "friend", "location": ["x"]},
    {"operation": "filter", "user": "alice", "type": "friend", "cursor": "x"},
    {"operation": "levels", "user": "alice", "size": 0},
    {"operation": "levels", "user": "alice", "size": True},
    [],
    "create",
]


@pytest.mark.parametrize("event", BAD_EVENTS)
def test_a_bad_event_is_told_in_a_sentence_and_changes_nothing(alice, bob, event):
    befriend(alice, bob)
    answer = lambda_handler.handle(event)
    assert answer["error"] == "bad_event"
    assert answer["message"].endswith(".")
    assert answer["cost"]["write_units"] == 0


def test_who_is_gone_or_hidden_is_not_found(alice, bob, carol, mod):
    assert asked("create", other="nobody_here", type="mute")["error"] == "not_found"
    assert asked("levels", "01JD0000000000000000000000")["error"] == "not_found"
    block(by=bob, user_id=alice.user_id)
    assert asked("create", other="bob", type="favourite")["error"] == "not_found"
    block(by=alice, user_id=carol.user_id)
    assert asked("create", other="carol", type="friend")["error"] == "blocked"
    begin_closing(user_id=mod.user_id)
    assert asked("filter", mod.user_id, type="friend")["error"] == "not_found"


def test_a_frozen_person_asks_nobody_and_may_still_block(alice, bob):
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.frozen_until.set(FOR_EVER)])
    for kind in ("friend", "favourite"):
        assert asked("create", other="bob", type=kind)["error"] == "refused"
    assert "block" in asked("create", other="bob", type="block")["relationship"]


def test_limits_hold_as_on_pages(alice, bob, carol, monkeypatch):
    few = lambda_handler.REQUESTS.__class__("requests", 1, 10**9)
    monkeypatch.setattr(lambda_handler, "REQUESTS", few)
    asked("create", other="bob", type="friend")
    answer = asked("create", other="carol", type="friend")
    assert answer["error"] == "later"
    assert int(answer["retry_after"]) > 0


def test_too_many_friends_are_said(alice, bob, carol, monkeypatch):
    befriend(alice, carol)
    request_friend(by=bob, user_id=alice.user_id)
    monkeypatch.setattr(friends, "MOST_FRIENDS", 1)
    assert asked("create", other="bob", type="friend")["error"] == "limit"


def test_every_refusal_has_a_sentence():
    assert all(sentence.endswith(".") for _, sentence in REFUSALS.values())
    assert LimitReached in REFUSALS
