"""Mutes, for a time or until further notice, and the viewer's own relations in one Query."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.people.viewer import VISITOR
from relations import suggested
from relations.blocks.writes import block, mute, unblock, unmute
from relations.follows.writes import follow
from relations.friends.writes import request_friend
from relations.models import Relation, RelationType
from relations.relation import blocks_either_way, is_in_force
from relations.suggested import MOST_RELATIONS, look_for_people, own_relations
from socialsite.table import change, keys, write_batch
from tests.conftest import HTMX
from tests.relations.scenes import OFF, ON, befriend, crowd, follow_each, reasons, relationship
from tests.streams.crowd import returning
from tests.web.html import Html

PAGE = "/@bob/mute"
DAY = ON | {"length": "1d"}


def ends_in(viewer, other) -> timedelta | None:
    until = relationship(viewer, other).muted_until
    return datetime.fromisoformat(until) - datetime.now(UTC) if until else None


@pytest.mark.parametrize(
    ("length", "lasts"),
    [("1h", timedelta(hours=1)), ("1d", timedelta(days=1)), ("7d", timedelta(days=7))],
)
def test_muting_for_a_time(alice, bob, log_in, length, lasts):
    response = log_in(alice).post(PAGE, ON | {"length": length})
    assert (response.status_code, response["Location"]) == (302, "/@bob")
    assert relationship(alice, bob).mutes
    assert abs(ends_in(alice, bob) - lasts) < timedelta(minutes=1)
    assert not relationship(bob, alice).mutes


def test_muting_until_further_notice_and_unmuting(alice, bob, log_in):
    browser = log_in(alice)
    browser.post(PAGE, ON | {"length": "ever"})
    assert relationship(alice, bob).mutes
    assert ends_in(alice, bob) is None
    for _ in range(2):
        assert browser.post(PAGE, OFF).status_code == 302
    assert not relationship(alice, bob).mutes


@pytest.mark.parametrize("blocker", ["alice", "bob"])
def test_the_end_of_a_mute_leaves_a_block_as_it_is(alice, bob, drain_stream, blocker):
    by, other = (alice, bob) if blocker == "alice" else (bob, alice)
    block(by=by, user_id=other.user_id)
    mute(by=alice, user_id=bob.user_id)
    unmute(by=alice, user_id=bob.user_id)
    assert returning(alice).hidden == (bob.user_id,)
    drain_stream()
    assert returning(alice).hidden == (bob.user_id,)


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_a_mute_of_somebody_one_follows_costs_nine_units_and_its_end_five(alice, bob, measure):
    follow(by=alice, user_id=bob.user_id)
    for service, units in ((mute, 9), (unmute, 5)):
        with measure() as meter:
            service(by=alice, user_id=bob.user_id)
        assert [call.units for call in meter.calls] == [2, units]


def test_a_mute_that_ended_by_itself_can_begin_again(alice, bob, log_in):
    browser = log_in(alice)
    browser.post(PAGE, ON | {"length": "1h"})
    key = keys.relation(alice.user_id, RelationType.MUTE, bob.user_id)
    change(Relation, key, [Relation.until.set("2026-01-01T00:00:00+00:00")])
    assert not relationship(alice, bob).mutes
    assert browser.post(PAGE, ON | {"length": "1d"}).status_code == 302
    assert relationship(alice, bob).mutes
    assert ends_in(alice, bob) > timedelta(hours=23)


def test_muting_again_sets_the_new_end(alice, bob, log_in):
    browser = log_in(alice)
    browser.post(PAGE, ON | {"length": "7d"})
    browser.post(PAGE, ON | {"length": "1h"})
    assert ends_in(alice, bob) < timedelta(hours=2)


def test_the_profile_says_until_when(alice, bob, log_in):
    browser = log_in(alice)
    browser.post(PAGE, DAY)
    html = Html(browser.get("/@bob"))
    assert "You’ve muted this person until" in html.one("ul", class_="chips").text
    assert html.one("button", formaction=PAGE).text == "Unmute"
    assert "muted" not in Html(log_in(bob).get("/@alice")).one("header", class_="profile").text


def test_the_page_and_the_dialog_ask_for_how_long(alice, bob, log_in):
    browser = log_in(alice)
    for extra in ({}, {"headers": HTMX}):
        html = Html(browser.get(PAGE, **extra))
        lengths = [radio["value"] for radio in html.all("input", type="radio")]
        assert lengths == ["1h", "1d", "7d", "ever"]
        assert bool(html.all("html")) is not bool(extra)


def test_over_htmx_the_header_comes_back(alice, bob, log_in):
    response = log_in(alice).post(PAGE, DAY, headers=HTMX)
    assert Html(response).elements[0]["id"] == "profile"
    assert "muted" in response["HX-Trigger"]


@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
@pytest.mark.parametrize("length", [{}, {"length": "2 weeks"}])
def test_a_length_that_there_is_not_is_refused_beside_the_choice(alice, bob, log_in, length, extra):
    response = log_in(alice).post(PAGE, ON | length, **extra)
    assert response.status_code == 422
    assert Html(response).error("length") == "Choose how long."
    assert not extra or response["HX-Retarget"] == "#modal"
    assert not relationship(alice, bob).mutes


def test_whom_one_muted_is_listed_and_unmuted_there(alice, bob, log_in):
    browser = log_in(alice)
    browser.post(PAGE, DAY)
    html = Html(browser.get("/settings/blocks"))
    assert html.handles() == ["bob"]
    assert "Muted until" in html.one("article").text
    answer = Html(browser.post(PAGE, OFF | {"place": "muted"}, headers=HTMX))
    assert answer.one("article")["id"] == f"muted-{bob.user_id}"
    assert Html(browser.get("/settings/blocks")).handles() == []


# The viewer's own blocks, mutes and requests in one Query, and what acts at once because of it.

capacity = pytest.mark.engines("embedded", reason="the others report other capacity")


def key(viewer, kind, other):
    return keys.relation(viewer.user_id, kind, other.user_id)


def relations_with(viewer, people, kind=RelationType.FOLLOW_REQUEST, *, ended=True) -> None:
    write_batch(
        puts=[
            Relation(
                *keys.relation(viewer.user_id, kind, one.user_id),
                user_id=viewer.user_id,
                other_id=one.user_id,
                relation_type=kind,
                created_at="2026-01-01T00:00:00+00:00",
                delete_status=ended,
            )
            for one in people
        ]
    )


def test_blocks_of_either_side_mutes_and_requests_are_known_and_friends_are_not(
    alice, bob, carol, mod
):
    befriend(alice, mod)
    block(by=bob, user_id=alice.user_id)
    mute(by=alice, user_id=carol.user_id)
    request_friend(by=alice, user_id=carol.user_id)
    own = own_relations(alice)
    assert {
        one for one, raw in own.items.items() if is_in_force(raw) or blocks_either_way(raw)
    } == {
        key(alice, RelationType.BLOCK, bob),
        key(alice, RelationType.MUTE, carol),
        key(alice, RelationType.FRIEND_REQUEST, carol),
    }
    assert own.knows(key(alice, RelationType.BLOCK, mod))  # that there is none
    assert not own.knows(key(alice, RelationType.FRIEND, mod))
    assert not own.knows(key(mod, RelationType.BLOCK, alice))


def test_a_visitor_has_none_and_costs_nothing(table, measure):
    with measure() as meter:
        assert not own_relations(VISITOR).knows(keys.relation("", RelationType.BLOCK, "x"))
    assert meter.calls == []


def test_what_is_known_is_not_asked_for_again(alice, bob, carol, measure):
    block(by=alice, user_id=bob.user_id)
    own = own_relations(alice)
    blocks = [key(alice, RelationType.BLOCK, one) for one in (bob, carol)]
    with measure() as meter:
        assert set(own.fetch(blocks)) == {blocks[0]}
    assert meter.calls == []


@capacity
def test_beyond_two_hundred_the_rest_is_asked_for_by_key(alice, bob, carol, measure):
    relations_with(alice, crowd(MOST_RELATIONS))  # requests, after which the friend requests stand
    mute(by=alice, user_id=carol.user_id)
    request_friend(by=alice, user_id=bob.user_id)
    with measure() as meter:
        own = own_relations(alice)
    assert [call.operation for call in meter.calls] == ["Query"]
    assert meter.read_units <= 6
    assert key(alice, RelationType.MUTE, carol) in own.items
    asked = key(alice, RelationType.FRIEND_REQUEST, bob)
    assert not own.knows(asked)
    assert asked in own.fetch([asked])


@pytest.mark.parametrize("most", [MOST_RELATIONS, 2])
def test_whom_one_blocks_mutes_or_asks_is_not_suggested_however_many_relations_one_has(
    alice, bob, monkeypatch, most
):
    monkeypatch.setattr(suggested, "MOST", most)
    far = crowd(6, "far")
    follow_each([alice.user_id], [bob.user_id])
    follow_each([bob.user_id], [one.user_id for one in far])
    assert len(reasons(alice)) == 6
    kinds = (RelationType.BLOCK, RelationType.MUTE, RelationType.FOLLOW_REQUEST)
    for kind, one in zip((*kinds, RelationType.FRIEND_REQUEST), far, strict=False):
        relations_with(alice, [one], kind, ended=False)
    assert list(reasons(alice)) == [one.handle for one in far[4:]]


def test_a_block_acts_on_the_next_page_and_so_does_its_end(alice, bob, carol, log_in):
    follow_each([alice.user_id], [bob.user_id])
    follow_each([bob.user_id], [carol.user_id])
    look_for_people(alice.user_id)
    browser = log_in(alice)
    assert Html(browser.get("/explore")).handles() == ["carol"]
    block(by=carol, user_id=alice.user_id)
    assert Html(browser.get("/explore")).handles() == []
    unblock(by=carol, user_id=alice.user_id)
