"""Looks for copies that no case names, about each person in a night after photos of theirs were reported.

The stream worker deletes copies with their items. What it wrote late, after the item was gone, is found here.
"""

from datetime import timedelta

from moderation.cases.photos.copying import names_of
from moderation.models import CaseKind, CasePhoto
from photos.copies import delete_copy, list_copies
from socialsite.clock import utc_now
from socialsite.due.planning import plan
from socialsite.models import Due
from socialsite.table import keys
from socialsite.table.actions import Put
from socialsite.table.meter import access_pattern
from socialsite.table.reading import as_model, fetch

SWEEP = "sweep-evidence"
NIGHTS = 3
HOUR = 3


def plan_sweep(person_id: str) -> Put:
    """Returns the action that plans the sweep, for the transaction of a report. One a night, however many reports come.
    2 write units."""
    night = utc_now().replace(hour=HOUR, minute=0, second=0, microsecond=0)
    planned = plan(SWEEP, moment=night + timedelta(days=NIGHTS), subject=person_id)
    assert isinstance(planned.item, Due)
    return Put(planned.item)


@access_pattern
def sweep_copies(person_id: str) -> int:
    """Deletes the copies of a person's photos that no case names, and returns how many.

    A listing, then a consistent BatchGetItem, 1 read unit for each copy. Files are listed before items are read, and
    items are there before files. So a file that comes in between is never taken for one that was left behind.
    """
    names = list_copies(person_id)
    asked = {name: _key_of(person_id, name) for name in names}
    found = fetch(set(asked.values()), consistent=True)
    kept = (as_model(CasePhoto, raw) for raw in found.values())
    named = {name for photo in kept for name in names_of(photo)}
    stray = [name for name in names if name not in named]
    for name in stray:
        delete_copy(person_id, name)
    return len(stray)


def _key_of(person_id: str, name: str) -> keys.Key:
    photo_id, version, _ = name.split(".")
    return keys.case_photo(CaseKind.PERSON, person_id, photo_id, version)
