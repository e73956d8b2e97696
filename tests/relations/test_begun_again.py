"""What a relationship remembers when it ended and begins again: when it first began, and nothing that was noted."""

import pytest
from django.core.management import call_command

from relations.blocks.writes import mute
from relations.friends.writes import (
    create_circle,
    delete_circle,
    end_friendship,
    file_friend,
)
from relations.models import Relation, RelationType
from relations.own_choices.writes import favourite, subscribe, unfavourite, unsubscribe
from relations.relation import create_relation, update_relation
from socialsite.clock import utc_now
from socialsite.table import change, get, keys
from tests.looks import broken_invariants
from tests.relations.scenes import befriend
from tests.streams.crowd import returning
from tests.web.html import Html

FRIEND, STAR, MUTE = RelationType.FRIEND, RelationType.FAVOURITE, RelationType.MUTE
LONG_AGO = "2024-05-01T12:00:00+00:00"


def kept(viewer, kind, other) -> Relation:
    return get(Relation, keys.relation(viewer.user_id, kind, other.user_id), consistent=True)


def made_long_ago(viewer, kind, other) -> None:
    key = keys.relation(viewer.user_id, kind, other.user_id)
    change(Relation, key, [Relation.created_at.set(LONG_AGO)])


def test_the_first_beginning_survives_an_end_and_a_new_beginning(alice, bob):
    favourite(by=alice, user_id=bob.user_id)
    made_long_ago(alice, STAR, bob)
    assert kept(alice, STAR, bob).first_at is None
    for _ in range(2):
        unfavourite(by=alice, user_id=bob.user_id)
        favourite(by=alice, user_id=bob.user_id)
        again = kept(alice, STAR, bob)
        assert again.first_at == LONG_AGO < again.created_at == again.update_time


def test_both_sides_of_a_friendship_know_when_it_first_began(alice, bob):
    befriend(alice, bob)
    pairs = (alice, bob), (bob, alice)
    began = [kept(one, FRIEND, other).created_at for one, other in pairs]
    end_friendship(by=alice, user_id=bob.user_id)
    befriend(bob, alice)
    assert [kept(one, FRIEND, other).first_at for one, other in pairs] == began


def test_the_list_says_since_when_and_when_for_the_first_time(alice, bob, log_in):
    befriend(alice, bob)
    favourite(by=alice, user_id=bob.user_id)
    browser = log_in(alice)

    def said(path: str) -> str:
        return Html(browser.get(path)).one("p", class_="row-note").text

    this_year = str(utc_now().year)
    assert said("/friends").startswith("Friends since ")
    assert said("/friends?show=favourites").startswith("Favourite since ")
    for kind in (FRIEND, STAR):
        made_long_ago(alice, kind, bob)
    assert said("/friends") == "Friends since May 1, 2024"
    end_friendship(by=alice, user_id=bob.user_id)
    unfavourite(by=alice, user_id=bob.user_id)
    befriend(alice, bob)
    favourite(by=alice, user_id=bob.user_id)
    for path in ("/friends", "/friends?show=favourites"):
        assert said(path).endswith("for the first time on May 1, 2024")
        assert this_year in said(path)


def test_circles_and_note_do_not_come_back(alice, bob):
    """Circles say who sees posts, so nobody is back in one unasked; and what nobody can see, nobody can delete."""
    befriend(alice, bob)
    circle = create_circle(by=alice, name="Choir")
    file_friend(by=returning(alice), user_id=bob.user_id, circles=[circle], note="Sings bass")
    end_friendship(by=bob, user_id=alice.user_id)
    ended = kept(alice, FRIEND, bob)
    befriend(alice, bob)
    again = kept(alice, FRIEND, bob)
    assert [ended.tags, ended.note, again.tags, again.note] == [None] * 4


@pytest.mark.parametrize("kind", [FRIEND, STAR])
def test_what_ended_under_earlier_code_is_brought_up(alice, bob, kind):
    """It kept circles and a note that nobody could see, and no first beginning."""
    create_relation(
        by=alice, relation_type=kind, user_id=bob.user_id, tags={"Choir"}, note="Sings bass"
    )
    ended = [
        Relation.delete_status.set(True),
        Relation.relation_target.remove(),
        Relation.created_at.set(LONG_AGO),
    ]
    key = keys.relation(alice.user_id, kind, bob.user_id)
    change(Relation, key, ended)
    rule = "ended relations keep neither circles nor notes"
    assert broken_invariants()[rule] == [f"{key.pk} / {key.sk}"]
    call_command("reconcile")
    call_command("reconcile")
    now = get(Relation, key)
    assert (now.tags, now.note, now.first_at, now.delete_status) == (None, None, LONG_AGO, True)
    assert rule not in broken_invariants()
    create_relation(by=alice, relation_type=kind, user_id=bob.user_id)
    assert kept(alice, kind, bob).first_at == LONG_AGO


def test_each_change_of_its_owner_sets_its_time(alice, bob):
    befriend(alice, bob)
    favourite(by=alice, user_id=bob.user_id)
    mute(by=alice, user_id=bob.user_id)
    circle = create_circle(by=alice, name="Choir")
    changes = (
        (FRIEND, lambda: file_friend(by=alice, user_id=bob.user_id, circles=[circle], note="")),
        (FRIEND, lambda: delete_circle(by=returning(alice), circle_id=circle)),
        (
            STAR,
            lambda: update_relation(by=alice, relation_type=STAR, user_id=bob.user_id, note="A"),
        ),
        (STAR, lambda: subscribe(by=alice, user_id=bob.user_id)),
        (STAR, lambda: unsubscribe(by=alice, user_id=bob.user_id)),
        (MUTE, lambda: mute(by=alice, user_id=bob.user_id, until=utc_now())),
        (STAR, lambda: unfavourite(by=alice, user_id=bob.user_id)),
        (STAR, lambda: favourite(by=alice, user_id=bob.user_id)),
    )
    for kind, act in changes:
        before = kept(alice, kind, bob).update_time
        act()
        assert (kept(alice, kind, bob).update_time or "") > (before or "")
