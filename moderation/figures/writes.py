"""What staff enter of a year, because the site cannot know it."""

from collections.abc import Mapping

from accounts.people.viewer import Viewer
from moderation.figures import names
from moderation.figures.names import name_of
from moderation.log.writes import record_made
from moderation.models import DayCount
from socialsite.table import Conflict, Delete, Put, access_pattern, fetch


@access_pattern
def enter_figures(*, by: Viewer, year: str, numbers: Mapping[str, int | None]) -> None:
    """Writes the numbers that staff entered for a year, in place of those before; one that is None is not known, and
    goes. Safe to repeat. One consistent GetItem and BatchGetItem, then one TransactWriteItems with the audit log: 2
    write units for each number and 4. In all at most 20 write units and 9 read units."""
    counts = {
        name: DayCount.of_year(year=year, name=name_of(names.TYPED, name), times=times or 0)
        for name, times in numbers.items()
    }
    entered = {name: times for name, times in numbers.items() if times is not None}
    unknown = [counts[name].key for name in numbers if name not in entered]

    def change() -> list[Put | Delete]:
        gone = fetch(unknown, consistent=True) if unknown else {}
        return [
            *(Put(counts[name]) for name in entered),
            *(Delete(key, otherwise=Conflict) for key in gone),
        ]

    record_made(change, by=by.user_id, action="enter figures", detail={"year": year, **entered})
