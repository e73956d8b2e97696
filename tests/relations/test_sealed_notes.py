"""Private notes on people are sealed with the key of the person who wrote them, and only that person reads them."""

import pytest
from django.core.management import call_command

from accounts.encryption.person_keys import NoPersonKey, erasing_person_key
from relations.checks import RelationInvariants
from relations.filters import Filters
from relations.friends.writes import file_friend
from relations.models import Relation, RelationType
from relations.reads import list_relations
from relations.relation import delete_relation, note_of, seal_earlier_note
from socialsite.process_state import reset_process_state
from socialsite.table import Item, change, fetch, get, keys, transact
from socialsite.table.reading import scan
from tests.accounts.from_before import make_from_before
from tests.relations.relations import befriend, relationship

NOTE = "Likes tea, 不喝咖啡"
FRIEND = RelationType.FRIEND


@pytest.fixture(autouse=True)
def friends(alice, bob, carol):
    befriend(alice, bob)
    befriend(alice, carol)


@pytest.fixture
def noted(alice, bob):
    """Alice's friendship with Bob, with a note."""
    file_friend(by=alice, user_id=bob.user_id, circles=[], note=NOTE)
    return keys.relation(alice.user_id, FRIEND, bob.user_id)


def readable_note(viewer, friend) -> None:
    """Writes a note as it was before people had keys."""
    key = keys.relation(viewer.user_id, FRIEND, friend.user_id)
    change(Relation, key, [Relation.note.set({"S": NOTE})])


def unsealed() -> list[str]:
    invariants = RelationInvariants()
    for raw in scan():
        invariants.add(Item.from_raw_data(raw))
    return invariants.results()["notes on people are sealed with a key that is there"]


def test_the_table_holds_no_note_that_can_be_read(noted):
    everything = repr(list(scan()))
    assert "Likes tea" not in everything
    assert repr(NOTE.encode())[2:-1] not in everything
    assert len(get(Relation, noted).note) == len(NOTE.encode()) + 30


def test_its_owner_reads_it_everywhere_and_finds_it(alice, bob, noted):
    assert relationship(alice, bob).note == NOTE
    assert {card.note for card in list_relations(alice, FRIEND).items} == {NOTE, ""}
    found = list_relations(alice, FRIEND, filters=Filters(text="tea"))
    assert [card.person.handle for card in found.items] == ["bob"]


def test_a_page_without_notes_asks_for_no_key(alice, bob, measure):
    reset_process_state()
    with measure() as meter:
        assert relationship(alice, bob).note == ""
        list_relations(alice, FRIEND)
        list_relations(alice, FRIEND, filters=Filters(location="Berlin"))
    assert "open_person_key" not in [call.access_pattern for call in meter.calls]


def test_a_list_of_notes_asks_for_the_key_once(alice, bob, carol, noted, measure):
    file_friend(by=alice, user_id=carol.user_id, circles=[], note="Sings")
    reset_process_state()
    with measure() as meter:
        list_relations(alice, FRIEND, filters=Filters(text="s"))
    asked = [call.units for call in meter.calls if call.access_pattern == "open_person_key"]
    assert asked == [0.5]


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_a_note_costs_what_the_docs_say(alice, bob, measure):
    for units in ([("GetItem", 0.5), ("TransactWriteItems", 6)], [("TransactWriteItems", 6)]):
        with measure() as meter:
            file_friend(by=alice, user_id=bob.user_id, circles=[], note=NOTE)
        assert [(call.operation, call.units) for call in meter.calls] == units


@pytest.mark.parametrize("whose", ["another friend", "the friend"])
def test_a_note_that_was_copied_elsewhere_shows_nothing(alice, bob, carol, noted, whose):
    copied = [Relation.note.set(get(Relation, noted).note)]
    place = {
        "another friend": keys.relation(alice.user_id, FRIEND, carol.user_id),
        "the friend": keys.relation(bob.user_id, FRIEND, alice.user_id),
    }[whose]
    change(Relation, place, copied)
    raw = fetch([place])[place]
    assert note_of(raw, owner_id=raw["user_id"]["S"]) == ""
    # not even with the whole item, which names its first owner
    assert note_of(raw | {"user_id": {"S": alice.user_id}}, owner_id=bob.user_id) == ""


def test_nobody_notes_anything_with_an_erased_key(alice, bob, noted):
    transact(erasing_person_key(alice.user_id))  # by another process
    before = get(Relation, noted).note
    with pytest.raises(NoPersonKey):
        file_friend(by=alice, user_id=bob.user_id, circles=[], note="More")
    assert get(Relation, noted).note == before


def test_without_its_key_a_note_is_gone_and_the_page_is_there(alice, bob, noted, log_in):
    transact(erasing_person_key(alice.user_id))
    reset_process_state()
    answer = log_in(alice).get("/@bob")
    assert answer.status_code == 200
    assert NOTE not in answer.content.decode()


def test_a_note_from_before_is_shown_found_and_sealed_by_reencrypt(alice, bob):
    make_from_before(alice)
    readable_note(alice, bob)
    assert relationship(alice, bob).note == NOTE
    assert list_relations(alice, FRIEND, filters=Filters(text="tea")).items
    assert len(unsealed()) == 1
    call_command("reencrypt")
    assert unsealed() == []
    assert relationship(alice, bob).note == NOTE
    before = list(scan())
    call_command("reencrypt")
    assert list(scan()) == before


def test_notes_on_people_who_are_friends_no_more_are_sealed_too(alice, bob):
    readable_note(alice, bob)
    delete_relation(by=alice, relation_type=FRIEND, user_id=bob.user_id)
    call_command("reencrypt")
    assert unsealed() == []


def test_a_note_that_is_changed_meanwhile_keeps_the_change(alice, bob):
    readable_note(alice, bob)
    key = keys.relation(alice.user_id, FRIEND, bob.user_id)
    raw = fetch([key])[key]
    file_friend(by=alice, user_id=bob.user_id, circles=[], note="Newer")
    assert not seal_earlier_note(raw)
    assert relationship(alice, bob).note == "Newer"


def test_a_new_note_over_one_from_before_is_sealed(alice, bob):
    make_from_before(alice)
    readable_note(alice, bob)
    file_friend(by=alice, user_id=bob.user_id, circles=[], note="Newer")
    assert unsealed() == []
    assert relationship(alice, bob).note == "Newer"
