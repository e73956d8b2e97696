"""A member of staff's own desk: the note for the next shift, saved lists, and handing everything over."""

from datetime import timedelta

import pytest

from accounts.permissions import JUNIOR, Permission, grant_role, save_role
from moderation.cases.queue_place import QueuePlace, QueueTab
from moderation.cases.reads import read_case
from moderation.cases.writes import assign_case, claim_case
from moderation.desks import reads, writes
from moderation.desks.reads import LASTS, get_desk_top
from moderation.desks.writes import (
    HAND_OVER,
    MOST_FILTERS,
    hand_over,
    pass_all_on,
    pass_on,
    remove_filter,
    save_filter,
    write_shift_note,
)
from moderation.models import CaseNote, Queue
from moderation.seniors.writes import ask_senior
from moderation.staff.writes import TooMany
from socialsite.clock import utc_now
from socialsite.models import Staff
from socialsite.table import NotFound, change, get, keys, query, row
from tests.conftest import person
from tests.looks import broken_invariants
from tests.moderation.cases import QUEUE, about, index, report, reported_people, rows
from tests.moderation.staff import after, hears, let_pass, logged, planned
from tests.web.html import Html

REPORTS = keys.queue(Queue.REPORTS)
DESK = "/moderation/desk"


@pytest.fixture
def desk_of_three(alice, mod):
    people = reported_people(3, by=alice)
    for one in people:
        assign_case(by=mod, case_id=about(one), moderator_id=mod.user_id)
    return people


def notes_of(person_) -> list[str]:
    between = "note#", "note$"
    return [row(CaseNote, raw).text for raw in query(about(person_).key.pk, between=between)]


# Handing over


def test_all_cases_of_a_desk_go_to_a_colleague_with_the_note(desk_of_three, mod, mei, drain_stream):
    assert hand_over(by=mod, moderator_id=mei.user_id, text="I am ill.") == 3
    wanted = {about(one) for one in desk_of_three}
    assert set(index(mod, mei)[keys.desk(mei.user_id)]) == wanted
    assert [notes_of(one) for one in desk_of_three] == [["I am ill."]] * 3
    actions = [action for _, action, _ in logged()]
    assert actions[-4:] == ["hand over", "assign", "assign", "assign"]
    drain_stream()
    assert hears(mei)[0] == "3 cases were assigned to you"


def test_or_back_to_their_queues(desk_of_three, mod):
    hand_over(by=mod, moderator_id="", text="")
    assert index(mod).keys() == {REPORTS}


def test_pressed_twice_it_is_done_once(desk_of_three, mod, mei):
    hand_over(by=mod, moderator_id=mei.user_id, text="")
    before = logged()
    assert hand_over(by=mod, moderator_id=mei.user_id, text="") == 0
    assert logged() == before


def test_what_a_colleague_may_not_have_goes_back_to_its_queue(alice, bob, carol, mod, admin, table):
    kim = person("kim", "Kim", role=JUNIOR)
    save_role(by=admin, name="greeter", title="Greeter", permissions=[Permission.SIGN_UPS])
    greeter = person("greeter", role="greeter")
    for one in (bob, kim):
        report(alice, one)
        assign_case(by=mod, case_id=about(one), moderator_id=mod.user_id)
    ask_senior(by=mod, case_id=about(bob), text="?")
    assign_case(by=mod, case_id=about(bob), moderator_id=mod.user_id)
    hand_over(by=mod, moderator_id=kim.user_id, text="")
    assert index(mod, kim) == {
        keys.queue(Queue.SENIORS): [about(bob)],  # a junior may not have it
        REPORTS: [about(kim)],  # it is about them
    }
    assign_case(by=mod, case_id=about(kim), moderator_id=mod.user_id)
    hand_over(by=mod, moderator_id=greeter.user_id, text="")
    assert about(kim) in index(greeter)[REPORTS]


def test_a_colleague_who_has_just_left_gets_nothing(desk_of_three, mod, mei, admin):
    grant_role(by=admin, user_id=mei.user_id, role="")
    hand_over(by=mod, moderator_id=mei.user_id, text="")
    assert index(mod, mei).keys() == {REPORTS}


def test_reviews_of_who_hands_over_end(desk_of_three, mod, mei):
    case_id = about(desk_of_three[0])
    claim_case(by=mod, case_id=case_id)
    hand_over(by=mod, moderator_id=mei.user_id, text="")
    assert read_case(case_id).claimed_by is None


def test_a_case_that_a_colleague_took_meanwhile_stays_with_them(desk_of_three, mod, mei, admin):
    case_id = about(desk_of_three[0])
    assign_case(by=admin, case_id=case_id, moderator_id=admin.user_id)
    assert not pass_on(case_id.key, of=mod.user_id, to=mei.user_id, text="")
    assert read_case(case_id).assigned_to == admin.user_id


def test_of_many_the_clock_hands_over_the_rest(desk_of_three, mod, mei, monkeypatch, drain_stream):
    monkeypatch.setattr(writes, "AT_ONCE", 2)
    assert hand_over(by=mod, moderator_id=mei.user_id, text="All") == 2
    [due] = planned(HAND_OVER)
    assert due.facts["to"] == mei.user_id
    for _ in range(2):
        pass_all_on(of=mod.user_id, to=mei.user_id, text="All")
    let_pass(after(seconds=1))
    assert planned(HAND_OVER) == []
    assert [notes_of(one) for one in desk_of_three] == [["All"]] * 3
    drain_stream()
    let_pass(after(minutes=5))
    assert broken_invariants() == {}


def test_the_page_hands_over_and_refuses_whom_it_does_not_name(
    desk_of_three, alice, mod, mei, log_in
):
    browser = log_in(mod)
    page = browser.get(DESK).content.decode()
    assert "Hand over all cases" in page
    refused = browser.post(f"{DESK}/give", {"to": alice.user_id, "note": "I am ill."})
    assert refused.status_code == 422
    assert "I am ill." in refused.content.decode()
    done = browser.post(f"{DESK}/give", {"to": mei.user_id, "note": ""}, follow=True)
    assert "3 cases handed over." in done.content.decode()
    again = browser.post(f"{DESK}/give", {"to": mei.user_id, "note": ""}, follow=True)
    assert "Your desk is empty." in again.content.decode()
    assert sorted(rows(log_in(mei).get(f"{QUEUE}?queue=mine"))) == sorted(
        one.handle for one in desk_of_three
    )


# The note for the next shift


def test_others_read_a_note_above_the_queue_with_author_and_time(mod, mei, log_in):
    log_in(mod).post(f"{DESK}/note", {"text": "Spam wave from Oslo.\nBe kind."})
    page = log_in(mei).get(QUEUE)
    [note] = [one for one in Html(page).all("p", class_="banner") if "Oslo" in one.text]
    assert "Mod" in note.text
    assert "<time" in page.content.decode()


def test_a_note_ends_by_itself(mod, mei):
    write_shift_note(by=mod, text="Spam wave")
    assert [one.text for one in get_desk_top(mei).notes] == ["Spam wave"]
    let_pass(after(days=2))
    assert get_desk_top(mei).notes
    let_pass(after(days=3, seconds=1))
    assert get(Staff, keys.staff_member(mod.user_id)).shift_note is None


def test_it_is_not_shown_once_its_time_is_over_however_late_the_clock_is(mod, mei):
    write_shift_note(by=mod, text="Spam wave")
    ended = (utc_now() - LASTS).isoformat()
    change(Staff, keys.staff_member(mod.user_id), [Staff.noted_at.set(ended)])
    assert get_desk_top(mei).notes == []
    assert get_desk_top(mod).own_note == ""


def test_a_newer_note_outlives_the_end_of_the_one_before(mod):
    write_shift_note(by=mod, text="First")
    earlier = get(Staff, keys.staff_member(mod.user_id)).noted_at
    write_shift_note(by=mod, text="Second")
    assert get(Staff, keys.staff_member(mod.user_id)).noted_at != earlier
    change(Staff, keys.staff_member(mod.user_id), [Staff.noted_at.set(after(days=1).isoformat())])
    let_pass(after(days=3, minutes=1))
    assert get(Staff, keys.staff_member(mod.user_id)).shift_note == "Second"


def test_an_empty_one_takes_it_back_and_a_lost_role_too(mod, mei, admin):
    write_shift_note(by=mod, text="First")
    write_shift_note(by=mod, text="")
    assert get_desk_top(mei).notes == []
    write_shift_note(by=mod, text="Again")
    grant_role(by=admin, user_id=mod.user_id, role="")
    assert get_desk_top(mei).notes == []
    with pytest.raises(NotFound):
        write_shift_note(by=mod, text="Once more")


def test_the_newest_five_are_shown(table, mod, monkeypatch):
    monkeypatch.setattr(reads, "MOST_NOTES", 2)
    for number in range(3):
        write_shift_note(by=person(f"staff{number}", role="moderator"), text=f"Note {number}")
    assert [one.text for one in get_desk_top(mod).notes] == ["Note 2", "Note 1"]


def test_it_costs_one_call_and_two_with_notes(mod, mei, measure):
    with measure() as meter:
        get_desk_top(mod)
    assert [call.operation for call in meter.calls] == ["Query"]
    for one in (mod, mei):
        write_shift_note(by=one, text="Note")
    with measure() as meter:
        get_desk_top(mod)
    assert [call.operation for call in meter.calls] == ["Query", "BatchGetItem"]
    assert sum(call.units for call in meter.calls) <= 2


# Saved lists


def test_a_list_is_saved_under_a_name_and_its_address_is_for_everyone(mod, mei, log_in):
    browser = log_in(mod)
    asked = "queue=reports&severity=1&language=de&reason=violence&order=pressing"
    saved = browser.post(f"{DESK}/lists?{asked}", {"name": "German <threats>"})
    assert saved.status_code == 302
    page = Html(browser.get(QUEUE))
    [chip] = [one for one in page.all("a", class_="chip") if one.text == "German <threats>"]
    assert log_in(mei).get(chip["href"]).status_code == 200
    assert chip["href"].endswith(asked)
    assert get_desk_top(mei).filters == []


def test_the_same_name_again_replaces_it_and_there_are_few(mod):
    place = QueuePlace(QueueTab.REPORTS, 1)
    for number in range(MOST_FILTERS):
        save_filter(by=mod, name=f"List {number}", place=place)
    save_filter(by=mod, name="List 0", place=QueuePlace(QueueTab.MINE))
    assert dict(get_desk_top(mod).filters)["List 0"].endswith("queue=mine")
    with pytest.raises(TooMany):
        save_filter(by=mod, name="One more", place=place)


def test_a_name_that_is_missing_or_one_too_many_is_said_beside_the_field(mod, log_in):
    browser = log_in(mod)
    assert browser.post(f"{DESK}/lists?queue=reports", {"name": ""}).status_code == 422
    assert browser.post(f"{DESK}/lists?queue=nowhere", {"name": "x"}).status_code == 400
    for number in range(MOST_FILTERS):
        save_filter(by=mod, name=f"List {number}", place=QueuePlace(QueueTab.REPORTS))
    full = browser.post(f"{DESK}/lists?queue=reports", {"name": "One more"})
    assert full.status_code == 422
    assert "Remove one first" in full.content.decode()
    assert "One more" in full.content.decode()


def test_a_list_whose_address_no_page_has_any_more_is_left_out(mod, log_in):
    save_filter(by=mod, name="Gone", place=QueuePlace(QueueTab.REPORTS, language="tlh"))
    assert get_desk_top(mod).filters == []
    assert log_in(mod).get(QUEUE).status_code == 200


def test_it_is_removed_once(mod, log_in):
    save_filter(by=mod, name="Mine", place=QueuePlace(QueueTab.MINE))
    browser = log_in(mod)
    for _ in range(2):
        assert browser.post(f"{DESK}/lists/remove", {"name": "Mine"}).status_code == 302
    assert get_desk_top(mod).filters == []
    remove_filter(by=mod, name="Mine")


def test_a_desk_is_for_the_staff_alone(alice, log_in):
    browser = log_in(alice)
    assert browser.get(DESK).status_code == 404
    for path in ("note", "give", "lists", "lists/remove"):
        assert browser.post(f"{DESK}/{path}", {}).status_code == 404


def test_a_note_lasts_three_days():
    assert timedelta(days=3) == LASTS
