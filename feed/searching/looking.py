"""Looks through a list for words. DynamoDB cannot search texts, so the items are read and compared here: a stated
number of them, and further back only when the viewer asks for it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic, Protocol, TypeVar

from django.utils import timezone
from django.utils.translation import get_language

from feed.searching.words import fit
from socialsite.table import ids
from socialsite.table.cursors import Place, read_cursor, write_cursor
from socialsite.table.keys import Key
from socialsite.table.paging import PAGE_SIZE, Page
from socialsite.table.reading import RawItem, key_of, query
from socialsite.web.ago import short_date

TOGETHER = 50  # items whose texts are read in one call


class Shown(Protocol):
    @property
    def post_id(self) -> str: ...


T = TypeVar("T", bound=Shown)


@dataclass(frozen=True, slots=True)
class Found(Page[T]):
    """A page of what was found, how many posts were looked at for it, and the day of the oldest of them, in words."""

    looked_at: int = 0
    back_to: str = ""


@dataclass(frozen=True, slots=True)
class Searched(Generic[T]):
    """A partition to look through, whose items hold the ids of posts and are in their order.

    `say` returns for some of the raw items, at most 50, what is compared of each. `show` returns, for at most 20 that
    have all words, what the page shows, without what the viewer may not see.
    """

    partition: str
    scope: str
    look_at: int  # items for one page
    say: Callable[[Sequence[RawItem]], Iterable[tuple[RawItem, Sequence[str]]]]
    show: Callable[[Sequence[RawItem]], Sequence[T]]
    between: tuple[str, str] | None = None


def look_through(searched: Searched[T], words: Sequence[str], *, cursor: str | None) -> Found[T]:
    """Returns what has all the words, newest post first. A page ends with the 20th that is shown, or after `look_at`
    items, so it may be short or empty and still go on.

    One Query, 0.5 read units per 4 KB, and one more for each full MB; then what `say` and `show` read. Raises
    `BadCursor`.
    """
    start = Key(searched.partition, read_cursor(searched.scope, cursor).sk) if cursor else None
    rows = query(
        searched.partition,
        after=start,
        between=searched.between,
        forward=False,
        limit=searched.look_at + 1,  # the last one only says whether there is more
    )
    raws = list(islice(rows, searched.look_at + 1))
    looked_at = raws[: searched.look_at]
    fitting = _fitting(searched, looked_at, words)
    shown: list[T] = []
    while len(shown) < PAGE_SIZE and (some := list(islice(fitting, PAGE_SIZE))):
        shown += searched.show(some)
    if len(shown) >= PAGE_SIZE:
        shown = shown[:PAGE_SIZE]
        ids_read = [_post_id(raw) for raw in looked_at]
        looked_at = looked_at[: ids_read.index(shown[-1].post_id) + 1]
    following = None
    if len(looked_at) < len(raws):
        following = write_cursor(searched.scope, Place("next", key_of(looked_at[-1]).sk))
    top = shown[0].post_id if shown else None
    back_to = _day_of(looked_at[-1]) if looked_at else ""
    return Found(shown, following, None, top, looked_at=len(looked_at), back_to=back_to)


def _fitting(
    searched: Searched[T], raws: Sequence[RawItem], words: Sequence[str]
) -> Iterator[RawItem]:
    """Yields what fits, and reads no further than the caller does."""
    for first in range(0, len(raws), TOGETHER):
        for raw, texts in searched.say(raws[first : first + TOGETHER]):
            if fit(words, texts):
                yield raw


def _post_id(raw: RawItem) -> str:
    return str(raw["post_id"]["S"])


def _day_of(raw: RawItem) -> str:
    day = timezone.localdate(ids.time_of(_post_id(raw)))
    return short_date(day, get_language(), with_year=True)
