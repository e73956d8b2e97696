"""The counts of what waits: made by the clock after each change, mended by the next count, right once all is done."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from accounts.permissions import grant_role
from moderation.cases.writes import assign_case
from moderation.models import ActionKind, Case, Queue, WaitingCount
from moderation.staff.waiting import COUNT, MOST_COUNTED, count_place, list_waiting
from operations.reconcile import reconcile_page
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import plan
from socialsite.table import MOST_BYTES, change, get, item_size, key_of, keys, query, write_batch
from socialsite.table.reading import scan
from tests.looks import broken_invariants
from tests.moderation.cases import about, decide, held_post, report
from tests.moderation.test_overview_page import open_cases
from tests.moderation.waiting import after, let_pass, planned
from tests.streams.records import handle_all, unread
from tests.web.html import Html

RULE = "queues and desks are counted as their cases are, where no count is planned"


def counts() -> dict[str, int]:
    rows = query(keys.waiting(), consistent=True)
    return {raw["place"]["S"]: int(raw["cases"]["N"]) for raw in rows}


def wrong() -> list[str]:
    return broken_invariants().get(RULE, [])


def due(place: str) -> Due:
    item = plan(COUNT, moment=utc_now(), subject=place).item
    assert isinstance(item, Due)
    return item


@pytest.fixture
def counted(alice, bob, mod, count_waiting: Callable[[], None]) -> None:
    report(bob, alice)
    report(alice, bob)
    assign_case(by=mod, case_id=about(bob), moderator_id=mod.user_id)
    count_waiting()


@pytest.mark.usefixtures("counted")
def test_every_queue_and_every_desk_is_counted(mod):
    of_queues = {Queue.REPORTS: 1, Queue.APPEALS: 0, Queue.HELD: 0, Queue.SIGN_UPS: 0}
    assert counts() == {**of_queues, mod.user_id: 1}
    assert wrong() == []


@pytest.mark.usefixtures("counted")
def test_a_change_has_the_places_counted_where_the_case_was_and_is(
    alice, bob, mod, carol, count_waiting
):
    decide(mod, about(bob), ActionKind.DISMISS)
    held_post(carol)
    count_waiting()
    assert (counts()[mod.user_id], counts()[Queue.HELD]) == (0, 1)
    assert list_waiting().queues[Queue.HELD].kinds == {"post": 1}
    assign_case(by=mod, case_id=about(alice), moderator_id=mod.user_id)
    count_waiting()
    assert (counts()[mod.user_id], counts()[Queue.REPORTS]) == (1, 0)
    assert wrong() == []


@pytest.mark.usefixtures("counted")
def test_a_review_changes_no_count_and_plans_none(alice, mod, drain_stream):
    change(Case, about(alice).key, [Case.claimed_by.set(mod.user_id)])
    drain_stream()
    assert planned(COUNT) == []


@pytest.mark.usefixtures("counted")
def test_records_handled_twice_plan_the_same(alice, mod):
    unread()
    decide(mod, about(alice), ActionKind.DISMISS)
    records = unread()
    handle_all(records)
    once = [due.key for due in planned(COUNT)]
    handle_all(records)
    assert [due.key for due in planned(COUNT)] == once
    assert len(once) == 2  # at once, and when the index has caught up


@pytest.mark.usefixtures("counted")
def test_only_a_later_count_replaces_one(alice, mod, monkeypatch):
    decide(mod, about(alice), ActionKind.DISMISS)
    early = (utc_now() - timedelta(minutes=5)).isoformat()
    with monkeypatch.context() as patched:
        patched.setattr("moderation.staff.waiting.utc_now_iso", lambda: early)
        count_place(due(Queue.REPORTS))
    assert counts()[Queue.REPORTS] == 1
    count_place(due(Queue.REPORTS))
    assert counts()[Queue.REPORTS] == 0


@pytest.mark.usefixtures("counted")
def test_the_desk_of_someone_who_leaves_the_staff_is_cleared_and_counted_no_more(
    admin, mod, count_waiting
):
    grant_role(by=admin, user_id=mod.user_id, role="")
    count_waiting()
    count_waiting()  # for what the clock put back
    assert mod.user_id not in counts()
    assert counts()[Queue.REPORTS] == 2
    assert wrong() == []


def test_before_the_first_count_pages_count_themselves(alice, bob, mod):
    report(bob, alice)
    assign_case(by=mod, case_id=about(alice), moderator_id=mod.user_id)
    assert counts() == {}
    waiting = list_waiting()
    assert (waiting.desks[mod.user_id].count, waiting.queues[Queue.REPORTS].count) == (1, 0)
    assert wrong() == []


@pytest.mark.usefixtures("counted")
def test_reconcile_has_everything_counted(alice, mod):
    write_batch(deletes=[key_of(raw) for raw in query(keys.waiting())])
    list(reconcile_page(list(scan()), begun="now"))
    let_pass(after(minutes=2))
    assert counts()[Queue.REPORTS] == counts()[mod.user_id] == 1
    assert wrong() == []


@pytest.mark.usefixtures("counted")
def test_a_wrong_count_is_found(mod):
    key = keys.waiting_count(keys.desk(mod.user_id))
    change(WaitingCount, key, [WaitingCount.cases.set(7)])
    assert len(wrong()) == 1
    write_batch(deletes=[key])
    assert wrong() == [f"{mod.user_id}: 1 cases and no count"]


def test_a_full_queue_says_so_and_its_count_stays_small(mod):
    cases = open_cases(MOST_COUNTED + 30)
    write_batch(puts=cases)
    count_place(due(Queue.REPORTS))
    reports = list_waiting().queues[Queue.REPORTS]
    assert (reports.count_text, len(reports.opened)) == ("200+", MOST_COUNTED)
    oldest = get(WaitingCount, keys.waiting_count(keys.queue(Queue.REPORTS))).oldest
    assert reports.oldest == oldest == cases[-1].opened_at
    assert all(item_size(raw) < MOST_BYTES // 2 for raw in query(keys.waiting()))
    assert wrong() == []


def test_the_page_says_the_same_before_and_after_the_first_count(
    alice, bob, mod, drain_stream, count_waiting, log_in
):
    browser = log_in(mod)
    for reported, days in ((alice, 2), (bob, 9)):
        report(mod, reported)
        opened = (utc_now() - timedelta(days=days, minutes=5)).isoformat()
        change(Case, about(reported).key, [Case.opened_at.set(opened)])
    assign_case(by=mod, case_id=about(bob), moderator_id=mod.user_id)
    drain_stream()
    before = Html(browser.get("/moderation/overview")).one("main").text
    count_waiting()
    assert Html(browser.get("/moderation/overview")).one("main").text == before
    assert "on all desks: 2" in before
