"""Decides who may see a post. Every read asks, so that changes take effect at once, even if the stream worker is
behind."""

from collections.abc import Iterable
from dataclasses import dataclass

from accounts.cards import PersonCard
from accounts.viewer import Viewer
from feed.models import Audience, Post
from relations.models import Relation, RelationType
from relations.relation import blocks_either_way, is_in_force
from socialsite.table import keys
from socialsite.table.keys import Key
from socialsite.table.reading import RawItem
from socialsite.table.row import row


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
