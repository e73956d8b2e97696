"""Takes several cases at once, each on its own. Cases that were closed meanwhile are skipped and counted."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from accounts.viewer import Viewer
from moderation.cases.seen_cases import SeenCase
from moderation.cases.services.claim import assign_case
from socialsite.table.errors import Conflict, NotFound
from socialsite.table.meter import access_pattern

MOST_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Result:
    done: int
    moved: int


@access_pattern
def take_cases(*, by: Viewer, cases: Iterable[SeenCase]) -> Result:
    """Assigns at most 50 cases to the moderator, each only if it is still open. Costs as `assign_case` for each."""
    wanted = list(cases)[:MOST_AT_ONCE]
    done = 0
    for seen in wanted:
        with suppress(Conflict, NotFound):
            assign_case(by=by, case_id=seen.case_id, moderator_id=by.user_id)
            done += 1
    return Result(done, len(wanted) - done)
