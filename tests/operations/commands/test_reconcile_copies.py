"""What friendships and favourites copied of profiles: `audit` tells of copies that are old, `reconcile` brings them."""

import pytest
from django.core.management import call_command

from accounts.profile.writes import edit_profile
from relations.filters import Filters
from relations.friends.writes import end_friendship
from relations.models import Relation, RelationType
from relations.reads import list_relations
from socialsite.table import change, get, keys
from tests.looks import broken_invariants
from tests.relations.relations import befriend

OLD = "relations copy what profiles say"


@pytest.fixture
def friendship(alice, bob, carol):
    """Alice's friendship with Bob of Köln, without any copy, as demo data had it until 2026-11; Carol ended hers."""
    edit_profile(by=bob, bio="", location="Köln", gender="he/him")
    befriend(alice, bob)
    befriend(carol, bob)
    end_friendship(by=carol, user_id=bob.user_id)
    key = keys.relation(alice.user_id, RelationType.FRIEND, bob.user_id)
    copies = (
        Relation.location,
        Relation.gender,
        Relation.folded_location,
        Relation.folded_gender,
    )
    change(Relation, key, [one.remove() for one in copies])
    return key


def test_old_copies_are_told_and_brought_up_to_date(friendship, alice, bob, carol):
    assert broken_invariants()[OLD] == [f"{alice.user_id} → {bob.user_id}"]
    call_command("reconcile")
    assert OLD not in broken_invariants()
    found = list_relations(
        alice, RelationType.FRIEND, filters=Filters(location="koln", gender="he")
    )
    assert [card.person.handle for card in found.items] == ["bob"]
    ended = get(Relation, keys.relation(carol.user_id, RelationType.FRIEND, bob.user_id))
    assert ended.delete_status


def test_copies_from_before_they_were_folded_break_nothing(friendship, alice):
    plain = [Relation.location.set("Köln"), Relation.gender.set("he/him")]
    change(Relation, friendship, plain)
    assert OLD not in broken_invariants()
    call_command("reconcile")
    assert get(Relation, friendship).folded_location == "koln"
