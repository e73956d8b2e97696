"""Which reposted posts a reader of home has met on the pages before this one. The cursor carries them along, so that
neither another repost nor the post itself brings them again, and no call more is made."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from feed.cards import PostCard
from feed.pointers import Pointer
from socialsite.table.cursors import read_cursor, write_cursor
from socialsite.table.paging import Page

MOST = 60  # posts, the last ones: half of the repeats in 1,200 cards, for 740 characters of address
LENGTH = 8  # characters of an id, 5 bytes, all of them random


def seen_before(scope: str, cursor: str | None) -> list[str]:
    """Returns the ends of the ids of posts that earlier pages showed as reposts, the latest last."""
    carried = read_cursor(scope, cursor).carried[-MOST * LENGTH :] if cursor else ""
    return [carried[start : start + LENGTH] for start in range(0, len(carried), LENGTH)]


def not_seen(pointers: Iterable[Pointer], seen: Sequence[str]) -> list[Pointer]:
    """Returns the pointers without those that bring a post again."""
    return [one for one in pointers if one.shown.post_id[-LENGTH:] not in seen]


def carry(page: Page[PostCard], seen: Sequence[str]) -> Page[PostCard]:
    """Returns the page with a cursor that carries along what it shows as reposts."""
    shown = [card.post_id[-LENGTH:] for card in page.items if card.reposters]
    if page.next_cursor is None or not (seen or shown):
        return page
    carried = "".join([*seen, *shown][-MOST:])
    place = replace(read_cursor(page.scope, page.next_cursor), carried=carried)
    return replace(page, next_cursor=write_cursor(page.scope, place))
