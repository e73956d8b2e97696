"""What must hold for home timelines, and for the lists of the newest posts of widely followed authors, once the stream
worker has caught up: whose posts are in them, and whose are missing. An entry may point at a post that is gone, or that
its audience hides from the owner. Neither is ever shown, and both expire. Clears timelines whose unfollow was lost with
a stream record."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.conf import settings

from accounts.models import PULLED, UserInfo, UserSettings
from feed.posts.models import Audience, Post, Repost, TimelineEntry
from feed.posts.reads import goes_out, timeline_end
from feed.timelines.big_authors import Merged, Noted
from feed.timelines.models import RecentPosts
from feed.timelines.writes import END_MUTE, plan_end_of_mute, subject_of_end
from relations.models import FollowedTag, Follower, Following, Listing, Relation, RelationType
from relations.own_choices.writes import followed_tags_now
from relations.relation import is_in_force
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.invariants import must_hold
from socialsite.table import (
    Item,
    RawItem,
    as_model,
    change,
    fetch,
    ids,
    keys,
    query,
    reading,
    row,
    write_batch,
)

Pair = tuple[str, str]

FANNED_OUT_TO_FOLLOWERS = (Audience.EVERYONE, Audience.FOLLOWERS)
FANNED_OUT_TO_FRIENDS = (Audience.FRIENDS, Audience.CIRCLE)
LOOKED_FOR = 20  # an author's newest posts; a follow backfills 40, but some may be deleted later


@must_hold
@dataclass
class TimelineInvariants:
    """Give it every item with `add`, then ask for `results`. Pairs are of reader and author."""

    entries: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    by_tag: dict[Pair, str] = field(default_factory=dict)  # by timeline and post
    followed_tags: set[Pair] = field(default_factory=set)  # reader and tag
    audiences: dict[str, str] = field(default_factory=dict)
    posts: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    follows: set[Pair] = field(default_factory=set)
    muted_until: dict[Pair, str] = field(default_factory=dict)
    mutes: set[Pair] = field(default_factory=set)
    ending_mutes: set[str] = field(default_factory=set)
    planned: set[str] = field(default_factory=set)
    readers: dict[str, UserSettings] = field(default_factory=dict)
    pulled: set[str] = field(default_factory=set)
    noted: dict[str, dict[str, int]] = field(default_factory=dict)  # when, by author and post

    def add(self, item: Item) -> None:
        match item:
            case TimelineEntry():
                if item.ttl > utc_now():
                    self.entries[item.pk][item.post_id] = item.author_id
                    if item.tag:
                        self.by_tag[item.pk, item.post_id] = item.tag
            case FollowedTag():
                self.followed_tags.add((item.user_id, item.tag))
            case Post():
                self.audiences[item.post_id] = item.audience or Audience.EVERYONE
                has_ended = item.ttl and item.ttl <= utc_now()
                if goes_out(item) and not has_ended:  # a reply is for those who follow both
                    self.posts[item.author_id].append(item.post_id)
            case Repost() if not item.ttl:
                self.audiences[item.post_id] = Audience.EVERYONE
                self.posts[item.author_id].append(item.post_id)
            case Following():
                self.follows.add((item.user_id, item.followed_id))
            case Follower():
                if item.muted_until:
                    self.muted_until[item.follower_id, item.user_id] = item.muted_until
            case Relation():
                if item.relation_type == RelationType.MUTE and _is_in_force(item):
                    self.mutes.add((item.user_id, item.other_id))
                    if item.until:
                        self.ending_mutes.add(subject_of_end(item))
            case Due() if item.kind == END_MUTE:
                self.planned.add(item.subject)
            case UserSettings():
                self.readers[item.user_id] = item
            case UserInfo():
                if item.reading == PULLED:
                    self.pulled.add(item.user_id)
            case RecentPosts():
                posts = [Noted.read(text, item.user_id) for text in item.posts or ()]
                self.noted[item.user_id] = {one.pointer.post_id: one.at for one in posts}

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        return {
            "timelines hold nobody who is muted or not followed": sorted(self._astray()),
            "timelines miss no new post of those who are followed": sorted(self._missing()),
            "every mute for a time has its end planned": sorted(self.ending_mutes - self.planned),
            "whom one pulls, one follows": [
                f"{user_id}: {author_id}"
                for user_id, reader in self.readers.items()
                for author_id in sorted(reader.pulled or ())
                if (user_id, author_id) not in self.follows
            ],
        }

    def _astray(self) -> Iterator[str]:
        for user_id, reader in self.readers.items():
            passed_over = {user_id, *(reader.hidden or ())}
            for post_id, author_id in self.entries.get(keys.timeline(user_id), {}).items():
                if author_id in passed_over or post_id not in self.audiences:
                    continue
                if tag := self.by_tag.get((keys.timeline(user_id), post_id)):
                    # A mute of its author is asked for by each read.
                    if (user_id, tag) not in self.followed_tags:
                        yield f"{user_id}: {post_id} by #{tag}"
                    continue
                pair = user_id, author_id
                for_friends = self.audiences[post_id] in FANNED_OUT_TO_FRIENDS
                if pair in self.mutes or not (for_friends or pair in self.follows):
                    yield f"{user_id}: {post_id} by {author_id}"

    def _missing(self) -> Iterator[str]:
        now = utc_now()
        here_since = (now - timedelta(days=settings.ABSENT_AFTER_DAYS)).date().isoformat()
        newest = {author_id: self._newest(author_id, now) for author_id in self.posts}
        for user_id, author_id in self.follows - self.mutes:
            reader = self.readers.get(user_id)
            if reader is None or reader.seen < here_since or author_id in (reader.hidden or ()):
                continue
            wanted = newest.get(author_id, [])
            if author_id in (reader.pulled or ()):
                wanted = self._merged(reader, author_id, wanted)
            elif author_id in self.pulled:
                yield f"{user_id}: does not pull {author_id}"
                continue
            muted_until = self.muted_until.get((user_id, author_id), "")
            entries = self.entries.get(keys.timeline(user_id), {})
            for post_id in wanted:
                if post_id not in entries and ids.time_of(post_id).isoformat() > muted_until:
                    yield f"{user_id}: {post_id} by {author_id}"

    def _merged(self, reader: UserSettings, author_id: str, posts: list[str]) -> list[str]:
        """Returns those of an author's posts that the reader's timeline must have, as it was merged after them."""
        since, noted = Merged.read(reader.merged or "").since, self.noted.get(author_id, {})
        return [post_id for post_id in posts if noted.get(post_id, since + 1) <= since]

    def _newest(self, author_id: str, now: datetime) -> list[str]:
        found = sorted(self.posts[author_id], reverse=True)[
            : min(LOOKED_FOR, settings.BACKFILL_POSTS)
        ]
        return [
            post_id
            for post_id in found
            if self.audiences[post_id] in FANNED_OUT_TO_FOLLOWERS
            and timeline_end(ids.time_of(post_id)) > now
        ]


def _is_in_force(relation: Relation) -> bool:
    if relation.delete_status:
        return False
    return not relation.until or datetime.fromisoformat(relation.until) > utc_now()


LOOKED_FOR_IN_LIST = 10  # of an author's posts; deleted ones may take places in the list


@must_hold
@dataclass
class RecentPostsInvariants:
    """Give it every item with `add`, then ask for `results`."""

    kept: set[str] = field(default_factory=set)  # widely followed, or in someone's list
    known: dict[str, bool] = field(default_factory=dict)  # as in someone's list
    in_lists: set[str] = field(default_factory=set)
    posts: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    listed: dict[str, set[str]] = field(default_factory=dict)

    def add(self, item: Item) -> None:
        match item:
            case UserInfo():
                if item.reading == PULLED or item.listed:
                    self.kept.add(item.user_id)
                self.known[item.user_id] = bool(item.listed)
            case Listing():
                self.in_lists.add(item.user_id)
            case Post() | Repost():
                has_ended = item.ttl and item.ttl <= utc_now()
                if not has_ended and _is_for_followers(item):
                    self.posts[item.author_id].append(item.post_id)
            case RecentPosts():
                self.listed[item.user_id] = {text.split(",")[0] for text in item.posts or ()}

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        return {
            "the lists of widely followed authors lack none of their newest posts": sorted(
                self._missing()
            ),
            "who is in a list has their newest posts kept": sorted(
                user_id for user_id in self.in_lists if not self.known.get(user_id, True)
            ),
        }

    def _missing(self) -> Iterator[str]:
        for author_id in self.kept & self.posts.keys():
            listed = self.listed.get(author_id)
            if listed is None:
                yield f"{author_id}: has no list"
                continue
            # Posts that gained followers late, and are older than all in a full list, stay out of it.
            for post_id in sorted(self.posts[author_id], reverse=True)[:LOOKED_FOR_IN_LIST]:
                if post_id not in listed and not (listed and post_id < min(listed)):
                    yield f"{author_id}: {post_id}"


def _is_for_followers(post: Post | Repost) -> bool:
    if isinstance(post, Repost):
        return True
    audience = post.audience or Audience.EVERYONE
    return audience in (Audience.EVERYONE, Audience.FOLLOWERS) and goes_out(post)


def clear_strangers(user_id: str, user_settings: RawItem) -> None:
    """Takes posts of people who are neither followed nor friends out of a timeline, and stops pulling people who are
    not followed. Friends may stay, because posts for friends reach them without a follow, and posts that a followed tag
    brought.

    Queries of the timeline and of the followed tags, and BatchGetItems of a follow edge and a friendship for each
    author, consistent; BatchWriteItems of the entries to delete. Rebuild the timeline afterwards: that brings back
    posts of people who were followed just then.
    """
    entries: dict[str, list[keys.Key]] = {}
    tags = followed_tags_now(user_id)
    for raw in query(keys.timeline(user_id), consistent=True):
        entry = row(TimelineEntry, raw)
        if entry.tag not in tags:
            entries.setdefault(entry.author_id, []).append(reading.key_of(raw))
    pulled = set(row(UserSettings, user_settings).pulled)
    authors = {*entries, *pulled} - {user_id}
    edges = {author: keys.following(user_id, author) for author in authors}
    friendships = {
        author: keys.relation(user_id, RelationType.FRIEND, author) for author in authors
    }
    found = fetch([*edges.values(), *friendships.values()], consistent=True)
    followed = {author for author in authors if edges[author] in found}
    friends = {author for author in authors if is_in_force(found.get(friendships[author]))}
    if no_longer := pulled - followed:
        settings_key = keys.user_settings(user_id)
        change(UserSettings, settings_key, [UserSettings.pulled.delete(no_longer)])
        again = fetch([edges[author] for author in no_longer], consistent=True)
        if back := {author for author in no_longer if edges[author] in again}:
            change(UserSettings, settings_key, [UserSettings.pulled.add(back)])
    strangers = authors - followed - friends
    write_batch(deletes=(key for author_id in strangers for key in entries.get(author_id, ())))


def plan_ends_of_mutes(relations: Sequence[RawItem]) -> None:
    """Plans the ends of those of the raw relationships that are mutes for a time. 2 write units each."""
    for raw in filter(is_in_force, relations):
        plan_end_of_mute(as_model(Relation, raw))
