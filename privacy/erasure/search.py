"""The search for people who were erased: through the whole table and the archive, in one night for all of them.

It begins a day after the end of an erasure, when nothing from before can come late any more. So it proves that nothing
is left, and clears what was written into others' partitions without a trace that leads there. The clock does it, apart
from the stream: each part of the work plans the next.
"""

import json
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from typing import Self

from privacy.erasure.archived import clear_files, next_files
from privacy.erasure.ending import SEARCH
from privacy.erasure.leftovers import clear
from privacy.models import Erasure, Receipt, State
from socialsite.clock import utc_now, utc_now_iso
from socialsite.due.planning import done, plan
from socialsite.models import Due
from socialsite.table import keys
from socialsite.table.actions import Change, Delete, WriteAction
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.reading import as_model, fetch, query, scan_page
from socialsite.table.writing import transact

ITEMS_A_PAGE = 250
PAGES_AT_ONCE = 40
ENDED_AT_ONCE = 40
SETTLED = timedelta(
    hours=24
)  # after the end of an erasure, its last records are gone from the stream
TABLE, ARCHIVE, END = "table", "archive", "end"

Wanted = dict[str, str]  # receipts by person


@dataclass(frozen=True, slots=True)
class Place:
    """How far the search is: its stage, the last key or file, when it began, and how much it found for which
    receipt."""

    begun: str
    stage: str = TABLE
    after: tuple[str, ...] = ()
    found: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, due: Due) -> Self:
        facts = due.facts
        if not facts:
            return cls(max(due.moment, utc_now_iso()))
        after, found = json.loads(facts["after"]), json.loads(facts["found"])
        return cls(facts["begun"], facts["stage"], tuple(after), Counter(found))

    def to_facts(self) -> dict[str, str]:
        after, found = json.dumps(self.after), json.dumps(self.found)
        return {"begun": self.begun, "stage": self.stage, "after": after, "found": found}


@access_pattern
def search_further(due: Due) -> None:
    """Looks at the next part of the table, then at the next files of the archive, then ends the erasures, and plans the
    next part. Safe to run twice, and for several nights at once: it clears what is still there.

    A consistent Query of the people, 1 read unit, and nothing more if an earlier search found them all. For each part
    of the table 40 Scans of 250 items, 1 read unit for 4 KB, and what it takes to clear. 4 write units.
    """
    place = Place.of(due)
    wanted = _settled(place.begun)
    if not wanted:
        return
    further, writes = _further(place, wanted)
    again = plan(SEARCH, moment=utc_now(), subject=due.subject, **further.to_facts())
    transact(done(due), again, *writes)


def _settled(begun: str) -> Wanted:
    """Returns the people who are searched for by a search that began at this moment: those whose last records had gone
    from the stream by then."""
    before = (datetime.fromisoformat(begun) - SETTLED).isoformat()
    found = (as_model(Erasure, raw) for raw in query(keys.erasures(), consistent=True))
    return {
        one.user_id: one.receipt_id for one in found if one.erased_at and one.erased_at <= before
    }


def _further(place: Place, wanted: Wanted) -> tuple[Place, list[WriteAction]]:
    match place.stage:
        case "table":
            return _search_table(place, wanted), []
        case "archive":
            return _search_archive(place, wanted), []
    return place, _end(place, wanted)


def _search_table(place: Place, wanted: Wanted) -> Place:
    after, found = Key(*place.after) if place.after else None, Counter(place.found)
    for _ in range(PAGES_AT_ONCE):
        items, after = scan_page(after=after, limit=ITEMS_A_PAGE)
        for raw in items:
            text = str(raw)
            named = [user_id for user_id in wanted if user_id in text]
            if named and clear(raw, named):
                found.update(wanted[user_id] for user_id in named)
        if after is None:
            return Place(place.begun, ARCHIVE, (), found)
    return Place(place.begun, TABLE, tuple(after or ()), found)


def _search_archive(place: Place, wanted: Wanted) -> Place:
    found, names = Counter(place.found), next_files("".join(place.after))
    for user_id, lines in clear_files(names, wanted).items():
        found[wanted[user_id]] += lines
    if not names:
        return Place(place.begun, END, (), found)
    return Place(place.begun, ARCHIVE, (names[-1],), found)


def _end(place: Place, wanted: Wanted) -> list[WriteAction]:
    """Returns the end of the next erasures: from now on nothing here knows who left."""
    ended = dict(islice(wanted.items(), ENDED_AT_ONCE))
    writes: list[WriteAction] = [Delete(keys.erasure(user_id)) for user_id in ended]
    receipts = fetch(map(keys.receipt, ended.values()), consistent=True)
    for key, raw in receipts.items():
        receipt = as_model(Receipt, raw)
        searched = [
            Receipt.state.set(State.SEARCHED),
            Receipt.searched_at.set(utc_now().isoformat(timespec="seconds")),
            Receipt.counts.set({**receipt.counts, "left": place.found[receipt.receipt_id]}),
        ]
        writes.append(Change(Receipt, key, searched))
    return writes
