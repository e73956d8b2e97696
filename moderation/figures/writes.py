"""What staff enter of a year, because the site cannot know it."""

from collections.abc import Mapping

from accounts.people.viewer import Viewer
from moderation.figures import names
from moderation.figures.names import name_of
from moderation.log.writes import record
from moderation.models import DayCount
from socialsite.table import Put, access_pattern


@access_pattern
def enter_figures(*, by: Viewer, year: str, numbers: Mapping[str, int]) -> None:
    """Writes the numbers that staff entered for a year, in place of those before. Safe to repeat. One consistent
    GetItem, then one TransactWriteItems with the audit log: 2 write units for each number and 4. In all 20 write units
    and 1 read unit."""
    counts = [
        DayCount.of_year(year=year, name=name_of(names.TYPED, name), times=times)
        for name, times in numbers.items()
    ]
    detail = {"year": year, **numbers}
    record(*map(Put, counts), by=by.user_id, action="enter figures", detail=detail)
