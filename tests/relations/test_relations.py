"""Relations have a type and attributes; copies of profiles in them follow, and notes are sealed."""

from typing import Any

import pytest
from django.core.management import call_command

from accounts.encryption.person_keys import NoPersonKey, erasing_person_key
from accounts.models import UserInfo
from accounts.profile.writes import edit_profile
from relations import stream_handlers
from relations.checks import RelationInvariants
from relations.filters import Filters, Pronoun
from relations.friends.writes import (
    accept_friend,
    create_circle,
    end_friendship,
    file_friend,
    request_friend,
)
from relations.models import Relation, RelationType
from relations.reads import list_circles, list_relating, list_relations
from relations.relation import (
    AlreadyRelated,
    CannotRelateToYourself,
    NotRelated,
    create_relation,
    delete_relation,
    note_of,
    seal_earlier_note,
    update_relation,
)
from socialsite.process_state import reset_process_state
from socialsite.streams.models import Job, JobKind
from socialsite.table import (
    BadCursor,
    Call,
    Item,
    NotFound,
    change,
    fetch,
    get,
    keys,
    measure,
    transact,
    write_batch,
)
from socialsite.table.ids import new_id
from socialsite.table.reading import scan
from tests.accounts.scenes import make_from_before
from tests.conftest import person
from tests.relations.scenes import befriend, relationship
from tests.streams.crowd import jobs, returning

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


# What a relation copied of the other person follows their profile, by a job of the stream worker.


@pytest.fixture
def noted(alice, bob, carol, drain_stream):
    """Alice is Bob's friend, Carol has him as a favourite."""
    request_friend(by=alice, user_id=bob.user_id)
    accept_friend(by=bob, user_id=alice.user_id)
    create_relation(by=carol, relation_type=RelationType.FAVOURITE, user_id=bob.user_id)
    drain_stream()


def place(viewer, kind, other):
    return get(Relation, keys.relation(viewer.user_id, kind, other.user_id)).location


def moves(viewer, location):
    edit_profile(by=viewer, name=viewer.name, bio="", location=location)


def test_friends_and_who_has_a_star_for_them_learn_where_somebody_lives(
    noted, alice, bob, carol, drain_stream
):
    moves(bob, "Leipzig")
    drain_stream()
    assert place(alice, RelationType.FRIEND, bob) == "Leipzig"
    assert place(carol, RelationType.FAVOURITE, bob) == "Leipzig"
    assert not jobs(stream_handlers.JobKind.REFRESH)


def test_what_is_removed_from_the_profile_is_removed(noted, alice, bob, drain_stream):
    for location in ("Leipzig", ""):
        moves(bob, location)
        drain_stream()
    assert place(alice, RelationType.FRIEND, bob) is None


def test_the_order_in_lists_stays(noted, alice, bob, drain_stream):
    key = keys.relation(alice.user_id, RelationType.FRIEND, bob.user_id)
    before = get(Relation, key).update_time
    moves(bob, "Leipzig")
    drain_stream()
    assert get(Relation, key).update_time == before


def test_an_ended_relation_keeps_what_it_had(noted, bob, carol, drain_stream):
    delete_relation(by=carol, relation_type=RelationType.FAVOURITE, user_id=bob.user_id)
    moves(bob, "Leipzig")
    drain_stream()
    assert place(carol, RelationType.FAVOURITE, bob) is None


def test_many_are_refreshed_step_by_step(noted, bob, drain_stream, monkeypatch):
    monkeypatch.setattr(stream_handlers, "PEOPLE_A_STEP", 3)
    fans = [person(f"fan{number}") for number in range(7)]
    for fan in fans:
        create_relation(by=fan, relation_type=RelationType.FAVOURITE, user_id=bob.user_id)
    moves(bob, "Leipzig")
    drain_stream()
    assert {place(fan, RelationType.FAVOURITE, bob) for fan in fans} == {"Leipzig"}


def test_one_that_its_owner_changes_between_two_steps_is_refreshed_too(
    noted, bob, drain_stream, monkeypatch
):
    """Its `update_time` moves it to the end of the index."""
    monkeypatch.setattr(stream_handlers, "PEOPLE_A_STEP", 2)
    fans = [person(f"fan{number}") for number in range(5)]
    for fan in fans:
        create_relation(by=fan, relation_type=STAR, user_id=bob.user_id)
    moves(bob, "Leipzig")
    cursors = ["2"]
    while cursors[-1]:
        job = Job.new(kind=JobKind.REFRESH, job_id="j", subject_id=bob.user_id, cursor=cursors[-1])
        cursors.append(stream_handlers.refresh_step(job).cursor or "")
        for fan in fans[len(cursors) - 1 :: 2]:  # of those that are still to come
            update_relation(by=fan, relation_type=STAR, user_id=bob.user_id, tags={"x"})
        assert len(cursors) < 20
    assert {place(fan, STAR, bob) for fan in fans} == {"Leipzig"}


def test_a_job_that_an_older_site_began_at_the_newest_goes_over_all(
    noted, bob, carol, drain_stream
):
    moves(bob, "Leipzig")
    oldest = "2 2020-01-01T00:00:00+00:00"  # all after that were done, and none was before
    job = Job.new(kind=JobKind.REFRESH, job_id="j", subject_id=bob.user_id, cursor=oldest)
    stream_handlers.refresh_step(job)
    assert place(carol, STAR, bob) == "Leipzig"


def test_other_changes_of_the_profile_enter_no_job(noted, bob, drain_stream, measure):
    edit_profile(by=bob, name="Robert", bio="Hello", location="")
    drain_stream()
    assert not jobs(stream_handlers.JobKind.REFRESH)


# What DynamoDB can compare as it is, it leaves out of its answer: the units stay, the answer is smaller.


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


# Private notes on people are sealed with the key of the person who wrote them, and only that person reads them.

NOTE = "Likes tea, 不喝咖啡"
FRIEND = RelationType.FRIEND


@pytest.fixture
def noted_friend(alice, bob):
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


@pytest.mark.usefixtures("friends")
def test_the_table_holds_no_note_that_can_be_read(noted_friend):
    everything = repr(list(scan()))
    assert "Likes tea" not in everything
    assert repr(NOTE.encode())[2:-1] not in everything
    assert len(get(Relation, noted_friend).note) == len(NOTE.encode()) + 30


@pytest.mark.usefixtures("friends")
def test_its_owner_reads_it_everywhere_and_finds_it(alice, bob, noted_friend):
    assert relationship(alice, bob).note == NOTE
    assert {card.note for card in list_relations(alice, FRIEND).items} == {NOTE, ""}
    found = list_relations(alice, FRIEND, filters=Filters(text="tea"))
    assert [card.person.handle for card in found.items] == ["bob"]


@pytest.mark.usefixtures("friends")
def test_a_page_without_notes_asks_for_no_key(alice, bob, measure):
    reset_process_state()
    with measure() as meter:
        assert relationship(alice, bob).note == ""
        list_relations(alice, FRIEND)
        list_relations(alice, FRIEND, filters=Filters(location="Berlin"))
    assert "open_person_key" not in [call.access_pattern for call in meter.calls]


@pytest.mark.usefixtures("friends")
def test_a_list_of_notes_asks_for_the_key_once(alice, bob, carol, noted_friend, measure):
    file_friend(by=alice, user_id=carol.user_id, circles=[], note="Sings")
    reset_process_state()
    with measure() as meter:
        list_relations(alice, FRIEND, filters=Filters(text="s"))
    asked = [call.units for call in meter.calls if call.access_pattern == "open_person_key"]
    assert asked == [0.5]


@pytest.mark.usefixtures("friends")
@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_a_note_costs_what_the_docs_say(alice, bob, measure):
    for units in ([("GetItem", 0.5), ("TransactWriteItems", 6)], [("TransactWriteItems", 6)]):
        with measure() as meter:
            file_friend(by=alice, user_id=bob.user_id, circles=[], note=NOTE)
        assert [(call.operation, call.units) for call in meter.calls] == units


@pytest.mark.usefixtures("friends")
@pytest.mark.parametrize("whose", ["another friend", "the friend"])
def test_a_note_that_was_copied_elsewhere_shows_nothing(alice, bob, carol, noted_friend, whose):
    copied = [Relation.note.set(get(Relation, noted_friend).note)]
    place = {
        "another friend": keys.relation(alice.user_id, FRIEND, carol.user_id),
        "the friend": keys.relation(bob.user_id, FRIEND, alice.user_id),
    }[whose]
    change(Relation, place, copied)
    raw = fetch([place])[place]
    assert note_of(raw, owner_id=raw["user_id"]["S"]) == ""
    # not even with the whole item, which names its first owner
    assert note_of(raw | {"user_id": {"S": alice.user_id}}, owner_id=bob.user_id) == ""


@pytest.mark.usefixtures("friends")
def test_nobody_notes_anything_with_an_erased_key(alice, bob, noted_friend):
    transact(erasing_person_key(alice.user_id))  # by another process
    before = get(Relation, noted_friend).note
    with pytest.raises(NoPersonKey):
        file_friend(by=alice, user_id=bob.user_id, circles=[], note="More")
    assert get(Relation, noted_friend).note == before


@pytest.mark.usefixtures("friends")
def test_without_its_key_a_note_is_gone_and_the_page_is_there(alice, bob, noted_friend, log_in):
    transact(erasing_person_key(alice.user_id))
    reset_process_state()
    answer = log_in(alice).get("/@bob")
    assert answer.status_code == 200
    assert NOTE not in answer.content.decode()


@pytest.mark.usefixtures("friends")
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


@pytest.mark.usefixtures("friends")
def test_notes_on_people_who_are_friends_no_more_are_sealed_too(alice, bob):
    readable_note(alice, bob)
    delete_relation(by=alice, relation_type=FRIEND, user_id=bob.user_id)
    call_command("reencrypt")
    assert unsealed() == []


@pytest.mark.usefixtures("friends")
def test_a_note_that_is_changed_meanwhile_keeps_the_change(alice, bob):
    readable_note(alice, bob)
    key = keys.relation(alice.user_id, FRIEND, bob.user_id)
    raw = fetch([key])[key]
    file_friend(by=alice, user_id=bob.user_id, circles=[], note="Newer")
    assert not seal_earlier_note(raw)
    assert relationship(alice, bob).note == "Newer"


@pytest.mark.usefixtures("friends")
def test_a_new_note_over_one_from_before_is_sealed(alice, bob):
    make_from_before(alice)
    readable_note(alice, bob)
    file_friend(by=alice, user_id=bob.user_id, circles=[], note="Newer")
    assert unsealed() == []
    assert relationship(alice, bob).note == "Newer"
