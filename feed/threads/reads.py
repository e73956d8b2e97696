"""The page of a post: what it answers, the post, and what was answered; and whether someone may answer.

The author of the root chose a rule for the whole thread. The page asks `why_closed` before it shows a composer, and the
transaction that writes a reply holds the same rule once more (`must_be_allowed`).

Replies are nested only where a post has several answers. Answers that follow each other without a fork are a chain,
shown as a line of posts under each other, so a long talk between two people runs down the page, not off its side.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice

from django.utils.translation import gettext as _

from accounts.people.viewer import Viewer
from feed.cards.muting import IN_LISTS, OF_ONES_OWN, quieten, quieten_one
from feed.cards.post_card import PostCard
from feed.cards.reads import Fetched, card_of, head_of, keys_of_page, state_keys, visible_posts
from feed.posts.models import Post, Replies, Reply, Repost, ThreadGate
from feed.posts.reads import (
    Head,
    Pointer,
    Sight,
    block_keys,
    can_view,
    mute_keys,
    pointer_of,
    sight_keys,
    sight_of,
)
from feed.posts.writes import has_audience, is_there, is_version
from feed.threads.pages import ABOVE, Below, path_of, places_above, read_below, read_parts_before
from relations.models import RelationType
from relations.muted_words.reads import muted_keys
from relations.relation import IN_FORCE, is_in_force
from socialsite.table import (
    Check,
    Key,
    NotFound,
    Place,
    RawItem,
    TableError,
    WriteAction,
    access_pattern,
    keys,
    query,
    read_cursor,
    row,
    write_cursor,
)
from socialsite.table.reading import BATCH_GET_LIMIT


class CannotReply(TableError):
    """The thread takes no reply of this person. `sentence` says why."""

    status = 403

    def __init__(self, sentence: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence


class NoLongerAllowed(TableError):
    """The person was allowed to answer when the thread was read, and is not any more."""


def why_closed(viewer: Viewer, root: RawItem | None, sight: Sight) -> str:
    """Returns why the viewer may not answer in the thread of this root, in a sentence; empty if they may."""
    if root is None:
        return _("The first post of this conversation is gone, so it takes no more replies.")
    post = row(Post, root)
    if post.author_id == viewer.user_id:
        return ""
    match post.replies:
        case Replies.FOLLOWERS if not sight.follows:
            return _("Only followers of the author can reply.")
        case Replies.FRIENDS if not sight.is_friend:
            return _("Only friends of the author can reply.")
        case Replies.MENTIONED if not is_mentioned(viewer.user_id, root):
            return _("Only people mentioned in the first post can reply.")
        case Replies.NOBODY:
            return _("The author has turned replies off.")
    return ""


def is_mentioned(user_id: str, root: RawItem) -> bool:
    """Whether a raw root mentions the person, by their id: a handle may be somebody else's by now."""
    mentioned = root.get("mentions", {}).get("M", {})
    return any(one["S"] == user_id for one in mentioned.values())


def must_be_allowed(by: Viewer, root: RawItem) -> Iterator[WriteAction]:
    """Yields the conditions on which the reply is written: the root is as it was read, and the relationship that its
    author asks for still holds."""
    post = row(Post, root)
    policy = post.replies
    as_read = (
        is_there()
        & Post.withheld.does_not_exist()
        & (Post.replies == policy if policy else Post.replies.does_not_exist())
        & has_audience(post)
    )
    if policy == Replies.MENTIONED:  # an edit may have taken the mention away
        as_read &= is_version(post)
    yield Check(keys.post(post.author_id, post.post_id), as_read, NoLongerAllowed)
    if post.author_id == by.user_id:
        return
    match policy:
        case Replies.FOLLOWERS:
            yield Check(keys.following(by.user_id, post.author_id), otherwise=NoLongerAllowed)
        case Replies.FRIENDS:
            friendship = keys.relation(post.author_id, RelationType.FRIEND, by.user_id)
            yield Check(friendship, IN_FORCE, NoLongerAllowed)


class Stub(StrEnum):
    """Why a post is not shown where others answered it."""

    NONE = ""
    DELETED = "deleted"
    DISAPPEARED = "disappeared"  # by itself, as its author chose
    HIDDEN = "hidden"  # from this viewer: the reason is not told
    MUTED = "muted"  # for a word that the viewer mutes


@dataclass(slots=True)
class Node:
    """A reply on the page, or what stands in its place."""

    post_id: str
    answers_id: str
    card: PostCard | None = None
    stub: Stub = Stub.NONE
    names_answered: bool = False  # the post that it answers does not stand right above it
    more_url: str = ""  # where the rest of its branch is, if the page leaves some out
    is_muted: bool = False  # the viewer mutes its author: the card is behind a line that opens
    is_set_aside: bool = False  # by the author of the thread, with what is below it


@dataclass(slots=True)
class Branch:
    """A chain of posts, each the only answer to the one before, and the branches that the last one forks into."""

    chain: list[Node]
    branches: list["Branch"] = field(default_factory=list)


def as_branches(nodes: Iterable[Node], focus_id: str) -> tuple[list[Branch], list[Branch]]:
    """Returns the nodes, which are in the order of their paths, as the branches below a post, and the branches that
    were set aside."""
    known: dict[str, list[Node]] = {}
    tops: list[Node] = []
    aside: list[Node] = []
    for node in nodes:
        known[node.post_id] = []
        if node.is_set_aside:
            node.names_answered = node.answers_id != focus_id
            aside.append(node)
        elif node.answers_id in known:
            known[node.answers_id].append(node)
        else:
            node.names_answered = node.answers_id != focus_id
            tops.append(node)
    shown, hidden = (
        [branch for node in some if (branch := _branch(node, known))] for some in (tops, aside)
    )
    return shown, hidden


def _branch(node: Node, answers: dict[str, list[Node]]) -> Branch | None:
    """Returns the branch from a node on; None if nothing of it can be shown."""
    below = [branch for one in answers[node.post_id] if (branch := _branch(one, answers))]
    if node.stub and not below:
        return None
    if len(below) == 1:
        return Branch([node, *below[0].chain], below[0].branches)
    return Branch([node], below)


LIKES_READ = 200


@dataclass(frozen=True, slots=True)
class Conversation:
    """A post in its thread. `above` leads from the root to the post; `left_out` says that some between are missing.
    `set_aside` are the replies of this page that the author of the thread hid behind the others.
    `why_closed` says why the viewer cannot answer, empty if they can. `left` says that they are not told of replies."""

    post: PostCard
    above: Sequence[Node]
    left_out: bool
    branches: Sequence[Branch]
    set_aside: Sequence[Branch]
    next_cursor: str | None
    previous_cursor: str | None
    why_closed: str
    left: bool


@dataclass(frozen=True, slots=True)
class Rest:
    """The address of a conversation, and what its cursors are written for."""

    url: str
    scope: str

    def after(self, raw: RawItem) -> str:
        return f"{self.url}?page={write_cursor(self.scope, Place('next', path_of(raw)))}"


@access_pattern
def get_conversation(
    post_id: str, author_id: str, *, viewer: Viewer, cursor: str | None = None
) -> Conversation:
    """Returns a post, what it answers, and a page of at most 50 replies below it, the first or one next to another:
    branch by branch, the oldest first, of each branch the first ten. Raises `NotFound`, also if the viewer may not see
    the post, and `BadCursor`.

    One BatchGetItem of the post, and a second one of what is above a reply. One Query of the replies (more only for
    stories and loud branches, `pages.py`), one of the viewer's likes between the oldest and the newest of them, and one
    BatchGetItem of counts, authors, blocks and mutes, at most 100 keys: the page ends where they are full. 4 + 3 + 50
    read units. A visitor's page has a Query less.
    """
    fetched = Fetched()
    fetched.more(
        [
            *keys_of_page([Pointer(post_id, author_id)], viewer=viewer),
            *block_keys(viewer, [author_id]),
            *sight_keys(viewer, [author_id]),
            keys.left_thread(viewer.user_id, post_id),
            *muted_keys(viewer),
        ]
    )
    raw = fetched.items.get(keys.post(author_id, post_id))
    if raw is None or row(Repost, raw).repost_of:
        raise NotFound("no such post")
    pointer, path = pointer_of(raw), row(Post, raw).path
    above = _read_above(pointer, path, fetched, viewer)
    visible = visible_posts([raw], fetched, viewer=viewer)
    visible = quieten(visible, fetched.mutes(viewer), OF_ONES_OWN)
    if not visible:
        raise NotFound("no such post")
    root = Pointer(pointer.root_id or post_id, pointer.root_author_id or author_id)
    scope = f"{keys.thread(root.post_id)} {path}"
    below = read_below(root.post_id, path, place=read_cursor(scope, cursor) if cursor else None)
    _fetch_state(above, below, fetched, viewer)
    root_raw = fetched.items.get(keys.post(root.author_id, root.post_id))
    sight = sight_of(viewer, root.author_id, fetched.items)
    head = head_of(pointer, fetched, viewer) if path else Head(raw, visible[0].author, sight)
    shown = [_node(one, head, fetched, viewer) for one in above[-ABOVE:]]
    rest = Rest(visible[0].url, scope)
    branches, set_aside = as_branches(_below(below, head, fetched, viewer, rest), post_id)
    return Conversation(
        post=visible[0],
        above=[_root(root, root_raw, fetched, viewer), *shown] if path else [],
        left_out=len(above) > ABOVE or keys.depth_of(path) > ABOVE,
        branches=branches,
        set_aside=set_aside,
        next_cursor=write_cursor(scope, below.behind) if below.behind else None,
        previous_cursor=write_cursor(scope, below.before) if below.before else None,
        why_closed=why_closed(viewer, root_raw, sight),
        left=keys.left_thread(viewer.user_id, root.post_id) in fetched.items,
    )


def _read_above(pointer: Pointer, path: str, fetched: Fetched, viewer: Viewer) -> list[RawItem]:
    """Fetches the root of a reply's thread, with its author, and returns the nearest replies above, the uppermost
    first."""
    if not path:
        return []
    root = Pointer(pointer.root_id, pointer.root_author_id)
    places = [keys.reply_place(root.post_id, one) for one in places_above(path)]
    fetched.more(
        [
            *keys_of_page([pointer, root], viewer=viewer),
            *block_keys(viewer, [root.author_id, pointer.reply_to_author_id]),
            *sight_keys(viewer, [root.author_id]),
            keys.thread_gate(root.post_id),
            keys.left_thread(viewer.user_id, root.post_id),
            *places,
        ]
    )
    if keys.is_of_story(path):
        return read_parts_before(root.post_id, path)
    return [fetched.items[place] for place in places if place in fetched.items]


def _fetch_state(above: Sequence[RawItem], below: Below, fetched: Fetched, viewer: Viewer) -> None:
    """Fetches counts, likes, authors, blocks and mutes, for as many of the replies as one BatchGetItem takes."""
    first = {key for raw in [*above, *below.story] for key in _keys_of(raw, viewer)}
    first |= {key for raw in above for key in state_keys(row(Reply, raw).post_id, viewer)}
    wanted = dict.fromkeys(first - fetched.asked)
    for number, raw in enumerate(below.rows):
        more = [key for key in _keys_of(raw, viewer) if key not in fetched.asked]
        if number and len(wanted | dict.fromkeys(more)) > BATCH_GET_LIMIT:
            below.cut(number)
            break
        wanted |= dict.fromkeys(more)
    fetched.more(wanted)
    shown = [row(Reply, raw).post_id for raw in below.in_order()]
    if shown and viewer.is_authenticated:
        _fetch_likes(shown, fetched, viewer)


def _keys_of(raw: RawItem, viewer: Viewer) -> list[Key]:
    reply = row(Reply, raw)
    return [
        keys.like_count(reply.post_id),
        keys.user_info(reply.author_id),
        keys.user_info(reply.reply_to_author_id),
        *block_keys(viewer, [reply.author_id, reply.reply_to_author_id]),
        *mute_keys(viewer, [reply.author_id]).values(),
    ]


def _fetch_likes(post_ids: Sequence[str], fetched: Fetched, viewer: Viewer) -> None:
    """Reads which of the replies the viewer likes: their traces stand in the order of the posts."""
    oldest, newest = (keys.like_trace(viewer.user_id, one(post_ids)) for one in (min, max))
    rows = query(oldest.pk, between=(oldest.sk, newest.sk), limit=LIKES_READ)
    likes = list(islice(rows, LIKES_READ))
    fetched.put(likes)
    if len(likes) == LIKES_READ:
        fetched.more(keys.like_trace(viewer.user_id, one) for one in post_ids)


def _root(root: Pointer, raw: RawItem | None, fetched: Fetched, viewer: Viewer) -> Node:
    node = Node(root.post_id, "")
    if raw and (cards := visible_posts([raw], fetched, viewer=viewer)):
        _show(node, cards[0], fetched, viewer)
    else:
        node.stub = Stub.HIDDEN if raw else _why_gone(root, fetched)
    return node


def _why_gone(root: Pointer, fetched: Fetched) -> Stub:
    gate = row(ThreadGate, fetched.items.get(keys.thread_gate(root.post_id), {}))
    return Stub.DISAPPEARED if gate.root_ends else Stub.DELETED


def _below(
    below: Below, head: Head, fetched: Fetched, viewer: Viewer, rest: Rest
) -> Iterable[Node]:
    """Yields a node for each reply of the page. The last one of an unfinished branch leads to the page of the answer
    that it begins with, or to the rest of it, if that answer is not shown."""
    rows = below.in_order()
    tops = [below.top_of(raw) for raw in rows]
    beginning: dict[str, str] = {}
    for raw, top, following in zip(rows, tops, [*tops[1:], ""], strict=False):
        node = _node(raw, head, fetched, viewer)
        if node.card and path_of(raw) == top:
            beginning[top] = node.card.url
        if top in below.unfinished and top != following:
            node.more_url = beginning.get(top) or rest.after(raw)
        yield node


def _node(raw: RawItem, head: Head, fetched: Fetched, viewer: Viewer) -> Node:
    reply = row(Reply, raw)
    node = Node(reply.post_id, reply.reply_to, is_set_aside=bool(reply.set_aside))
    author = fetched.person(reply.author_id, viewer)
    sight = sight_of(viewer, reply.author_id, fetched.items)
    mutes = mute_keys(viewer, [reply.author_id]).values()
    node.is_muted = any(is_in_force(fetched.items.get(key)) for key in mutes)
    if reply.gone:
        node.stub = Stub.DELETED
    elif author and can_view(viewer, raw, author, sight, head=head):
        _show(node, card_of(raw, author, fetched, viewer, head=head), fetched, viewer)
    else:
        node.stub = Stub.HIDDEN
    return node


def _show(node: Node, card: PostCard, fetched: Fetched, viewer: Viewer) -> None:
    """Puts the card in its place, or what stands there for a post that a muted word hides."""
    node.card = quieten_one(card, fetched.mutes(viewer), IN_LISTS)
    node.stub = Stub.NONE if node.card else Stub.MUTED
