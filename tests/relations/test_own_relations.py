"""The viewer's own blocks, mutes and requests in one Query, and what acts at once because of it."""

import pytest

from accounts.people.viewer import VISITOR
from relations import suggested
from relations.blocks.writes import block, mute, unblock
from relations.friends.writes import request_friend
from relations.models import Relation, RelationType
from relations.relation import blocks_either_way, is_in_force
from relations.suggested import MOST_RELATIONS, look_for_people, own_relations
from socialsite.table import keys, write_batch
from tests.relations.nearby import befriend, crowd, follow_each, reasons
from tests.web.html import Html

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
    for path in ("/explore", "/search"):
        assert Html(browser.get(path)).handles() == ["carol"]
        block(by=carol, user_id=alice.user_id)
        assert Html(browser.get(path)).handles() == []
        unblock(by=carol, user_id=alice.user_id)
