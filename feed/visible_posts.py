"""Turns pointers, or posts already read, into cards of those that the viewer may see. One BatchGetItem reads a page:
posts, authors, counts, the viewer's own likes. What only some posts need (the thread of a reply that its pointer did
not name, what the viewer is to the author of a post for some) is read after that."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from accounts.cards import PersonCard
from accounts.viewer import Viewer
from feed.cards import PostCard
from feed.fetched import Fetched
from feed.models import Post
from feed.pointers import Pointer, pointer_of
from feed.quotes.quoted import with_quoted
from feed.reposts.joining import join, may_be_shown
from feed.visibility import (
    NO_HEAD,
    Head,
    audience_of,
    block_keys,
    can_view,
    is_for_some,
    mute_keys,
    sight_keys,
    sight_of,
)
from relations.models import RelationType
from relations.relation import blocks_either_way, is_in_force
from socialsite.table import keys
from socialsite.table.keys import Key
from socialsite.table.paging import Stretch
from socialsite.table.reading import RawItem
from socialsite.table.row import row


def get_posts(
    pointers: Iterable[Pointer],
    *,
    viewer: Viewer,
    blocks_of: Collection[str] | None = None,
    mutes_of: Collection[str] = (),
    known: Sequence[Stretch] = (),
) -> list[PostCard]:
    """Returns cards of the posts that the viewer may see, in the given order.

    One BatchGetItem, at most 4 keys a post, 3 more for a reply, and one for each person in `blocks_of` (all authors by
    default) and in `mutes_of` (muted people's posts and answers to them are left out), less what the stretches `known`
    answer. A second one if pointers do not name the threads of replies; one of 2 keys an author if some are not public.
    """
    wanted = list(pointers)
    authors = [pointer.author_id for pointer in wanted]
    mutes = mute_keys(viewer, mutes_of)
    fetched = Fetched(known=known)
    fetched.more(
        [
            *keys_of_page(wanted, viewer=viewer),
            *block_keys(viewer, authors if blocks_of is None else blocks_of),
            *mutes.values(),
        ]
    )
    muted = {user_id for user_id, key in mutes.items() if is_in_force(fetched.items.get(key))}
    posts = [
        post
        for pointer in wanted
        if (post := fetched.items.get(keys.post(pointer.author_id, pointer.post_id)))
        and (pointer.author_id == viewer.user_id or not muted & people_in(pointer))
    ]
    return visible_posts(posts, fetched, viewer=viewer, checks_blocks=blocks_of is None)


def keys_of_page(pointers: Sequence[Pointer], *, viewer: Viewer) -> list[Key]:
    """Returns the keys of posts, authors, counts, own likes, and the threads that the pointers name, each once."""
    shown = [pointer.shown for pointer in pointers]
    quoted = [pointer.quoted for pointer in pointers if pointer.quote_of]
    read = [*shown, *(pointer for pointer in pointers if pointer.repost_of)]
    wanted = [
        *(keys.post(pointer.author_id, pointer.post_id) for pointer in read),
        *(keys.user_info(pointer.author_id) for pointer in read),
        *(key for pointer in shown for key in state_keys(pointer.post_id, viewer)),
        *(key for pointer in shown for key in _thread_keys(pointer)),
        *(key for pointer in quoted for key in _quoted_keys(pointer, viewer)),
    ]
    return list(dict.fromkeys(wanted))


def people_in(pointer: Pointer) -> set[str]:
    """Returns the people whose words a pointer brings, or to whom they are: muting or blocking any of them hides it."""
    return {pointer.author_id, pointer.reply_to_author_id, pointer.repost_of_author_id} - {""}


def state_keys(post_id: str, viewer: Viewer) -> Sequence[Key]:
    """Returns the keys of a post's counts and of the viewer's own trace."""
    # The trace says whether they like or reposted it: its key does not depend on how the likes are spread.
    count = keys.like_count(post_id)
    if not viewer.is_authenticated:
        return (count,)
    return count, keys.like_trace(viewer.user_id, post_id)


def visible_posts(
    posts: Sequence[RawItem], fetched: Fetched, *, viewer: Viewer, checks_blocks: bool = True
) -> list[PostCard]:
    """Returns cards of the raw posts that the viewer may see, in the given order, and fetches what is still needed. In
    the place of a raw `Repost` stands the post that it shows, each post once."""
    pointers = [pointer_of(post) for post in posts]
    reposts = [pointer for pointer in pointers if pointer.repost_of]
    if reposts:
        reposted = [pointer.repost_of_author_id for pointer in reposts]
        fetched.more(
            [
                *keys_of_page(reposts, viewer=viewer),
                *(block_keys(viewer, reposted) if checks_blocks else ()),
            ]
        )
    raws = [*posts, *fetched.posts(pointer.shown for pointer in reposts)]
    quoted = [pointer.quoted for raw in raws if (pointer := pointer_of(raw)).quote_of]
    if not reposts and not quoted:
        return _cards(posts, fetched, viewer, checks_blocks)
    fetched.more(key for pointer in quoted for key in _quoted_keys(pointer, viewer))
    raws += fetched.posts(quoted)
    cards = {one.post_id: one for one in _cards(raws, fetched, viewer, checks_blocks)}
    shown = join(
        (cards[pointer.shown.post_id], cards[pointer.post_id].author if pointer.repost_of else None)
        for pointer in pointers
        if pointer.post_id in cards and may_be_shown(pointer, cards)
    )
    return [with_quoted(card, cards, fetched, viewer) for card in shown]


def _cards(
    posts: Sequence[RawItem], fetched: Fetched, viewer: Viewer, checks_blocks: bool
) -> list[PostCard]:
    """Returns cards of the posts, and of reposts themselves, that the viewer may see."""
    replies = [pointer for post in posts if (pointer := pointer_of(post)).root_id]
    answered = [pointer.reply_to_author_id for pointer in replies]
    fetched.more(
        [
            *(key for pointer in replies for key in _thread_keys(pointer)),
            *(block_keys(viewer, answered) if checks_blocks else ()),
        ]
    )
    authors = {
        user_id: card
        for post in posts
        if (card := fetched.person(user_id := row(Post, post).author_id, viewer))
    }
    fetched.more(_keys_of_the_closed(posts, authors, replies, fetched, viewer))
    heads = {pointer.root_id: head_of(pointer, fetched, viewer) for pointer in replies}
    cards = []
    for raw in posts:
        post = row(Post, raw)
        author = authors.get(post.author_id)
        head = heads.get(post.root_id, NO_HEAD)
        sight = sight_of(viewer, post.author_id, fetched.items)
        if author and can_view(viewer, raw, author, sight, head=head):
            cards.append(card_of(raw, author, fetched, viewer, head=head))
    return cards


def _quoted_keys(pointer: Pointer, viewer: Viewer) -> Sequence[Key]:
    """Returns the keys of a quoted post, its author, and whether the viewer and they are hidden from each other."""
    author_id = pointer.author_id
    return (
        keys.post(author_id, pointer.post_id),
        keys.user_info(author_id),
        *block_keys(viewer, [author_id]),
        *mute_keys(viewer, [author_id]).values(),
    )


def _thread_keys(pointer: Pointer) -> Sequence[Key]:
    """Returns the keys of the root of a reply's thread, its author, and the person answered."""
    if not pointer.root_id:
        return ()
    return (
        keys.post(pointer.root_author_id, pointer.root_id),
        keys.user_info(pointer.root_author_id),
        keys.user_info(pointer.reply_to_author_id),
    )


def _keys_of_the_closed(
    posts: Sequence[RawItem],
    authors: Mapping[str, PersonCard],
    replies: Sequence[Pointer],
    fetched: Fetched,
    viewer: Viewer,
) -> list[Key]:
    """Returns what the viewer is to the authors of posts and threads for some, and the gates of roots that are gone."""
    closed = {
        author.user_id
        for post in posts
        if (author := authors.get(row(Post, post).author_id)) and is_for_some(post, author)
    }
    gates = []
    for pointer in replies:
        root = fetched.items.get(keys.post(pointer.root_author_id, pointer.root_id))
        author = fetched.person(pointer.root_author_id, viewer)
        if root is None:
            gates.append(keys.thread_gate(pointer.root_id))
        if root is None or (author and is_for_some(root, author)):
            closed.add(pointer.root_author_id)
    return [*sight_keys(viewer, closed), *gates]


def head_of(pointer: Pointer, fetched: Fetched, viewer: Viewer) -> Head:
    """Returns the head of a reply's thread, of which everything was asked for."""
    items = fetched.items
    root = items.get(keys.post(pointer.root_author_id, pointer.root_id))
    return Head(
        root or items.get(keys.thread_gate(pointer.root_id)),
        fetched.person(pointer.root_author_id, viewer),
        sight_of(viewer, pointer.root_author_id, items),
    )


def card_of(
    post: RawItem,
    author: PersonCard,
    fetched: Fetched,
    viewer: Viewer,
    *,
    head: Head = NO_HEAD,
) -> PostCard:
    """Returns the card of a raw `Post` or `Reply` whose counts, like and answered person were asked for. `head` is that
    of a reply's thread."""
    post_id = row(Post, post).post_id
    audience = audience_of(head.raw, head.author) if head.raw and head.author else None
    return PostCard.from_raw(
        post,
        author=author,
        counts=fetched.items.get(keys.like_count(post_id)),
        trace=fetched.items.get(keys.like_trace(viewer.user_id, post_id)),
        answered=_answered(post, fetched, viewer),
        audience=audience,
        viewer=viewer,
    )


def _answered(post: RawItem, fetched: Fetched, viewer: Viewer) -> PersonCard | None:
    """Returns whom a reply answers, unless that person is hidden from the viewer."""
    user_id = row(Post, post).reply_to_author_id
    person = fetched.person(user_id, viewer) if user_id else None
    if person is None or person.is_self:
        return person
    block = fetched.items.get(keys.relation(viewer.user_id, RelationType.BLOCK, user_id))
    return None if person.is_locked_out or blocks_either_way(block) else person
