"""Takes the published items apart: the only place that reads ids out of keys."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from socialsite.table.reading import RawItem


class CannotMap(Exception):
    """The file has something that no rule of the adapter fits."""


@dataclass
class Named:
    """What the file says, under its own ids."""

    infos: dict[str, RawItem] = field(default_factory=dict)
    counts: dict[str, RawItem] = field(default_factory=dict)
    follows: set[tuple[str, str]] = field(default_factory=set)  # follower, followed
    posts: dict[tuple[str, str], RawItem] = field(default_factory=dict)  # author, post
    likes: list[tuple[str, str]] = field(default_factory=list)  # post, liker
    like_counts: dict[str, int] = field(default_factory=dict)  # by post
    timeline: dict[tuple[str, str, str], int] = field(default_factory=dict)  # reader, post, author

    @property
    def authors(self) -> dict[str, str]:
        """The author of each post that a post or a timeline names. Raises `CannotMap` if two are named."""
        found: dict[str, str] = {}
        pairs = [(post, author) for author, post in self.posts]
        for post, author in [*pairs, *((post, author) for _, post, author in self.timeline)]:
            if found.setdefault(post, author) != author:
                raise CannotMap(f"Post {post} has two authors, {found[post]} and {author}.")
        return found

    @property
    def people(self) -> set[str]:
        """Everyone who is named."""
        return {
            *self.infos,
            *self.counts,
            *(person for pair in self.follows for person in pair),
            *self.authors.values(),
            *(liker for _, liker in self.likes),
            *(reader for reader, _, _ in self.timeline),
        }


def read_published(items: Iterable[RawItem]) -> Named:
    """Returns what the items say. Raises `CannotMap` for the first one that no rule fits."""
    named = Named()
    for raw in items:
        partition, sort = (_unquoted(_text(raw, name)) for name in ("PK", "SK"))
        fits = [
            (take, match)
            for pattern, take in PATTERNS
            if (match := re.fullmatch(pattern, f"{partition} {sort}"))
        ]
        if len(fits) != 1:
            raise CannotMap(f"No item of the published model has the key {partition!r}, {sort!r}.")
        take, match = fits[0]
        _only(raw, TAKES[take], f"{partition}, {sort}")
        take(named, raw, *match.groups())
    missing = {post for post, _ in named.likes} | set(named.like_counts)
    if unknown := sorted(missing - set(named.authors)):
        raise CannotMap(f"Nothing says who wrote post {unknown[0]}, which has likes.")
    return named


def _info(named: Named, raw: RawItem, person: str) -> None:
    named.infos[person] = raw


def _count(named: Named, raw: RawItem, person: str) -> None:
    for name in COUNTERS:
        _number(raw, name, "N")
    named.counts[person] = raw


def _follower(named: Named, raw: RawItem, followed: str, follower: str) -> None:
    named.follows.add((follower, followed))


def _following(named: Named, raw: RawItem, follower: str, followed: str) -> None:
    named.follows.add((follower, followed))


def _post(named: Named, raw: RawItem, author: str, post: str) -> None:
    _number(raw, "timestamp", "S")
    named.posts[author, post] = raw


def _like(named: Named, raw: RawItem, post: str, liker: str) -> None:
    named.likes.append((post, liker))


def _like_count(named: Named, raw: RawItem, post: str) -> None:
    named.like_counts[post] = _number(raw, "etc", "S")


def _entry(named: Named, raw: RawItem, reader: str, post: str, author: str) -> None:
    named.timeline[reader, post, author] = _number(raw, "ttl", "N")


Take = Callable[..., None]
COUNTERS = ("follower#", "following#", "post#")
PATTERNS: tuple[tuple[str, Take], ...] = (
    (r"u#(\d+) info", _info),
    (r"u#(\d+) count", _count),
    (r"u#(\d+)#follower u#(\d+)", _follower),
    (r"u#(\d+)#following u#(\d+)", _following),
    (r"u#(\d+)#post p#(\d+)", _post),
    (r"p#(\d+)#likelist u#(\d+)", _like),
    (r"p#(\d+)#likecount count", _like_count),
    (r"u#(\d+)#timeline p#(\d+)#u#(\d+)", _entry),
)
TAKES: dict[Take, set[str]] = {
    _info: {"name", "content", "imageUrl", "etc"},
    _count: set(COUNTERS),
    _follower: set(),
    _following: set(),
    _post: {"content", "imageUrl", "timestamp"},
    _like: set(),
    _like_count: {"etc"},
    _entry: {"ttl"},
}


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def _only(raw: RawItem, known: set[str], place: str) -> None:
    if unknown := sorted(set(raw) - known - {"PK", "SK"}):
        raise CannotMap(
            f"The item {place} has {unknown[0]}, which the published model does not have there."
        )


def _text(raw: RawItem, name: str) -> str:
    value: Any = raw.get(name, {}).get("S")
    if not isinstance(value, str):
        raise CannotMap(f"{name} must be a text in each item.")
    return value


def _number(raw: RawItem, name: str, kind: str) -> int:
    value = raw.get(name, {}).get(kind, "")
    if not re.fullmatch(r"\d{1,18}", value):
        raise CannotMap(f"{name} of {raw['PK']['S']} is {value!r} and should be digits.")
    return int(value)
