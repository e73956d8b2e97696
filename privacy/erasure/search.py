"""The search for people who were erased: through the whole table and the archive, in one night for all of them.

It begins a day after the end of an erasure, when nothing from before can come late any more. So it proves that nothing
is left, and clears what was written into others' partitions without a trace that leads there, found by looking at every
item. Pointers and copies are deleted. Where someone else's item names the person, the name is taken out, or another id
stands there that nobody ever has, so that an answer still knows that it answers something. Lines of theirs in the
archive go, and lines that name them name nobody. The clock does it, apart from the stream: each part of the work plans
the next.
"""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Self

from pynamodb.expressions.update import Action

from accounts.models import Bell, unseen_group
from feed.explore.models import Explored
from feed.posts.models import Reply, ThreadGate
from feed.timelines.models import RecentPosts
from moderation.cases.chat_evidence import forget_author
from moderation.cases.held import HOLD_ENDS, KEEP_URGENT
from moderation.models import MessageEvidence
from notifications.models import Notification
from privacy.models import Erasure, Receipt, State
from relations.models import Suggestions
from socialsite.clock import utc_now, utc_now_iso
from socialsite.due.models import Due
from socialsite.due.work import done, plan
from socialsite.streams import Job, JobKind
from socialsite.streams.archive import (
    ColdFile,
    delete_drafts,
    list_files,
    read_text,
    thaw,
    write_text,
)
from socialsite.streams.leaving import OF_CASES
from socialsite.table import (
    Change,
    Delete,
    Erase,
    Item,
    Key,
    NotFound,
    RawItem,
    WriteAction,
    access_pattern,
    as_model,
    change,
    fetch,
    key_of,
    keys,
    query,
    row,
    transact,
)
from socialsite.table.reading import scan_page

SEARCH = "search-for-erased"  # the kind of the due item

NOBODY = "0" * 26  # an id of the year 1970
# What moderators and the site keep, as the receipt says.
EVIDENCE = {*OF_CASES, "AuditEntry", "AuditHead"}
# A former handle expires by itself; ways in were deleted by the clock, and the stream worker may not touch them.
LEFT_ALONE = EVIDENCE | {
    "AppToken",
    "Credentials",
    "EmailClaim",
    "Erasure",
    "HandleClaim",
    "Hold",
    "PersonKey",
    "SignIn",
}
REFERENCES = {
    "root_author_id",
    "reply_to_author_id",
    "quote_of_author_id",
    "repost_of_author_id",
}
# By the worker, when their owner's next page asks, and by the clock within a quarter of an hour.
FOUND_ANEW = {Suggestions.__name__, Explored.__name__}
KEPT_PLACES = {Reply.__name__, ThreadGate.__name__}  # for the answers below them


def clear(raw: RawItem, erased: Collection[str]) -> bool:
    """Deletes or mends an item that names someone who was erased. Returns whether it did. Safe to repeat.

    2 write units to delete or to mend, on condition that what it takes out is still there.
    """
    kind = raw.get("type", {}).get("S", "")
    named = [user_id for user_id in erased if user_id in str(raw)]
    if kind == MessageEvidence.__name__ and row(MessageEvidence, raw).author_id in named:
        return forget_author(raw, nobody=NOBODY)
    if not named or kind in LEFT_ALONE or _is_about_evidence(raw, kind):
        return False
    if kind in FOUND_ANEW or is_theirs(raw, named):
        if kind == Notification.__name__:
            _unring(raw)
        transact(Erase(key_of(raw)))
        return True
    model = type(Item.from_raw_data(_copy(raw)))
    actions = list(_without(model, raw, kind, named))
    if actions:
        with suppress(NotFound):  # deleted meanwhile
            transact(Change(model, key_of(raw), actions))
    return bool(actions)


def _is_about_evidence(raw: RawItem, kind: str) -> bool:
    """Whether it is work that keeps evidence for its term, or ends that."""
    if kind == Due.__name__:
        return row(Due, raw).kind in (KEEP_URGENT, HOLD_ENDS)
    return kind == Job.__name__ and row(Job, raw).kind in (JobKind.HOLD, JobKind.END_HOLD)


def is_theirs(raw: RawItem, named: Sequence[str]) -> bool:
    """Whether the item is about the person alone: its key names them, or it is a copy of something of theirs."""
    kind, key = raw.get("type", {}).get("S", ""), key_of(raw)
    if any(user_id in key.pk or user_id in key.sk for user_id in named):
        return True
    if kind in KEPT_PLACES:
        return False
    owners = (
        raw.get(name, {}).get("S") for name in ("author_id", "user_id", "other_id", "subject_id")
    )
    return any(owner in named for owner in owners)


def _unring(raw: RawItem) -> None:
    """Takes a notification off its person's badge before it goes. 1 write unit."""
    notification = row(Notification, raw)
    group = notification.place[keys.TIME :]
    seen = [unseen_group(group).remove(), Bell.changes.add(1)]
    with suppress(NotFound):
        change(Bell, keys.bell(notification.user_id), seen, condition=unseen_group(group).exists())


def _without(model: type[Item], raw: RawItem, kind: str, named: Sequence[str]) -> Iterator[Action]:
    """Yields the changes that take the person out of someone else's item."""
    for name, attribute in model.get_attributes().items():
        value: dict[str, Any] = raw.get(attribute.attr_name, {})
        path = getattr(model, name)
        if value.get("S") in named:
            if name in REFERENCES or kind in KEPT_PLACES:
                yield path.set(NOBODY)
            else:
                yield path.remove()
        elif "SS" in value:
            left = {one for one in value["SS"] if not _names(one, named)}
            if left != set(value["SS"]):
                kept = left | {NOBODY} if name == "actors" else left
                if kind == RecentPosts.__name__:  # a post that quotes them stays among the newest
                    kept = {_unnamed(one, named) for one in value["SS"]}
                yield path.set(kept) if kept else path.remove()
        elif "M" in value:
            for entry, held in value["M"].items():
                if _names(entry, named) or _names(str(held), named):
                    yield path[entry].remove()


def _names(text: str, named: Sequence[str]) -> bool:
    return any(user_id in text for user_id in named)


def _unnamed(text: str, named: Sequence[str]) -> str:
    for user_id in named:
        text = text.replace(user_id, NOBODY)
    return text


def _copy(raw: RawItem) -> RawItem:
    return {name: dict(value) for name, value in raw.items()}


FILES_A_STEP = 100


def next_files(after: str) -> list[str]:
    """Returns the names of the next files of the archive, in the order of their names."""
    return sorted(name for name in list_files() if name > after)[:FILES_A_STEP]


def clear_files(names: Iterable[str], erased: Collection[str]) -> Counter[str]:
    """Writes each file anew that names someone who was erased, without them. Returns how many lines named whom. Safe to
    repeat: a file without any such line stays as it is, and of one that a joined file replaced, nothing is left. Raises
    `ColdFile`."""
    found: Counter[str] = Counter()
    for name in names:
        try:
            text = read_text(name)
        except FileNotFoundError:
            continue
        named = [user_id for user_id in erased if user_id in text]
        if named:
            lines = text.splitlines(keepends=True)
            found.update(user_id for user_id in named for line in lines if user_id in line)
            write_text(name, "".join(_line_without(line, named) for line in lines))
    return found


def keep_without_erased() -> Callable[[str], str]:
    """Returns what leaves people who were erased out of the archive's lines while its files are joined.

    The search may pass by a file that is written meanwhile. But whomever it looks for then was erased a day before, so
    they are among those whom this finds. A consistent Query, 1 read unit.
    """
    erased = [
        one.user_id
        for one in (as_model(Erasure, raw) for raw in query(keys.erasures(), consistent=True))
        if one.erased_at
    ]

    def keep(line: str) -> str:
        named = [user_id for user_id in erased if user_id in line]
        return _line_without(line, named) if named else line

    return keep


def _line_without(line: str, named: Sequence[str]) -> str:
    """Returns the line without these people, empty if it is of one of them."""
    if is_theirs(json.loads(line)["item"], named):
        return ""
    return _unnamed(line, named)


ITEMS_A_PAGE = 250
PAGES_AT_ONCE = 40
ENDED_AT_ONCE = 40
SETTLED = timedelta(
    hours=24
)  # after the end of an erasure, its last records are gone from the stream
THAWS = timedelta(hours=12)  # until S3 has restored cold files
THAWED_DAYS = 7
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
    of the table 40 Scans of 250 items, 1 read unit for 4 KB, and what it takes to clear. 4 write units. Files of the
    archive that are cold are asked for, and the search goes on half a day later.
    """
    place = Place.of(due)
    wanted = _settled(place.begun)
    if not wanted:
        return
    try:
        further, writes = _further(place, wanted)
        moment = utc_now()
    except ColdFile:
        _thaw_after(place)
        further, writes, moment = place, [], utc_now() + THAWS
    again = plan(SEARCH, moment=moment, subject=due.subject, **further.to_facts())
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


def _thaw_after(place: Place) -> None:
    """Asks for all cold files from this place on, so that the search waits once."""
    for name in list_files():
        if name > "".join(place.after):
            thaw(name, days=THAWED_DAYS)


def _search_archive(place: Place, wanted: Wanted) -> Place:
    found, after = Counter(place.found), place.after
    names = next_files("".join(after))
    for name in names:
        try:
            lines = clear_files([name], wanted)
        except ColdFile:
            if after == place.after:
                raise
            break  # what comes before it is done
        for user_id, count in lines.items():
            found[wanted[user_id]] += count
        after = (name,)
    if not names:
        delete_drafts()
        return Place(place.begun, END, (), found)
    return Place(place.begun, ARCHIVE, after, found)


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
