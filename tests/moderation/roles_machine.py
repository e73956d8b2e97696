"""Roles that come, go and change, cases that are assigned, reported, appealed and decided, in any order. After the
worker and the clock have done what there is to do, every open case is in a list that someone may open."""

from contextlib import suppress
from datetime import timedelta
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from accounts.people.viewer import Viewer
from accounts.permissions import (
    Permission,
    RoleInUse,
    delete_role,
    grant_role,
    permissions_of_role,
    save_role,
)
from moderation.cases.decisions import Decision, decide_case
from moderation.cases.queue_place import QueuePlace, cases_of, tabs_open_to
from moderation.cases.reads import CaseId, CaseMoved, permission_for, read_case
from moderation.cases.writes import AlreadyAnswered, appeal, assign_case
from moderation.models import ActionKind, Case, CaseKind
from moderation.reports.writes import file_report
from privacy.erasure.writes import close_account
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.streams.worker import Worker
from socialsite.table import NotFound, as_model
from socialsite.table.reading import scan
from tests.conftest import person
from tests.looks import drain
from tests.moderation.cases import about, broken, info, waiting_sign_up

STAFF, PEOPLE = ("moddy", "mei", "malik"), ("alice", "bob", "carol")
OWN_ROLE, ROLES = "helper", ("", "moderator", "helper")
PERMISSIONS = ({Permission.CASES}, {Permission.SIGN_UPS}, {Permission.CASES, Permission.SIGN_UPS})
MOST_SIGN_UPS = 4


class Roles(RuleBasedStateMachine):
    """`new_table` is set by the test: it makes an empty table and forgets the last."""

    new_table: Any = None
    steps_taken = 0

    staff_number = st.integers(0, len(STAFF) - 1)
    people = st.integers(0, len(PEOPLE) - 1)
    numbers = st.integers(0, 99)

    def __init__(self) -> None:
        super().__init__()
        type(self).new_table()
        self.worker = Worker()

    @initialize()
    def some_are_here(self) -> None:
        self.admin = person("addy", role="admin")
        self.cast = [person(name) for name in PEOPLE]
        self.staff = [person(name, role="moderator") for name in STAFF]
        save_role(by=self.admin, name=OWN_ROLE, title="Helper", permissions=PERMISSIONS[-1])
        self.cases: set[CaseId] = set()
        self.gone: set[str] = set()
        self.sign_ups = 0

    def teardown(self) -> None:
        self.everything_is_done_and_every_open_case_is_found()

    # What happens to roles

    @rule(to=staff_number, role=st.sampled_from(ROLES))
    def give_or_take_a_role(self, to: int, role: str) -> None:
        if self.staff[to].user_id not in self.gone:
            grant_role(by=self.admin, user_id=self.staff[to].user_id, role=role)

    @rule(permissions=st.sampled_from(PERMISSIONS))
    def save_the_role(self, permissions: set[Permission]) -> None:
        save_role(by=self.admin, name=OWN_ROLE, title="Helper", permissions=permissions)

    @rule()
    def delete_the_role(self) -> None:
        with suppress(RoleInUse):
            delete_role(by=self.admin, name=OWN_ROLE)
            save_role(by=self.admin, name=OWN_ROLE, title="Helper", permissions=PERMISSIONS[-1])

    @precondition(lambda self: not self.gone)
    @rule(who=staff_number)
    def close_the_account(self, who: int) -> None:
        self.gone.add(self.staff[who].user_id)
        close_account(by=self.staff[who], at_once=True)

    # What happens to cases

    @rule(by=people, other=people, severity=st.integers(1, 3))
    def report(self, by: int, other: int, severity: int) -> None:
        if by != other:
            reported = self.cast[other]
            file_report(by=self.cast[by], person_id=reported.user_id, severity=severity)
            self.cases.add(about(reported))

    @precondition(lambda self: self.sign_ups < MOST_SIGN_UPS)
    @rule()
    def ask_to_join(self) -> None:
        self.sign_ups += 1
        self.cases.add(waiting_sign_up(person(f"new_{self.sign_ups}")))

    @precondition(lambda self: self.cases)
    @rule(number=numbers, to=staff_number)
    def assign(self, number: int, to: int) -> None:
        with suppress(CaseMoved, NotFound):
            moderator_id = self.staff[to].user_id
            assign_case(by=self.admin, case_id=self._case(number), moderator_id=moderator_id)

    @precondition(lambda self: self.cases)
    @rule(to=staff_number, role=st.sampled_from(ROLES))
    def leave_with_every_case_on_the_desk(self, to: int, role: str) -> None:
        self.give_or_take_a_role(to, "moderator")
        for number in range(len(self.cases)):
            self.assign(number, to)
        self.give_or_take_a_role(to, role)

    @precondition(lambda self: self.cases)
    @rule(number=numbers, keep=st.booleans(), appeals=st.booleans())
    def decide(self, number: int, keep: bool, appeals: bool) -> None:
        case_id = self._case(number)
        is_person = case_id.kind == CaseKind.PERSON
        kind = ActionKind.WARN if is_person else ActionKind.APPROVE
        decision, version = Decision(kind, keep_open=keep), int(read_case(case_id).version)
        with suppress(CaseMoved, AlreadyAnswered):
            action_id = decide_case(
                by=self.admin, case_id=case_id, decision=decision, version=version
            )
            if is_person and appeals:
                appeal(person_id=case_id.subject_id, action_id=action_id, text="No")

    def _case(self, number: int) -> CaseId:
        return sorted(self.cases, key=str)[number % len(self.cases)]

    # What must hold

    @rule()
    def everything_is_done_and_every_open_case_is_found(self) -> None:
        drain(self.worker)
        do_due(now=utc_now() + timedelta(minutes=2))
        drain(self.worker)
        cases = [as_model(Case, raw) for raw in scan() if raw["type"]["S"] == "Case"]
        wanted = {str(_id_of(case)) for case in cases if case.escalated_to}
        assert wanted == self._found(self.admin), "an admin finds every open case"
        for viewer in self.staff:
            if viewer.user_id in self.gone or not (role := info(viewer).role):
                continue
            allowed = permissions_of_role(role)
            theirs = {
                str(_id_of(case))
                for case in cases
                if case.escalated_to and permission_for(CaseKind(case.kind)) in allowed
            }
            assert self._found(viewer, role) == theirs, viewer.handle
        assert not (wrong := broken(before_the_worker=False)), wrong

    def _found(self, viewer: Viewer, role: str = "admin") -> set[str]:
        """What all tabs show that a role opens."""
        permissions = permissions_of_role(role)
        places = [QueuePlace(tab) for tab in tabs_open_to(permissions)]
        return {
            str(row.case_id)
            for place in places
            if not place.is_closed
            for row in cases_of(place, viewer, permissions).items
        }

    @invariant()
    def count_steps(self) -> None:
        type(self).steps_taken += 1


def _id_of(case: Case) -> CaseId:
    return CaseId(CaseKind(case.kind), case.subject_id)
