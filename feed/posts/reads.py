"""Where a post is, and who may see it.

Lists hold pointers, which become cards when they are read (`feed/cards/reads.py`). Also in which lists a post stands,
and under which tags: on the page of a tag, and in the home timelines of those who follow it. Every read asks
`can_view`, so that changes take effect at once, even if the stream worker is behind.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import NamedTuple

from django.conf import settings

from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer
from feed.posts.models import Audience, Post, Reply, Repost, Story, TimelineEntry
from feed.posts.writes import earlier
from relations.models import Relation, RelationType
from relations.relation import blocks_either_way, is_in_force
from socialsite.table import Key, RawItem, ids, keys, row
from socialsite.texts import tags_in


class Pointer(NamedTuple):
    """The place of a post, in its author's partition. Of a reply also the root with its author, and the person
    answered, if the list knows them: then they are read together with it."""

    post_id: str
    author_id: str
    root_id: str = ""
    root_author_id: str = ""
    reply_to_author_id: str = ""
    repost_of: str = ""  # the post that a repost shows; then the thread above is that post's
    repost_of_author_id: str = ""
    quote_of: str = ""  # the post that it quotes
    quote_of_author_id: str = ""
    tag: str = ""  # under which the post was found, or which brought it into a timeline

    @property
    def shown(self) -> "Pointer":
        """The post that stands on the page: that of a repost, or the post itself."""
        if not self.repost_of:
            return self
        return Pointer(self.repost_of, self.repost_of_author_id, *self[2:5])

    @property
    def quoted(self) -> "Pointer":
        """The post that it quotes, if it does."""
        return Pointer(self.quote_of, self.quote_of_author_id)


def is_plain(pointer: Pointer) -> bool:
    """Whether it leads to a post alone: to no reply, repost or quote, and to none that a tag brought."""
    return not any(pointer[2:])


def pointer_of(raw: RawItem) -> Pointer:
    """Returns the pointer of a raw item that has the ids of a post and its author: `Post`, `Repost`, `TimelineEntry`,
    `PublicEntry`, `TagEntry`, `Like`, `Quote`."""
    # A page asks some sixty times, so the strings are taken from the raw item itself.
    return Pointer(*[raw[name].get("S", "") if name in raw else "" for name in _stored_names()])


@cache
def _stored_names() -> tuple[str, ...]:
    attributes = TimelineEntry.get_attributes()
    return tuple(attributes[name].attr_name for name in Pointer._fields)


def pointer_of_post(post: Post | Reply | Repost | TimelineEntry) -> Pointer:
    """Returns the pointer of a post or repost: of its ids those that it has."""
    return Pointer(*(getattr(post, name, None) or "" for name in Pointer._fields))


def answers_another(post: Post) -> bool:
    """Whether the post answers someone else. The parts of a story answer their own author."""
    return bool(post.reply_to) and post.reply_to_author_id != post.author_id


def stands_in_lists(post: Post) -> bool:
    """Whether lists of its author's posts name it: it answers nobody else, and the further posts of a story stand with
    the first one."""
    return not answers_another(post) and post.story != Story.PART


def goes_out(post: Post) -> bool:
    """Whether a post comes into timelines, as lists name it and its author wrote it here: what was brought from
    elsewhere is found where people look for it, and brought to nobody."""
    return stands_in_lists(post) and not post.imported


def entry_of(pointer: Pointer, reader_id: str, *, ends: datetime | None) -> TimelineEntry:
    """Returns the entry of a post in a person's timeline. `ends` is the end of a post that does not stay."""
    end = earlier(timeline_end(ids.time_of(pointer.post_id)), ends)
    return TimelineEntry.new(user_id=reader_id, ttl=end, **pointer._asdict())


def timeline_end(created: datetime) -> datetime:
    """Returns the moment until which a post stays in timelines: a whole second, as DynamoDB keeps the ends of items."""
    return created.replace(microsecond=0) + timedelta(days=settings.TIMELINE_DAYS)


def listed_tags(post: Post | None) -> frozenset[str]:
    """Returns the tags under which a post stands: those in its text, if it is for everyone, seen by others, and no
    answer to somebody else."""
    if post is None or post.audience or post.withheld or answers_another(post):
        return frozenset()
    return frozenset(tags_in(post.content or ""))  # a parked record keeps no text


@dataclass(frozen=True, slots=True)
class Sight:
    """What a viewer is to an author. The default is nothing, so that nothing is granted without a check."""

    is_hidden: bool = False  # one of the two blocks the other
    follows: bool = False
    is_friend: bool = False
    circles: tuple[str, ...] = ()  # the author's circles that the viewer is in


STRANGER = Sight()


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a reply's thread: the root, or the gate that a deleted root left, with its author. The default is a
    thread of which nothing is left."""

    raw: RawItem | None = None
    author: PersonCard | None = None
    sight: Sight = STRANGER


NO_HEAD = Head()


def can_view(
    viewer: Viewer,
    raw: RawItem | None,
    author: PersonCard | None,
    sight: Sight = STRANGER,
    *,
    head: Head = NO_HEAD,
) -> bool:
    """Whether the viewer may see a post. Denies by default: the post and its author must exist, and the viewer must be
    in its audience. A reply is for those whom the root of its thread is for. Every read of a post passes through
    here."""
    if raw is None or author is None:
        return False
    if author.is_self:
        return True
    post = row(Post, raw)
    if author.is_locked_out or post.withheld:
        return False
    if sight.is_hidden:
        return False
    if post.root_id:
        return is_open(head)
    return _is_for(raw, author, sight)


def is_open(head: Head) -> bool:
    """Whether the viewer is among those whom a thread is for. They may not see the root itself, if its author and they
    block each other or a moderator hid it: the answers of others stay."""
    if head.raw is None or head.author is None:
        return False
    return head.author.is_self or _is_for(head.raw, head.author, head.sight)


def _is_for(raw: RawItem, author: PersonCard, sight: Sight) -> bool:
    post = row(Post, raw)
    match audience_of(raw, author):
        case Audience.EVERYONE:
            return True
        case Audience.FOLLOWERS:
            return sight.follows
        case Audience.FRIENDS:
            return sight.is_friend
        case Audience.CIRCLE:
            return sight.is_friend and post.circle in sight.circles
    return False


def audience_of(raw: RawItem, author: PersonCard) -> str:
    """Returns the audience of a post. A post for everyone is for followers once its author has locked older posts."""
    post = row(Post, raw)
    chosen = post.audience
    is_archived = post.post_id < author.archived_before
    if not chosen and is_archived:
        return Audience.FOLLOWERS
    return chosen


def is_for_some(raw: RawItem, author: PersonCard) -> bool:
    """Whether the post can only be shown after checking what the viewer is to the author."""
    return not author.is_self and audience_of(raw, author) != Audience.EVERYONE


def block_keys(viewer: Viewer, author_ids: Iterable[str]) -> list[Key]:
    """Returns the keys that say whether the viewer and each author are hidden from each other: one of the viewer's own
    keys for each author."""
    return [
        keys.relation(viewer.user_id, RelationType.BLOCK, author_id)
        for author_id in dict.fromkeys(author_ids)
        if viewer.is_authenticated and author_id != viewer.user_id
    ]


def mute_keys(viewer: Viewer, author_ids: Iterable[str]) -> dict[str, Key]:
    """Returns, by author, the keys that say whether the viewer mutes them, for lists that the viewer did not ask
    for."""
    return {
        author_id: keys.relation(viewer.user_id, RelationType.MUTE, author_id)
        for author_id in author_ids
        if viewer.is_authenticated and author_id != viewer.user_id
    }


def sight_keys(viewer: Viewer, author_ids: Iterable[str]) -> list[Key]:
    """Returns the other keys: whether the viewer follows each author, and is their friend, with the circles."""
    return [
        key
        for author_id in dict.fromkeys(author_ids)
        if viewer.is_authenticated and author_id != viewer.user_id
        for key in (
            keys.following(viewer.user_id, author_id),
            keys.relation(author_id, RelationType.FRIEND, viewer.user_id),
        )
    ]


def sight_of(viewer: Viewer, author_id: str, found: dict[Key, RawItem]) -> Sight:
    """Builds the `Sight` from the fetched items of both people. A missing item grants nothing."""
    friend = found.get(keys.relation(author_id, RelationType.FRIEND, viewer.user_id))
    block = found.get(keys.relation(viewer.user_id, RelationType.BLOCK, author_id))
    follows = keys.following(viewer.user_id, author_id) in found
    if not (friend or block or follows):
        return STRANGER
    is_friend = is_in_force(friend)
    return Sight(
        is_hidden=blocks_either_way(block),
        follows=follows,
        is_friend=is_friend,
        circles=tuple(row(Relation, friend).tags) if friend and is_friend else (),
    )
