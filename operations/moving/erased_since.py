"""People who were erased since the moment of a restore are back with it. The table of before knows them:
their items are gone there, and their handle is kept by a claim without a person (`HandleClaim`)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from accounts.models import HandleClaim, UserInfo
from operations.moving.place import Place, here
from socialsite.table import Key, RawItem, keys, row
from socialsite.table.reading import scan

AT_ONCE = 30  # people, with three keys each


@dataclass(frozen=True)
class Back:
    """Someone who is here, and in the other table `erased`, on their way out (`is_closing`), or gone without a trace of
    an erasure."""

    user_id: str
    handle: str
    erased: bool = False
    is_closing: bool = False


def place_of(table: str) -> Place:
    """Returns another table of the same account and region, or of the same engine."""
    return replace(here(), table=table)


def find_erased(before: Place) -> Iterator[Back]:
    """Yields everyone who is here, and not, or not to stay, in the other table.

    A Scan of this table, 1 read unit for each 4 KB, and 3 of the other for each person.
    """
    people = (
        row(UserInfo, raw) for raw in scan() if raw.get("type", {}).get("S") == UserInfo.__name__
    )
    while chunk := list(islice(people, AT_ONCE)):
        wanted = [
            key
            for one in chunk
            for key in (
                keys.user_info(one.user_id),
                keys.handle_claim(one.handle),
                keys.erasure(one.user_id),
            )
        ]
        found = before.get(wanted)
        for one in chunk:
            if back := _judged(one, found):
                yield back


def _judged(person: UserInfo, found: dict[Key, RawItem]) -> Back | None:
    info = found.get(keys.user_info(person.user_id))
    if info is not None:
        leaves = row(UserInfo, info).closing and not person.closing
        return Back(person.user_id, person.handle, is_closing=True) if leaves else None
    claim = found.get(keys.handle_claim(person.handle))
    is_kept = claim is not None and not row(HandleClaim, claim).user_id
    was_erased = is_kept or keys.erasure(person.user_id) in found
    return Back(person.user_id, person.handle, erased=was_erased)
