"""What goes and what stays when many posts are deleted, how many would go, before the person decides, the standing wish
about old posts, and how far the worker has got in deleting."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import islice
from typing import Self

from accounts.models import UserCount
from accounts.people.viewer import Viewer
from feed.posts.models import Post, Repost
from privacy.models import OldPostsWish
from socialsite.clock import utc_now
from socialsite.streams import JobKind
from socialsite.table import (
    Key,
    NotFound,
    RawItem,
    access_pattern,
    fetch,
    get,
    ids,
    keys,
    query,
    row,
)


class Kind(StrEnum):
    """What stands among the posts of a person."""

    POSTS = "posts"
    REPLIES = "replies"
    REPOSTS = "reposts"


class Kept(StrEnum):
    """What stays, whatever its kind."""

    PINNED = "pinned"
    SAVED = "saved"  # by its author, on their own shelf


@dataclass(frozen=True, slots=True)
class Choice:
    """The kinds that go, and the posts that stay all the same."""

    kinds: frozenset[Kind]
    kept: frozenset[Kept]

    @classmethod
    def of(cls, names: Iterable[str]) -> Self:
        """Reads it from the names in an item, which `names` returned."""
        known = set(names)
        return cls(
            frozenset(kind for kind in Kind if kind in known),
            frozenset(kept for kept in Kept if kept in known),
        )

    @property
    def names(self) -> set[str]:
        return {*map(str, self.kinds), *map(str, self.kept)}


@dataclass(frozen=True, slots=True)
class Going:
    """What goes of some items, and the pins that were respected."""

    items: list[RawItem]
    pins: tuple[str, ...]
    person_is_there: bool


def kind_of(raw: RawItem) -> Kind:
    if raw.get("type", {}).get("S") == Repost.__name__:
        return Kind.REPOSTS
    return Kind.REPLIES if row(Post, raw).root_id else Kind.POSTS


def which_go(
    user_id: str, items: Sequence[RawItem], choice: Choice, *, consistent: bool = False
) -> Going:
    """Returns which of these items of `u#<id>#post` go by this choice.

    BatchGetItem of the person's counts, which hold the pins, and of an entry on their shelf for each post or reply, if
    saved ones stay: 0.5 read units each, 1 if consistent.
    """
    chosen = [raw for raw in items if kind_of(raw) in choice.kinds]
    count_key = keys.user_count(user_id)
    found = fetch([count_key, *_shelf_keys(user_id, chosen, choice)], consistent=consistent)
    pins = row(UserCount, found.get(count_key, {})).pins
    going = [
        raw
        for raw in chosen
        if not (Kept.PINNED in choice.kept and row(Post, raw).post_id in pins)
        and saved_key(user_id, raw) not in found
    ]
    return Going(going, tuple(pins), count_key in found)


def saved_key(user_id: str, raw: RawItem) -> Key:
    """Returns the key of the entry on the person's own shelf for one of their posts."""
    return keys.saved_post(user_id, row(Post, raw).post_id)


def _shelf_keys(user_id: str, items: Iterable[RawItem], choice: Choice) -> list[Key]:
    if Kept.SAVED not in choice.kept:
        return []
    return [saved_key(user_id, raw) for raw in items if kind_of(raw) != Kind.REPOSTS]


@dataclass(frozen=True, slots=True)
class OldPosts:
    """`days` is 0 while the wish is off. `is_running` says that posts are being deleted, by the wish or at once."""

    days: int
    choice: Choice
    next_run: datetime | None
    ran_at: datetime | None
    deleted: int
    is_running: bool

    @property
    def is_starting(self) -> bool:
        """Whether the wish waits for the worker, which looks every few seconds."""
        return self.next_run is not None and self.next_run <= utc_now()

    @property
    def is_busy(self) -> bool:
        return self.is_running or self.is_starting


@access_pattern
def get_old_posts(viewer: Viewer) -> OldPosts:
    """Returns what the viewer wants done with their old posts, and what came of it. A consistent BatchGetItem of
    OldPostsWish and the Job, 2 read units."""
    wish_key = keys.old_posts_wish(viewer.user_id)
    job_key = keys.job(JobKind.DELETE_POSTS, viewer.user_id)
    found = fetch([wish_key, job_key], consistent=True)
    wish = row(OldPostsWish, found.get(wish_key, {}))
    return OldPosts(
        days=int(wish.days or 0),
        choice=Choice.of(wish.chosen or ()),
        next_run=_moment(wish.next_run),
        ran_at=_moment(wish.ran_at),
        deleted=int(wish.deleted),
        is_running=job_key in found,
    )


def find_wish(user_id: str) -> OldPostsWish | None:
    """Returns the item for services and the worker. A consistent GetItem, 1 read unit."""
    with suppress(NotFound):
        return get(OldPostsWish, keys.old_posts_wish(user_id), consistent=True)
    return None


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


LOOKED_AT = 500  # posts, replies and reposts that are looked at to say how many go


@dataclass(frozen=True, slots=True)
class Preview:
    """How many of each kind would go, and whether newer ones were not looked at."""

    of_kind: Mapping[Kind, int]
    there_are_more: bool

    @property
    def count(self) -> int:
        return sum(self.of_kind.values())

    @property
    def posts(self) -> int:
        return self.of_kind.get(Kind.POSTS, 0)

    @property
    def replies(self) -> int:
        return self.of_kind.get(Kind.REPLIES, 0)

    @property
    def reposts(self) -> int:
        return self.of_kind.get(Kind.REPOSTS, 0)


def newest_to_go(days: int) -> str:
    """Returns the id up to which posts are at least this many days old now."""
    return ids.last_id_before(utc_now() - timedelta(days=days))


@access_pattern
def count_old_posts(viewer: Viewer, *, choice: Choice, until: str) -> Preview:
    """Returns how many of the viewer's posts up to this id would go by this choice, among the oldest 500 posts, replies
    and reposts.

    Query `PK = u#<id>#post` up to that id, 0.5 read units per 4 KB, at most 250; one BatchGetItem of the counts,
    0.5, and where saved posts stay of an entry on the shelf for each of them, 0.5 each, at most 250.
    """
    partition, bounds = keys.posts(viewer.user_id), keys.posts_until(until)
    rows = query(partition, between=bounds, limit=LOOKED_AT + 1)
    looked_at = list(islice(rows, LOOKED_AT + 1))
    going = which_go(viewer.user_id, looked_at[:LOOKED_AT], choice)
    return Preview(Counter(map(kind_of, going.items)), len(looked_at) > LOOKED_AT)
