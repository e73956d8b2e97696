"""Relations have a type and attributes: they are created, filtered, updated, ended softly, and created again."""

import pytest

from accounts.models import UserInfo
from relations.filters import Filters
from relations.models import Relation, RelationType
from relations.reads import list_circles, list_relating, list_relations
from relations.relation import (
    AlreadyRelated,
    CannotRelateToYourself,
    NotRelated,
    create_relation,
    delete_relation,
    note_of,
    update_relation,
)
from socialsite.table import BadCursor, NotFound, change, get, keys, write_batch
from socialsite.table.ids import new_id
from tests.conftest import person
from tests.relations.relations import relationship

STAR = RelationType.FAVOURITE


@pytest.fixture
def starred(alice, bob):
    """Alice has Bob, who lives in Leipzig, as a favourite."""
    info = [UserInfo.location.set("Leipzig"), UserInfo.gender.set("he/him")]
    change(UserInfo, keys.user_info(bob.user_id), info)
    create_relation(
        by=alice, relation_type=STAR, user_id=bob.user_id, tags={"work"}, note="Met in May"
    )
    return get(Relation, keys.relation(alice.user_id, STAR, bob.user_id))


def note(relation: Relation) -> str:
    return note_of(relation.serialize(), owner_id=relation.user_id)


def starred_by(viewer, **filters):
    page = list_relations(viewer, STAR, filters=Filters(**filters))
    return [card.person.handle for card in page.items]


def test_it_keeps_what_was_noted_and_where_the_other_lives(starred, bob):
    assert (starred.tags, note(starred)) == ({"work"}, "Met in May")
    assert (starred.location, starred.gender) == ("Leipzig", "he/him")
    assert starred.created_at == starred.update_time
    assert starred.relation_target == keys.relation_target(STAR, bob.user_id)


def test_twice_is_refused_and_changes_nothing(starred, alice, bob):
    with pytest.raises(AlreadyRelated):
        create_relation(by=alice, relation_type=STAR, user_id=bob.user_id, note="Other")
    assert note(get(Relation, starred.key)) == "Met in May"


def test_nobody_relates_to_oneself_or_to_who_is_gone(alice):
    with pytest.raises(CannotRelateToYourself):
        create_relation(by=alice, relation_type=STAR, user_id=alice.user_id)
    with pytest.raises(NotFound):
        create_relation(by=alice, relation_type=STAR, user_id="01JD0000000000000000000000")


@pytest.mark.parametrize(
    ("filters", "fits"),
    [
        ({"tag": "work"}, True),
        ({"tag": "wor"}, False),
        ({"location": "LEIPZ"}, True),
        ({"location": "Berlin"}, False),
        ({"gender": "He/Him"}, True),
        ({"gender": "she/her"}, False),
        ({"gender": "him"}, True),
        ({"gender": "his"}, False),
        ({"gender": "e/h"}, False),
        ({"text": "may"}, True),
        ({"text": "june"}, False),
        ({"tag": "work", "location": "leipzig", "text": "met"}, True),
        ({"tag": "work", "location": "Berlin"}, False),
    ],
)
def test_a_list_is_filtered_by_tag_location_gender_and_text(starred, alice, filters, fits):
    assert starred_by(alice, **filters) == (["bob"] if fits else [])


def test_tags_and_note_are_updated_one_by_one(starred, alice, bob):
    update_relation(by=alice, relation_type=STAR, user_id=bob.user_id, tags={"home"})
    update_relation(by=alice, relation_type=STAR, user_id=bob.user_id, note="")
    now = get(Relation, starred.key)
    assert (now.tags, now.note) == ({"home"}, None)


def test_an_update_sets_its_time_and_not_the_beginning(starred, alice, bob):
    for change_of in ({"tags": {"home"}}, {"note": "Met in June"}, {"note": ""}):
        before = get(Relation, starred.key)
        update_relation(by=alice, relation_type=STAR, user_id=bob.user_id, **change_of)
        now = get(Relation, starred.key)
        assert now.update_time > before.update_time
        assert now.created_at == starred.created_at


def test_an_end_forgets_tags_and_note_which_nobody_could_delete(starred, alice, bob):
    delete_relation(by=alice, relation_type=STAR, user_id=bob.user_id)
    kept = get(Relation, starred.key)
    assert (kept.tags, kept.note) == (None, None)
    assert kept.created_at == starred.created_at


def test_an_ended_one_is_kept_but_neither_shown_nor_indexed_nor_updated(starred, alice, bob):
    for _ in range(2):
        delete_relation(by=alice, relation_type=STAR, user_id=bob.user_id)
    kept = get(Relation, starred.key)
    assert kept.delete_status
    assert kept.relation_target is None
    assert starred_by(alice) == []
    assert not relationship(alice, bob).is_favourite
    assert not list_relating(bob.user_id, STAR).items
    with pytest.raises(NotRelated):
        update_relation(by=alice, relation_type=STAR, user_id=bob.user_id, note="x")


def test_creating_an_ended_one_again_brings_it_back_with_new_attributes(starred, alice, bob):
    delete_relation(by=alice, relation_type=STAR, user_id=bob.user_id)
    create_relation(by=alice, relation_type=STAR, user_id=bob.user_id, tags={"new"})
    again = get(Relation, starred.key)
    assert (again.delete_status, again.tags, again.note) == (False, {"new"}, None)
    assert again.created_at > starred.created_at
    assert starred_by(alice) == ["bob"]


def test_another_type_with_the_same_person_is_another_relation(starred, alice, bob):
    create_relation(by=alice, relation_type=RelationType.MUTE, user_id=bob.user_id)
    delete_relation(by=alice, relation_type=STAR, user_id=bob.user_id)
    assert relationship(alice, bob).mutes


def test_the_index_tells_who_relates_to_somebody_newest_first_and_in_pages(bob, measure):
    fans = [person(f"fan{number:02}") for number in range(23)]
    for fan in fans:
        create_relation(by=fan, relation_type=STAR, user_id=bob.user_id)
    with measure() as meter:
        first = list_relating(bob.user_id, STAR)
    assert [call.operation for call in meter.calls] == ["Query", "BatchGetItem"]
    second = list_relating(bob.user_id, STAR, cursor=first.next_cursor)
    found = [card.person.handle for page in (first, second) for card in page.items]
    assert found == [fan.handle for fan in fans[::-1]]
    assert second.next_cursor is None


def test_a_long_list_comes_in_pages_and_a_cursor_fits_its_own_list_alone(alice):
    for number in range(23):
        other = person(f"star{number:02}")
        create_relation(by=alice, relation_type=STAR, user_id=other.user_id)
    first = list_relations(alice, STAR)
    second = list_relations(alice, STAR, cursor=first.next_cursor)
    assert (len(first.items), len(second.items)) == (20, 3)
    with pytest.raises(BadCursor):
        list_relations(alice, RelationType.FRIEND, cursor=first.next_cursor)


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_the_first_page_of_1000_relations_costs_what_it_shows(alice, bob, measure):
    create_relation(by=alice, relation_type=STAR, user_id=bob.user_id)
    pattern = get(Relation, keys.relation(alice.user_id, STAR, bob.user_id))
    ids = [new_id() for _ in range(1000)]
    write_batch(puts=[_relation_like(pattern, other_id) for other_id in ids])
    with measure() as meter:
        list_relations(alice, STAR)
    query = next(call for call in meter.calls if call.operation == "Query")
    assert query.units <= 2.5
    assert sum(call.operation == "Query" for call in meter.calls) == 1
    with measure() as meter:
        assert starred_by(alice, text="nothing like that") == []
    assert sum(call.operation == "Query" for call in meter.calls) == 1


def _relation_like(pattern: Relation, other_id: str) -> Relation:
    key = keys.relation(pattern.user_id, STAR, other_id)
    values = pattern.attribute_values | {"other_id": other_id}
    for name in ("pk", "sk", "item_type"):
        values.pop(name, None)
    return Relation(*key, **values)


def test_a_visitor_and_oneself_have_no_bond(alice, measure):
    with measure() as meter:
        assert not relationship(alice, alice).follows
    assert meter.calls == []


def test_circles_are_counted_over_friends_alone(starred, alice):
    assert list_circles(alice) == {}
