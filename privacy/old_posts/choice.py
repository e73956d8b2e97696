"""What goes and what stays when many posts are deleted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from accounts.models import UserCount
from feed.models import Post, Repost
from socialsite.table import keys
from socialsite.table.keys import Key
from socialsite.table.reading import RawItem, fetch
from socialsite.table.row import row


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
