"""What staff enter of a year, because the site cannot know it."""

from collections.abc import Mapping

from accounts.people.viewer import Viewer
from moderation.figures import names
from moderation.figures.names import name_of
from moderation.log.writes import record
from moderation.models import DayCount
from socialsite.table import Erase, Put, access_pattern, keys


@access_pattern
def enter_figures(*, by: Viewer, year: str, numbers: Mapping[str, int | None]) -> None:
    """Writes the numbers that staff entered for a year, in place of those before; one that is None is not known, and
    goes. Safe to repeat. One consistent GetItem, then one TransactWriteItems with the audit log: 2 write units for each
    number and 4. In all 20 write units and 1 read unit."""
    known = [
        DayCount.of_year(year=year, name=name_of(names.TYPED, name), times=times)
        for name, times in numbers.items()
        if times is not None
    ]
    unknown = [
        keys.year_count(year, name_of(names.TYPED, name))
        for name, times in numbers.items()
        if times is None
    ]
    detail = {"year": year, **{name: n for name, n in numbers.items() if n is not None}}
    record(
        *map(Put, known), *map(Erase, unknown), by=by.user_id, action="enter figures", detail=detail
    )
