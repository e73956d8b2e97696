"""A case that a colleague assigns to a member of staff is told to them: once, on one line, and to nobody else."""

import pytest

from accounts.people.viewer import Viewer
from moderation.cases.writes import assign_case
from tests.conftest import person
from tests.looks import broken_invariants
from tests.moderation.cases import about, waiting_sign_up
from tests.moderation.queues import report
from tests.notifications.told import badge, told
from tests.streams.crowd import returning
from tests.streams.records import handle_all, unread
from tests.web.html import Html


@pytest.fixture
def mei(table) -> Viewer:
    return person("mei", "Mei", role="moderator")


@pytest.fixture
def case(bob, carol):
    report(bob, by=[carol])
    return about(bob)


def test_it_is_told_with_the_way_to_ones_own_cases(mod, mei, case, bob, drain_stream, log_in):
    assign_case(by=mod, case_id=case, moderator_id=mei.user_id)
    drain_stream()
    assert told(returning(mei)) == ["1 case was assigned to you"]
    browser = log_in(mei)
    assert badge(browser) == "1 1 new"
    link = Html(browser.get("/notifications")).one("a", class_="note-answer")
    assert link["href"] == "/moderation/queue?queue=mine"
    assert "@bob" in browser.get(link["href"]).content.decode()
    assert not broken_invariants()


def test_several_are_one_line_and_one_case_counts_once(mod, mei, case, drain_stream):
    other = waiting_sign_up(person("newcomer"))
    for case_id, to in ((case, mei), (case, mod), (case, mei), (other, mei)):
        assign_case(by=mod, case_id=case_id, moderator_id=to.user_id)
    drain_stream()
    assert told(returning(mei)) == ["2 cases were assigned to you"]


def test_what_one_takes_or_puts_back_is_told_to_nobody(mod, mei, case, drain_stream):
    assign_case(by=mod, case_id=case, moderator_id=mod.user_id)
    assign_case(by=mei, case_id=case, moderator_id="")
    drain_stream()
    assert told(returning(mod)) == told(returning(mei)) == []


def test_the_person_whom_it_is_about_hears_nothing_and_is_not_named(
    mod, mei, case, bob, carol, drain_stream
):
    assign_case(by=mod, case_id=case, moderator_id=mei.user_id)
    drain_stream()
    assert told(returning(bob)) == told(returning(carol)) == []
    assert bob.user_id not in str(told(returning(mei)))


def test_the_same_record_twice_enters_the_same(mod, mei, case, drain_stream):
    drain_stream()
    assign_case(by=mod, case_id=case, moderator_id=mei.user_id)
    records = unread()
    first, second = handle_all(records), handle_all(records)
    assert first.plans == second.plans
    assert sum(plan.size for plan in first.plans.values())
