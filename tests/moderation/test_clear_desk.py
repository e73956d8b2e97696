"""Cases never stay where nobody may open them: a role taken away or made smaller puts them back into their queues."""

from datetime import timedelta

import pytest

from accounts.people.viewer import Viewer
from accounts.permissions import Permission, delete_role, grant_role, save_role
from moderation.cases.reads import THE_SITE, CaseId, read_case
from moderation.cases.writes import AT_ONCE, CannotHave, assign_case, claim_case, clear_desk_by_role
from moderation.models import Case, Queue
from moderation.staff.overview import get_overview
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.table import change, keys
from tests.conftest import person
from tests.moderation.cases import (
    about,
    about_post,
    broken,
    held_post,
    index,
    logged,
    waiting_sign_up,
)
from tests.moderation.queues import report
from tests.streams.records import everything, handle_all, unread

P = Permission


@pytest.fixture
def mei(table) -> Viewer:
    return person("mei", "Mei", role="moderator")


@pytest.fixture
def on_desk(mod, mei, alice, bob, carol) -> dict[str, CaseId]:
    """A report, a held post and a sign-up on Mei's desk."""
    report(bob, by=[carol])
    cases = {
        "report": about(bob),
        "held": about_post(held_post(alice)),
        "sign-up": waiting_sign_up(person("newcomer")),
    }
    for case_id in cases.values():
        assign_case(by=mod, case_id=case_id, moderator_id=mei.user_id)
    return cases


@pytest.fixture
def work(drain_stream):
    """The worker and the clock do what there is to do until some minutes from now."""

    def done(minutes: int = 0) -> None:
        drain_stream()
        do_due(now=utc_now() + timedelta(minutes=minutes, seconds=2))

    return done


def test_without_the_role_all_cases_are_back_in_their_queues(on_desk, admin, mei, work):
    claim_case(by=mei, case_id=on_desk["report"])
    grant_role(by=admin, user_id=mei.user_id, role="")
    work()
    assert index(mei) == {
        keys.queue(Queue.REPORTS): [on_desk["report"]],
        keys.queue(Queue.HELD): [on_desk["held"]],
        keys.queue(Queue.SIGN_UPS): [on_desk["sign-up"]],
    }
    assert read_case(on_desk["report"]).claimed_by is None
    assert broken() == {}


def test_the_log_says_that_the_site_put_them_back_and_says_it_once(
    on_desk, admin, mei, work, log_in
):
    grant_role(by=admin, user_id=mei.user_id, role="")
    work()
    work(minutes=2)
    back = [entry for entry in logged() if entry.action == "put back"]
    assert {entry.case for entry in back} == {str(case_id) for case_id in on_desk.values()}
    assert [entry.moderator_id for entry in back] == [THE_SITE] * len(on_desk)
    page = log_in(admin).get("/moderation/log").content.decode()
    assert page.count("The site returned the case about") == len(on_desk)


def test_the_audit_finds_a_case_that_lies_where_nobody_may_open_it(on_desk, admin, mei, work):
    grant_role(by=admin, user_id=mei.user_id, role="")
    assert "no open case lies on the desk of someone without its permission" in broken()
    work()
    assert broken() == {}


def test_another_role_keeps_what_it_opens(on_desk, admin, mei, work):
    save_role(by=admin, name="door", title="Door", permissions={P.SIGN_UPS})
    grant_role(by=admin, user_id=mei.user_id, role="door")
    work()
    assert index(mei)[keys.desk(mei.user_id)] == [on_desk["sign-up"]]
    assert broken() == {}


def test_a_role_that_permits_less_gives_back_what_everyone_with_it_has(
    mod, admin, bob, carol, work
):
    save_role(by=admin, name="all", title="All", permissions={P.CASES, P.SIGN_UPS})
    helpers = [person(f"helper{number}", role="all") for number in range(2)]
    newcomers = [waiting_sign_up(person(f"newcomer{number}")) for number in range(2)]
    report(bob, by=[carol])
    for helper, case_id in zip(helpers, newcomers, strict=True):
        assign_case(by=mod, case_id=case_id, moderator_id=helper.user_id)
    assign_case(by=mod, case_id=about(bob), moderator_id=helpers[0].user_id)
    save_role(by=admin, name="all", title="All", permissions={P.CASES})
    work()
    assert index(*helpers) == {
        keys.queue(Queue.SIGN_UPS): newcomers,
        keys.desk(helpers[0].user_id): [about(bob)],
    }
    assert broken() == {}


def test_a_role_that_permits_more_or_is_deleted_unused_moves_nothing(on_desk, admin, mei, work):
    save_role(by=admin, name="door", title="Door", permissions={P.SIGN_UPS})
    save_role(by=admin, name="door", title="Door", permissions={P.SIGN_UPS, P.LOG})
    delete_role(by=admin, name="door")
    work()
    assert len(index(mei)[keys.desk(mei.user_id)]) == 3


def test_what_was_assigned_at_that_very_moment_is_put_back_a_minute_later(
    admin, mod, mei, bob, carol, work
):
    grant_role(by=admin, user_id=mei.user_id, role="")
    work()
    report(bob, by=[carol])
    late = [Case.escalated_to.set(keys.desk(mei.user_id)), Case.assigned_to.set(mei.user_id)]
    change(Case, about(bob).key, late)
    work(minutes=2)
    assert index(mei) == {keys.queue(Queue.REPORTS): [about(bob)]}
    assert broken() == {}


def test_nothing_is_assigned_to_someone_whose_role_does_not_open_it(
    on_desk, admin, mod, alice, mei
):
    save_role(by=admin, name="door", title="Door", permissions={P.SIGN_UPS})
    door = person("dora", role="door")
    for moderator in (alice, door):
        with pytest.raises(CannotHave):
            assign_case(by=mod, case_id=on_desk["report"], moderator_id=moderator.user_id)
    assign_case(by=mod, case_id=on_desk["sign-up"], moderator_id=door.user_id)
    assert index(mei, door)[keys.desk(door.user_id)] == [on_desk["sign-up"]]


def test_a_desk_of_very_many_cases_is_cleared_wholly(admin, mod, mei, carol, work):
    for number in range(AT_ONCE + 3):
        report(reported := person(f"person{number:02}"), by=[carol])
        assign_case(by=mod, case_id=about(reported), moderator_id=mei.user_id)
    grant_role(by=admin, user_id=mei.user_id, role="")
    work()
    assert {queue: len(cases) for queue, cases in index(mei).items()} == {
        keys.queue(Queue.REPORTS): AT_ONCE + 3
    }
    assert clear_desk_by_role(mei.user_id) == 0


def test_the_change_of_a_role_handled_twice_plans_the_same(on_desk, admin, mei, drain_stream):
    drain_stream()
    grant_role(by=admin, user_id=mei.user_id, role="")
    records = unread()
    handle_all(records)
    done = everything()
    handle_all(records)
    assert everything() == done


def test_the_overview_counts_every_open_case_wherever_it_is(on_desk, admin, mei, carol, work):
    report(carol, by=[mei])
    assert get_overview().open_cases == "4"
    grant_role(by=admin, user_id=mei.user_id, role="")
    work()
    work()  # for what was put back
    assert get_overview().open_cases == "4"
