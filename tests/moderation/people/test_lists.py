"""The lists of people for staff: new, restricted, reported, and whom the search finds."""

from datetime import timedelta

import pytest

from accounts.models import UserInfo
from accounts.people.restrictions import FOR_EVER, Restriction
from accounts.profile.writes import change_handle, pause_account
from moderation.cases.writes import assign_case
from moderation.models import ActionKind, PersonEntry
from moderation.people.reads import find_people, list_new_people, list_reported, list_restricted
from moderation.people.stream import list_among_people
from relations.blocks.writes import block
from socialsite.clock import utc_now
from socialsite.streams.change import Change
from socialsite.streams.ledger import Ledger
from socialsite.table import Delete, change, get, keys, query, transact
from socialsite.table.ids import time_of
from tests.conftest import person
from tests.looks import broken_invariants
from tests.moderation.cases import about, decide, report
from tests.moderation.restricting import A_SECOND_AGO, restrict


def handles(page) -> list[str]:
    return [row.person.handle for row in page.items]


def month_of(viewer) -> str:
    """The month in which someone signed up."""
    return f"{time_of(viewer.user_id):%Y-%m}"


def test_everyone_who_signed_up_is_among_the_new_people_the_newest_first(
    alice, bob, carol, drain_stream
):
    assert handles(list_new_people(month_of(alice))) == []
    drain_stream()
    assert handles(list_new_people(month_of(alice))) == ["carol", "bob", "alice"]
    assert handles(list_new_people("2020-01")) == []


def test_more_than_a_page_of_new_people_are_paged_without_losing_anyone(table, drain_stream):
    people = [person(f"person{number}") for number in range(23)]
    month, everyone = month_of(people[0]), [one.card.handle for one in people]
    drain_stream()
    first = list_new_people(month)
    second = list_new_people(month, cursor=first.next_cursor)
    assert [*handles(first), *handles(second)] == everyone[::-1]
    assert second.next_cursor is None


def test_the_restricted_are_listed_by_the_end_of_their_restriction(
    alice, bob, carol, mod, drain_stream
):
    restrict(alice, Restriction.SUSPENDED, lasts=None)
    restrict(bob, Restriction.LIMITED, lasts=timedelta(days=2))
    restrict(carol, Restriction.FROZEN, lasts=timedelta(days=1))
    drain_stream()
    assert handles(list_restricted()) == ["carol", "bob", "alice"]
    assert [word for row in list_restricted().items for word, _ in row.restrictions] == [
        "Frozen",
        "Limited",
        "Suspended",
    ]
    assert broken_invariants() == {}


def test_a_restriction_that_is_lifted_or_over_is_not_listed(alice, bob, drain_stream):
    restrict(alice, Restriction.FROZEN)
    restrict(bob, Restriction.FROZEN, lasts=A_SECOND_AGO)
    drain_stream()
    lifted = [UserInfo.frozen_until.remove()]
    change(UserInfo, keys.user_info(alice.user_id), lifted)
    assert handles(list_restricted()) == []  # before the worker too
    drain_stream()
    assert handles(list_restricted()) == []
    kept = [raw for shard in range(4) for raw in query(keys.restricted_people(shard))]
    assert kept == []
    assert broken_invariants() == {}


def test_the_handler_may_run_twice_and_late(alice, drain_stream):
    drain_stream()
    info = get(UserInfo, keys.user_info(alice.user_id), consistent=True)
    limited = get(UserInfo, info.key, consistent=True)
    limited.limited_until = FOR_EVER
    begun, ended = (
        Change("MODIFY", old, new, "1") for old, new in ((info, limited), (limited, info))
    )
    for one in (begun, ended, begun, ended, begun):  # of which the info says that it is over
        list_among_people(one, Ledger())
        assert handles(list_restricted()) == []
        assert handles(list_new_people(month_of(alice))) == ["alice"]
    assert broken_invariants() == {}


def test_people_who_are_gone_leave_the_lists(alice, drain_stream):
    restrict(alice, Restriction.LIMITED)
    drain_stream()
    transact(Delete(keys.user_info(alice.user_id)))
    drain_stream()
    month = month_of(alice)
    left = [
        raw
        for shard in range(4)
        for part in (keys.new_people(month, shard), keys.restricted_people(shard))
        for raw in query(part)
    ]
    assert left == []


def test_an_entry_of_a_restriction_ends_with_it(alice, drain_stream):
    restrict(alice, Restriction.LIMITED, lasts=timedelta(days=1))
    drain_stream()
    end = get(UserInfo, keys.user_info(alice.user_id)).limited_until
    entry = get(PersonEntry, keys.restricted_person(alice.user_id, str(end)))
    assert abs(entry.ttl - utc_now() - timedelta(days=1)) < timedelta(minutes=1)


def test_the_reported_are_those_with_an_open_case_also_on_a_desk(alice, bob, carol, mod, admin):
    report(carol, alice, rule_id="spam")
    report(carol, bob, rule_id="violence", severity=1)
    assign_case(by=mod, case_id=about(alice), moderator_id=admin.user_id)
    assert handles(list_reported()) == ["bob", "alice"]
    decide(mod, about(bob), ActionKind.WARN, text="No")
    assert handles(list_reported()) == ["alice"]


def test_the_search_finds_people_whom_nobody_else_finds(alice, bob, carol, mod, drain_stream):
    restrict(alice, Restriction.SUSPENDED)
    pause_account(by=bob)
    block(by=carol, user_id=mod.user_id)
    drain_stream()
    assert handles(find_people("ali")) == ["alice"]
    assert handles(find_people("brandt")) == ["bob"]
    assert handles(find_people("@carol")) == ["carol"]
    assert handles(find_people("陈")) == ["carol"]
    assert handles(find_people("nobody")) == []
    assert handles(find_people("…")) == []


def test_a_former_handle_still_finds_its_person(alice, drain_stream):
    change_handle(by=alice, handle="alison")
    drain_stream()
    assert handles(find_people("alice")) == ["alison"]


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_the_lists_cost(alice, bob, carol, drain_stream, measure):
    restrict(alice, Restriction.LIMITED)
    drain_stream()
    for read, calls, units in (
        (lambda: list_new_people(month_of(alice)), 5, 2 + 1.5),
        (list_restricted, 5, 2 + 0.5),
        (list_reported, 3, 1.5),
        (lambda: find_people("alice"), 3, 1.5),
    ):
        with measure() as meter:
            read()
        assert (len(meter.calls), sum(call.units for call in meter.calls)) == (calls, units)
