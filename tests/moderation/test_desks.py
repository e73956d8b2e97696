"""Looking at a case, putting it on one's desk, and desks that nobody may open any more."""

from datetime import timedelta
from functools import partial

import pytest

from accounts.people.viewer import Viewer
from accounts.permissions import Permission, delete_role, grant_role, save_role
from moderation.cases.reads import THE_SITE, CaseId, CaseMoved, read_case
from moderation.cases.writes import (
    AT_ONCE,
    CannotHave,
    Claimed,
    assign_case,
    claim_case,
    clear_desk_by_role,
    leave_case,
)
from moderation.models import ActionKind, Case, Queue
from moderation.staff.overview import get_overview
from socialsite.clock import utc_now, utc_now_iso
from socialsite.due.work import do_due
from socialsite.table import NotFound, change, keys
from tests.conftest import HTMX, person
from tests.injected.faults import IS_LONG
from tests.moderation.cases import (
    QUEUE,
    about,
    about_post,
    broken,
    decide,
    held_post,
    index,
    let_claim_lapse,
    logged,
    report,
    report_by_each,
    reported_people,
    rows,
    version_of,
    waiting_sign_up,
)
from tests.streams.records import everything, handle_all, unread
from tests.together import together
from tests.web.html import Html

ROUNDS = 500 if IS_LONG else 50


@pytest.fixture
def case_id(alice, bob):
    report(alice, bob)
    return about(bob)


def looks(case_id) -> str | None:
    return read_case(case_id).claimed_by


def test_who_looks_at_a_case_has_it_for_a_while(mod, mei, case_id):
    version = read_case(case_id).version
    claim_case(by=mod, case_id=case_id)
    assert looks(case_id) == mod.user_id
    assert read_case(case_id).claimed_until > utc_now_iso()
    with pytest.raises(Claimed):
        claim_case(by=mei, case_id=case_id)
    claim_case(by=mod, case_id=case_id)
    assert read_case(case_id).version == version
    assert broken() == {}


def test_a_claim_lapses(mod, mei, case_id):
    claim_case(by=mod, case_id=case_id)
    let_claim_lapse(case_id)
    claim_case(by=mei, case_id=case_id)
    assert looks(case_id) == mei.user_id
    with pytest.raises(Claimed):
        claim_case(by=mod, case_id=case_id)


def test_who_leaves_lets_the_next_one_look(mod, mei, case_id):
    claim_case(by=mod, case_id=case_id)
    leave_case(by=mei, case_id=case_id)
    assert looks(case_id) == mod.user_id
    leave_case(by=mod, case_id=case_id)
    leave_case(by=mod, case_id=case_id)
    assert looks(case_id) is None
    claim_case(by=mei, case_id=case_id)


def test_of_two_who_reach_for_a_case_one_has_it_each_time(mod, mei, case_id):
    for _ in range(ROUNDS):
        results = together(*(partial(claim_case, by=by, case_id=case_id) for by in (mod, mei)))
        assert sorted(map(repr, map(type, results))) == sorted(map(repr, (type(None), Claimed)))
        winner = (mod, mei)[results.index(None)]
        assert looks(case_id) == winner.user_id
        leave_case(by=winner, case_id=case_id)


def test_nobody_looks_at_a_closed_case_or_at_none(alice, mod, case_id):
    decide(mod, case_id, ActionKind.DISMISS)
    for one in (case_id, about(alice)):
        with pytest.raises(NotFound):
            claim_case(by=mod, case_id=one)
        with pytest.raises(NotFound):
            assign_case(by=mod, case_id=one, moderator_id=mod.user_id)
        leave_case(by=mod, case_id=one)


def test_a_case_lies_in_one_place_in_its_queue_or_on_a_desk(mod, mei, case_id):
    for to in (mei, mod):
        assign_case(by=mod, case_id=case_id, moderator_id=to.user_id)
        assert index(mod, mei) == {keys.desk(to.user_id): [case_id]}
    assign_case(by=mei, case_id=case_id, moderator_id="")
    assert index(mod, mei) == {keys.queue(Queue.REPORTS): [case_id]}
    assert [entry.action for entry in logged()] == ["assign", "assign", "put back"]
    assert broken() == {}


def test_a_case_on_a_desk_stays_there_when_more_report(carol, bob, mod, mei, case_id):
    assign_case(by=mod, case_id=case_id, moderator_id=mei.user_id)
    report(carol, bob, severity=1)
    assert index(mei) == {keys.desk(mei.user_id): [case_id]}
    assert broken() == {}


def test_a_case_that_is_closed_lies_on_no_desk_when_it_opens_again(carol, bob, mod, mei, case_id):
    assign_case(by=mod, case_id=case_id, moderator_id=mei.user_id)
    decide(mei, case_id, ActionKind.DISMISS)
    assert index(mei) == {}
    report(carol, bob)
    assert index(mei) == {keys.queue(Queue.REPORTS): [case_id]}


def test_a_case_that_somebody_looks_at_is_put_on_a_desk_by_them_alone(mod, mei, case_id):
    claim_case(by=mei, case_id=case_id)
    with pytest.raises(CaseMoved):
        assign_case(by=mod, case_id=case_id, moderator_id=mod.user_id)
    assign_case(by=mei, case_id=case_id, moderator_id=mod.user_id)
    assert index(mod) == {keys.desk(mod.user_id): [case_id]}
    assert looks(case_id) is None


# Cases never stay where nobody may open them: a role taken away or made smaller puts them back into their queues.

P = Permission


@pytest.fixture
def mei_the_moderator(table) -> Viewer:
    return person("mei", "Mei", role="moderator")


@pytest.fixture
def on_desk(mod, mei_the_moderator, alice, bob, carol) -> dict[str, CaseId]:
    """A report, a held post and a sign-up on Mei's desk."""
    report_by_each(bob, by=[carol])
    cases = {
        "report": about(bob),
        "held": about_post(held_post(alice)),
        "sign-up": waiting_sign_up(person("newcomer")),
    }
    for case_id in cases.values():
        assign_case(by=mod, case_id=case_id, moderator_id=mei_the_moderator.user_id)
    return cases


@pytest.fixture
def work(drain_stream):
    """The worker and the clock do what there is to do until some minutes from now."""

    def done(minutes: int = 0) -> None:
        drain_stream()
        do_due(now=utc_now() + timedelta(minutes=minutes, seconds=2))

    return done


def test_without_the_role_all_cases_are_back_in_their_queues(
    on_desk, admin, mei_the_moderator, work
):
    claim_case(by=mei_the_moderator, case_id=on_desk["report"])
    grant_role(by=admin, user_id=mei_the_moderator.user_id, role="")
    work()
    assert index(mei_the_moderator) == {
        keys.queue(Queue.REPORTS): [on_desk["report"]],
        keys.queue(Queue.HELD): [on_desk["held"]],
        keys.queue(Queue.SIGN_UPS): [on_desk["sign-up"]],
    }
    assert read_case(on_desk["report"]).claimed_by is None
    assert broken() == {}


def test_the_log_says_that_the_site_put_them_back_and_says_it_once(
    on_desk, admin, mei_the_moderator, work, log_in
):
    grant_role(by=admin, user_id=mei_the_moderator.user_id, role="")
    work()
    work(minutes=2)
    back = [entry for entry in logged() if entry.action == "put back"]
    assert {entry.case for entry in back} == {str(case_id) for case_id in on_desk.values()}
    assert [entry.moderator_id for entry in back] == [THE_SITE] * len(on_desk)
    page = log_in(admin).get("/moderation/log").content.decode()
    assert page.count("The site returned the case about") == len(on_desk)


def test_the_audit_finds_a_case_that_lies_where_nobody_may_open_it(
    on_desk, admin, mei_the_moderator, work
):
    grant_role(by=admin, user_id=mei_the_moderator.user_id, role="")
    assert "no open case lies on the desk of someone without its permission" in broken()
    work()
    assert broken() == {}


def test_another_role_keeps_what_it_opens(on_desk, admin, mei_the_moderator, work):
    save_role(by=admin, name="door", title="Door", permissions={P.SIGN_UPS})
    grant_role(by=admin, user_id=mei_the_moderator.user_id, role="door")
    work()
    assert index(mei_the_moderator)[keys.desk(mei_the_moderator.user_id)] == [on_desk["sign-up"]]
    assert broken() == {}


def test_a_role_that_permits_less_gives_back_what_everyone_with_it_has(
    mod, admin, bob, carol, work
):
    save_role(by=admin, name="all", title="All", permissions={P.CASES, P.SIGN_UPS})
    helpers = [person(f"helper{number}", role="all") for number in range(2)]
    newcomers = [waiting_sign_up(person(f"newcomer{number}")) for number in range(2)]
    report_by_each(bob, by=[carol])
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


def test_a_role_that_permits_more_or_is_deleted_unused_moves_nothing(
    on_desk, admin, mei_the_moderator, work
):
    save_role(by=admin, name="door", title="Door", permissions={P.SIGN_UPS})
    save_role(by=admin, name="door", title="Door", permissions={P.SIGN_UPS, P.LOG})
    delete_role(by=admin, name="door")
    work()
    assert len(index(mei_the_moderator)[keys.desk(mei_the_moderator.user_id)]) == 3


def test_what_was_assigned_at_that_very_moment_is_put_back_a_minute_later(
    admin, mod, mei_the_moderator, bob, carol, work
):
    grant_role(by=admin, user_id=mei_the_moderator.user_id, role="")
    work()
    report_by_each(bob, by=[carol])
    late = [
        Case.escalated_to.set(keys.desk(mei_the_moderator.user_id)),
        Case.assigned_to.set(mei_the_moderator.user_id),
    ]
    change(Case, about(bob).key, late)
    work(minutes=2)
    assert index(mei_the_moderator) == {keys.queue(Queue.REPORTS): [about(bob)]}
    assert broken() == {}


def test_nothing_is_assigned_to_someone_whose_role_does_not_open_it(
    on_desk, admin, mod, alice, mei_the_moderator
):
    save_role(by=admin, name="door", title="Door", permissions={P.SIGN_UPS})
    door = person("dora", role="door")
    for moderator in (alice, door):
        with pytest.raises(CannotHave):
            assign_case(by=mod, case_id=on_desk["report"], moderator_id=moderator.user_id)
    assign_case(by=mod, case_id=on_desk["sign-up"], moderator_id=door.user_id)
    assert index(mei_the_moderator, door)[keys.desk(door.user_id)] == [on_desk["sign-up"]]


def test_a_desk_of_very_many_cases_is_cleared_wholly(admin, mod, mei_the_moderator, carol, work):
    for number in range(AT_ONCE + 3):
        report_by_each(reported := person(f"person{number:02}"), by=[carol])
        assign_case(by=mod, case_id=about(reported), moderator_id=mei_the_moderator.user_id)
    grant_role(by=admin, user_id=mei_the_moderator.user_id, role="")
    work()
    assert {queue: len(cases) for queue, cases in index(mei_the_moderator).items()} == {
        keys.queue(Queue.REPORTS): AT_ONCE + 3
    }
    assert clear_desk_by_role(mei_the_moderator.user_id) == 0


def test_the_change_of_a_role_handled_twice_plans_the_same(
    on_desk, admin, mei_the_moderator, drain_stream
):
    drain_stream()
    grant_role(by=admin, user_id=mei_the_moderator.user_id, role="")
    records = unread()
    handle_all(records)
    done = everything()
    handle_all(records)
    assert everything() == done


def test_the_overview_counts_every_open_case_wherever_it_is(
    on_desk, admin, mei_the_moderator, carol, work
):
    report_by_each(carol, by=[mei_the_moderator])
    assert get_overview().open_cases == "4"
    grant_role(by=admin, user_id=mei_the_moderator.user_id, role="")
    work()
    work()  # for what was put back
    assert get_overview().open_cases == "4"


# The tab "Assigned": what is on all desks, for everyone who may open it.

DESKS = f"{QUEUE}?queue=desks"


def give(by: Viewer, reported: Viewer, to: Viewer) -> None:
    assign_case(by=by, case_id=about(reported), moderator_id=to.user_id)


def test_it_shows_all_desks_the_most_urgent_first_and_whose_they_are(
    moderator, mod, mei_the_moderator, alice, bob, carol
):
    for reported, severity, to in ((alice, 3, mod), (bob, 1, mei_the_moderator)):
        report_by_each(reported, by=[carol], severity=severity)
        give(mod, reported, to)
    report_by_each(carol, by=[bob])
    page = moderator.get(DESKS)
    assert rows(page) == ["bob", "alice"]
    assert "Assigned to Mei" in Html(page).all("article", class_="case-row")[0].text
    assert rows(moderator.get(f"{DESKS}&severity=3")) == ["alice"]


def test_many_follow_page_by_page(moderator, mod, mei_the_moderator, alice):
    people = reported_people(25, by=alice)
    for number, reported in enumerate(people):
        give(mod, reported, mei_the_moderator if number % 2 else mod)
    first = moderator.get(DESKS)
    assert rows(first) == [reported.handle for reported in people[:20]]
    older = Html(first).one("a", rel="next")["href"]
    assert rows(moderator.get(older)) == [reported.handle for reported in people[20:]]
    assert rows(moderator.get(older, headers=HTMX)) == [one.handle for one in people[20:]]


def test_it_leaves_out_what_the_viewer_may_not_open(
    admin, mod, mei_the_moderator, bob, carol, log_in
):
    save_role(by=admin, name="door", title="Door", permissions={Permission.SIGN_UPS})
    report_by_each(bob, by=[carol])
    give(mod, bob, mei_the_moderator)
    report_by_each(mod, by=[carol])
    give(mei_the_moderator, mod, mei_the_moderator)
    assign_case(
        by=mod, case_id=waiting_sign_up(person("newcomer")), moderator_id=mei_the_moderator.user_id
    )
    door = log_in(person("dora", role="door"))
    assert rows(door.get(DESKS)) == ["newcomer"]
    assert "moddy" not in rows(log_in(mod).get(DESKS))


def test_after_a_decision_it_opens_again_and_no_case_of_others(
    moderator, mod, mei_the_moderator, bob, carol
):
    for reported, by in ((bob, carol), (carol, bob)):
        report_by_each(reported, by=[by])
        give(mod, reported, mei_the_moderator)
    form = {"action": ActionKind.DISMISS, "version": version_of(about(bob))}
    answer = moderator.post(f"{about(bob).url}/decide?queue=desks", form)
    assert answer["Location"].startswith(f"{DESKS}&done=")
    assert rows(moderator.get(DESKS)) == ["carol"]


def test_one_takes_a_case_from_there(moderator, mod, mei_the_moderator, bob, carol):
    report_by_each(bob, by=[carol])
    give(mod, bob, mei_the_moderator)
    value = f"person.{bob.user_id}.{version_of(about(bob))}"
    moderator.post(f"{QUEUE}/selected?queue=desks", {"act": "take", "targets": [value]})
    assert rows(moderator.get(f"{QUEUE}?queue=mine")) == ["bob"]
