"""Decides several cases at once, each on its own. Cases that changed meanwhile are skipped and counted."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass

from accounts.viewer import Viewer
from moderation.cases.cases import CaseId
from moderation.cases.services.claim import assign_case
from moderation.cases.services.decide import Decision, NotForThisCase, OwnCase, decide_case
from moderation.models import ActionKind
from socialsite.table.errors import Conflict, NotFound
from socialsite.table.meter import access_pattern

MOST_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class SeenCase:
    """A case as a moderator saw it."""

    case_id: CaseId
    version: int


@dataclass(frozen=True, slots=True)
class Result:
    done: int
    moved: int


@access_pattern
def dismiss_cases(*, by: Viewer, cases: Iterable[SeenCase]) -> Result:
    """Dismisses at most 50 cases, each only if it has not changed. Costs as `decide_case` for each."""
    dismissal = Decision(ActionKind.DISMISS)
    return _each(
        cases,
        lambda seen: decide_case(
            by=by, case_id=seen.case_id, decision=dismissal, version=seen.version
        ),
    )


@access_pattern
def take_cases(*, by: Viewer, cases: Iterable[SeenCase]) -> Result:
    """Assigns at most 50 cases to the moderator, each only if it is still open. Costs as `assign_case` for each."""
    return _each(
        cases, lambda seen: assign_case(by=by, case_id=seen.case_id, moderator_id=by.user_id)
    )


def _each(cases: Iterable[SeenCase], act: Callable[[SeenCase], object]) -> Result:
    wanted = list(cases)[:MOST_AT_ONCE]
    done = 0
    for seen in wanted:
        with suppress(Conflict, NotFound, OwnCase, NotForThisCase):
            act(seen)
            done += 1
    return Result(done, len(wanted) - done)
