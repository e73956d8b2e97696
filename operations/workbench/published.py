"""The social network that AWS publishes as a model, read as a site. Nothing else imports this folder.

| Published                                   | Here                                                                  |
|---------------------------------------------|-----------------------------------------------------------------------|
| sort keys `"info"` and `"count"`, quoted    | without the quotation marks                                           |
| items without a type, ids in the keys alone | the type that exactly one pattern of keys gives, and its ids          |
| ids such as `12345`                         | ids of the same moment, the same for the same file (`ids_of_people`)   |
| Follower or Following                       | both sides of it                                                      |
| a Like, which does not name the author      | the author by the posts and timelines of the file, and the trace      |
| `etc` of a like count, a text               | the number; `etc` of a person is left out                             |
| `imageUrl` `s3://bucket/key`                | the key; dots alone are left out                                      |
| a `ttl` that has passed                     | 30 days from now                                                      |
| people and posts that are only named        | stubs that say so                                                     |

Whatever fits no rule stops the import before anything is written. Reading tolerantly instead would put quotation marks
and missing ids into every page, against the rule that ids are never read back out of a key.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from accounts.credentials.forms import HANDLE
from accounts.models import HandleClaim, UserCount, UserInfo, UserSettings
from feed.posts.models import LikeCount, Post, TimelineEntry
from feed.seed import like_items
from moderation.people.reads import entries_of
from relations.directory import directory_entries
from relations.seed import follow_items
from socialsite.clock import utc_now
from socialsite.table import Item, RawItem, ids


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


def is_published_key(partition: str, sort: str) -> bool:
    """Whether an item of the published model can have this key."""
    place = f"{_unquoted(partition)} {_unquoted(sort)}"
    return any(re.fullmatch(pattern, place) for pattern, _ in PATTERNS)


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


STEP = timedelta(seconds=1)


def ids_of_posts(named: Named, *, model: str) -> dict[str, str]:
    """Returns the id of each post: of the moment of its `timestamp`; of a post that is only named, a second after that
    of the next smaller number."""
    written = {
        post: datetime.fromtimestamp(int(raw["timestamp"]["S"]), UTC)
        for (_, post), raw in named.posts.items()
    }
    moment = _earliest(named)
    found = {}
    for post in sorted(named.authors, key=int):
        moment = written.get(post, moment + STEP)
        found[post] = _id(moment, model, "p", post)
    return found


def ids_of_people(named: Named, *, model: str) -> dict[str, str]:
    """Returns the id of each person: a millisecond apart in the order of their numbers, from a day before the oldest
    post."""
    first = _earliest(named) - timedelta(days=1)
    return {
        person: _id(first + timedelta(milliseconds=number), model, "u", person)
        for number, person in enumerate(sorted(named.people, key=int))
    }


def _earliest(named: Named) -> datetime:
    moments = [int(raw["timestamp"]["S"]) for raw in named.posts.values()]
    return datetime.fromtimestamp(min(moments, default=0) or 1_000_000_000, UTC)


def _id(moment: datetime, model: str, kind: str, published: str) -> str:
    digest = hashlib.sha256(f"{model} {kind} {published}".encode()).digest()
    return ids.id_at(moment, digest[:10])


STUB_BIO = "Named in the imported model, which says nothing else about them."
STUB_POST = "Named in the imported model, without its text."
KEPT = timedelta(days=30)  # from now, for timeline entries whose time has passed
PICTURE = re.compile(r"s3://[^/]+/(.+)")
PLACEHOLDER = re.compile(r"s3://\.*")


@dataclass
class Site:
    """The items of the imported site, and what had to be decided on the way."""

    items: list[Item] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    people: dict[str, str] = field(default_factory=dict)  # our ids by the published ones
    posts: dict[str, str] = field(default_factory=dict)
    handles: dict[str, str] = field(default_factory=dict)


def make_site(named: Named, *, model: str) -> Site:
    """Returns all items of a site that says what the file says. Raises `CannotMap`."""
    site = Site(people=ids_of_people(named, model=model), posts=ids_of_posts(named, model=model))
    for person in sorted(named.people, key=int):
        site.items += _person(site, named, person)
    for follower, followed in sorted(named.follows):
        site.items += follow_items(site.people[follower], site.people[followed])
    for post, author in sorted(named.authors.items()):
        site.items += _post_item(site, named, post, author)
    for post, liker in named.likes:
        where = {"post_id": site.posts[post], "author_id": site.people[named.authors[post]]}
        site.items += like_items(**where, user_id=site.people[liker])
    site.items += _timeline(site, named)
    return site


def _person(site: Site, named: Named, person: str) -> Iterator[Item]:
    user_id, raw = site.people[person], named.infos.get(person)
    name = raw["name"]["S"] if raw and "name" in raw else f"u{person}"
    handle = name if HANDLE.fullmatch(name) and name not in site.handles.values() else f"u{person}"
    site.handles[person] = handle
    info = UserInfo.new(user_id=user_id, handle=handle, name=name)
    if raw is None:
        info.bio = STUB_BIO
        site.told.append(f"u#{person} is only named. @{handle} is a stub.")
    else:
        info.bio = raw.get("content", {}).get("S")
        info.avatar = _picture(site, raw, f"u#{person}") or None
        if "etc" in raw:
            site.told.append(f"`etc` of u#{person} means nothing here and was left out.")
    yield info
    yield _count_item(site, named, person)
    yield UserSettings.new(user_id=user_id, seen=utc_now().date().isoformat())
    yield HandleClaim.new(handle=handle, user_id=user_id)
    yield from directory_entries(user_id=user_id, handle=handle, name=name)
    yield from entries_of(info)


def _count_item(site: Site, named: Named, person: str) -> UserCount:
    """Keeps published counts, though its few edges do not add up to them, and counts for everyone else."""
    count = UserCount.new(user_id=site.people[person])
    count.followers = sum(followed == person for _, followed in named.follows)
    count.following = sum(follower == person for follower, _ in named.follows)
    count.posts = sum(author == person for author in named.authors.values())
    if raw := named.counts.get(person):
        here = count.followers, count.following, count.posts
        count.followers, count.following, count.posts = (int(raw[name]["N"]) for name in COUNTERS)
        if (count.followers, count.following, count.posts) != here:
            site.told.append(
                f"The counts of u#{person} stay as published. The file has {here[0]} followers, {here[1]} people "
                f"followed and {here[2]} posts. `manage.py audit` tells of this, and `reconcile` would end it."
            )
    return count


def _post_item(site: Site, named: Named, post: str, author: str) -> Iterator[Item]:
    post_id, raw = site.posts[post], named.posts.get((author, post))
    if raw is None:
        site.told.append(f"p#{post} is only named. The post is a stub.")
    elif _picture(site, raw, f"p#{post}"):
        raise CannotMap(f"p#{post} has a picture. Photos of posts cannot be imported.")
    content = raw.get("content", {}).get("S", "") if raw else STUB_POST
    yield Post.new(post_id=post_id, author_id=site.people[author], content=content)
    count = LikeCount.new(post_id=post_id)
    count.likes = named.like_counts.get(post, 0)
    yield count


def _timeline(site: Site, named: Named) -> Iterator[Item]:
    now = utc_now()
    for (reader, post, author), end in sorted(named.timeline.items()):
        until = datetime.fromtimestamp(end, UTC)
        if until <= now:
            site.told.append(
                f"p#{post} in the timeline of u#{reader} expired on {until:%Y-%m-%d}. It stays 30 days."
            )
            until = now + KEPT
        yield TimelineEntry.new(
            user_id=site.people[reader],
            post_id=site.posts[post],
            author_id=site.people[author],
            ttl=until,
        )


def _picture(site: Site, raw: RawItem, place: str) -> str:
    """Returns the key in the bucket of uploads, "" without a picture. Raises `CannotMap` for other addresses."""
    address = raw.get("imageUrl", {}).get("S", "")
    if not address:
        return ""
    if PLACEHOLDER.fullmatch(address):
        site.told.append(f"The picture of {place} is {address}, a placeholder, and was left out.")
        return ""
    if match := PICTURE.fullmatch(address):
        return match[1]
    raise CannotMap(
        f"The picture of {place} is at {address}. Only s3://bucket/key can be imported."
    )
