"""Makes the site's items of what the published model names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from accounts.forms.account import HANDLE
from accounts.models import HandleClaim, UserCount, UserInfo, UserSettings
from feed.models import LikeCount, Post, TimelineEntry
from feed.seed import like_items
from moderation.people.entries import entries_of
from operations.workbench.published.ids_of import ids_of_people, ids_of_posts
from operations.workbench.published.reading import COUNTERS, CannotMap, Named
from relations.directory import directory_entries
from relations.seed import follow_items
from socialsite.clock import utc_now
from socialsite.table.item import Item
from socialsite.table.reading import RawItem

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
        site.items += _post(site, named, post, author)
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
    yield _count(site, named, person)
    yield UserSettings.new(user_id=user_id, seen=utc_now().date().isoformat())
    yield HandleClaim.new(handle=handle, user_id=user_id)
    yield from directory_entries(user_id=user_id, handle=handle, name=name)
    yield from entries_of(info)


def _count(site: Site, named: Named, person: str) -> UserCount:
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


def _post(site: Site, named: Named, post: str, author: str) -> Iterator[Item]:
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
