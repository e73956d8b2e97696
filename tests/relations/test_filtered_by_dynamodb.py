"""What DynamoDB can compare as it is, it leaves out of its answer: the units stay, the answer is smaller."""

from typing import Any

import pytest

from accounts.profile.writes import edit_profile
from relations.filters import Filters, Pronoun
from relations.friends.writes import create_circle, end_friendship, file_friend
from relations.models import Relation, RelationType
from relations.reads import list_circles, list_relations
from socialsite.table import Call, change, keys, measure
from tests.relations.relations import befriend
from tests.streams.crowd import returning


def friends_asked(viewer, **filters: Any) -> tuple[list[str], Call]:
    """The handles of the list, and the Query for them."""
    viewer = returning(viewer)
    with measure(keep=True) as meter:
        page = list_relations(viewer, RelationType.FRIEND, filters=Filters(**filters))
    return [card.person.handle for card in page.items], meter.calls[0]


@pytest.fixture
def friends(alice, bob, carol):
    befriend(alice, bob)
    befriend(alice, carol)


@pytest.mark.usefixtures("friends")
def test_an_ended_friendship_is_read_and_not_sent(alice, bob):
    end_friendship(by=alice, user_id=bob.user_id)
    handles, call = friends_asked(alice)
    assert handles == ["carol"]
    assert call.answer is not None
    assert (call.answer["Count"], call.answer["ScannedCount"]) == (1, 2)


@pytest.mark.usefixtures("friends")
def test_friends_of_other_circles_are_read_and_not_sent(alice, bob):
    create_circle(by=alice, name="Choir")
    (choir,) = returning(alice).circles
    file_friend(by=returning(alice), user_id=bob.user_id, circles=[choir.circle_id], note="")
    handles, call = friends_asked(alice, tag=choir.circle_id)
    assert handles == ["bob"]
    assert call.answer is not None
    assert (call.answer["Count"], call.answer["ScannedCount"]) == (1, 2)
    assert sum(list_circles(returning(alice)).values()) == 1


@pytest.fixture
def placed(alice, bob, carol):
    """Alice's friends: Bob of Köln and Carol of Leipzig."""
    edit_profile(by=bob, bio="", location="Köln", gender="he/him")
    edit_profile(by=carol, bio="", location="Leipzig", gender="she/her")
    befriend(alice, bob)
    befriend(alice, carol)


@pytest.mark.usefixtures("placed")
@pytest.mark.parametrize(
    "asked", [{"location": "koln"}, {"gender": "he/him"}, {"gender": "He"}, {"location": "öl"}]
)
def test_friends_elsewhere_or_with_other_pronouns_are_read_and_not_sent(alice, asked):
    handles, call = friends_asked(alice, **asked)
    assert handles == ["bob"]
    assert call.answer is not None
    assert (call.answer["Count"], call.answer["ScannedCount"]) == (1, 2)


@pytest.fixture
def speaking(alice, bob, carol, mod):
    """Alice's friends: Bob writes German pronouns, Carol Chinese and English ones, the moderator none."""
    edit_profile(by=bob, bio="", gender="er/ihm")
    edit_profile(by=carol, bio="", gender="她 · she/they")
    for other in (bob, carol, mod):
        befriend(alice, other)


@pytest.mark.usefixtures("speaking")
@pytest.mark.parametrize(
    ("pronoun", "typed", "found"),
    [
        (Pronoun.HE, "", ["bob"]),
        (Pronoun.SHE, "", ["carol"]),
        (Pronoun.THEY, "", ["carol"]),
        (Pronoun.SHE, "they", ["carol"]),
        (Pronoun.HE, "they", []),
        (None, "ihm", ["bob"]),
    ],
)
def test_the_fixed_choice_finds_the_words_of_each_language(alice, pronoun, typed, found):
    handles, call = friends_asked(alice, pronoun=pronoun, gender=typed)
    assert handles == found
    assert call.answer is not None
    assert (call.answer["Count"], call.answer["ScannedCount"]) == (len(found), 3)


@pytest.mark.usefixtures("placed")
def test_copies_from_before_they_were_folded_are_found_too(alice, bob):
    key = keys.relation(alice.user_id, RelationType.FRIEND, bob.user_id)
    change(Relation, key, [Relation.folded_location.remove(), Relation.folded_gender.remove()])
    for asked in ({"location": "koln"}, {"gender": "he"}, {"pronoun": Pronoun.HE}):
        assert friends_asked(alice, **asked)[0] == ["bob"]
    assert friends_asked(alice, location="Berlin")[0] == []


@pytest.mark.usefixtures("friends")
def test_what_is_left_out_costs_the_same(alice, bob):
    _, both = friends_asked(alice)
    end_friendship(by=alice, user_id=bob.user_id)
    _, one = friends_asked(alice)
    assert one.units == both.units
