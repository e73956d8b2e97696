"""Turns pointers, or posts already read, into cards of those that the viewer may see. One BatchGetItem reads a page:
posts, authors, counts, the viewer's own likes, and by key, so that nothing is read twice (`Fetched`). What only some
posts need (the thread of a reply that its pointer did not name, what the viewer is to the author of a post for some) is
read after that.

A page has each post once, with the people who reposted it. A place of an own list whose post the person may not see now
is kept, so that what they did with it can be undone.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from accounts.people.cards import PersonCard
from accounts.people.viewer import VISITOR, Viewer
from feed.cards.muting import IN_LISTS, Quiet, quieten
from feed.cards.post_card import PostCard, post_url
from feed.posts.models import LikeTrace, Post
from feed.posts.reads import (
    NO_HEAD,
    Head,
    Pointer,
    audience_of,
    block_keys,
    can_view,
    is_for_some,
    mute_keys,
    pointer_of,
    sight_keys,
    sight_of,
)
from photos.models import Photo
from relations.models import RelationType
from relations.muted_words.reads import muted_keys, mutes_of
from relations.muted_words.words import Mutes
from relations.relation import blocks_either_way, is_in_force
from socialsite.table import (
    Key,
    NotFound,
    RawItem,
    Stretch,
    access_pattern,
    fetch,
    get,
    key_of,
    keys,
    row,
)
from socialsite.table.paging import read_stretch


class Fetched:
    """Items by key. Each key is asked for once, and each call to `more` is one BatchGetItem per 100 keys. What the
    stretches `known` answer is not asked for at all."""

    def __init__(self, people: Iterable[PersonCard] = (), *, known: Sequence[Stretch] = ()) -> None:
        self.known = known
        self.items: dict[Key, RawItem] = {}
        for stretch in known:
            self.items |= stretch.items
        self.people: dict[str, PersonCard | None] = {one.user_id: one for one in people}
        self.asked = {keys.user_info(user_id) for user_id in self.people}
        self._mutes: Mutes | None = None

    def more(self, wanted: Iterable[Key]) -> None:
        new = [key for key in wanted if key not in self.asked and not self._is_known(key)]
        self.asked.update(new)
        self.items |= fetch(new)

    def _is_known(self, key: Key) -> bool:
        return bool(self.known) and any(stretch.knows(key) for stretch in self.known)

    def put(self, read: Iterable[RawItem]) -> None:
        """Takes items that were already read."""
        self.items |= (found := {key_of(raw): raw for raw in read})
        self.asked |= found.keys()

    def posts(self, pointers: Iterable[Pointer]) -> list[RawItem]:
        """Returns those of the posts that are there, each once."""
        asked = dict.fromkeys(keys.post(one.author_id, one.post_id) for one in pointers)
        return [self.items[key] for key in asked if key in self.items]

    def person(self, user_id: str, viewer: Viewer) -> PersonCard | None:
        """Returns the card of a person whose info was asked for, None if they are gone."""
        if user_id not in self.people:
            info = self.items.get(keys.user_info(user_id))
            card = PersonCard.from_raw(info, viewer_id=viewer.user_id) if info else None
            self.people[user_id] = card
        return self.people[user_id]

    def mutes(self, viewer: Viewer) -> Mutes:
        """Returns the muted words of the viewer. `muted_keys` were asked for."""
        if self._mutes is None:
            self._mutes = mutes_of(viewer, self.items)
        return self._mutes


MOST = 100


def read_trace(by: Viewer, post_id: str) -> LikeTrace | None:
    """Returns the trace of what the viewer did with a post, None if they did nothing. A consistent GetItem, 1 read
    unit."""
    with suppress(NotFound):
        return get(LikeTrace, keys.like_trace(by.user_id, post_id), consistent=True)
    return None


@access_pattern
def own_traces(viewer: Viewer, post_ids: Iterable[str]) -> Stretch:
    """Returns what the viewer did with posts from the oldest to the newest of these; nothing for visitors.

    One Query `PK = u#<id>#trace`, `SK` between the two, at most 100 of some 215 bytes: 0.5 read units per 4 KB, so at
    most 3. Asked by key, each post would cost 0.5. People who like more than that in this time are asked for the rest
    by key.
    """
    between = sorted(post_ids)
    if not viewer.is_authenticated or not between:
        return Stretch()
    low, high = (keys.like_trace(viewer.user_id, post_id) for post_id in (between[0], between[-1]))
    return read_stretch(low.pk, (low.sk, high.sk), most=MOST)


class UnseenPost(NamedTuple):
    """A post that its owner's list names without showing anything of it. `url` is an address of the owner's own, where
    what they did is taken back: nothing here tells whose post it is."""

    post_id: str
    url: str
    is_repost: bool  # otherwise a like

    @property
    def undo_url(self) -> str:
        return f"{self.url}/repost" if self.is_repost else f"{self.url}/like"


def liked_in_place(
    pointers: Iterable[Pointer], cards: Sequence[PostCard], owner: PersonCard
) -> list[PostCard | UnseenPost]:
    """Returns the liked posts in order, with those that the owner may not see now."""
    shown = {card.post_id: card for card in cards}
    return [shown.get(one.post_id) or _unseen(one.post_id, owner) for one in pointers]


def reposts_in_place(
    pointers: Iterable[Pointer], cards: Sequence[PostCard], owner: PersonCard
) -> list[PostCard | UnseenPost]:
    """Returns the posts of the owner's page in order, with the reposts that show nothing now."""
    return list(_in_place(pointers, {card.post_id: card for card in cards}, owner))


def _in_place(
    pointers: Iterable[Pointer], cards: dict[str, PostCard], owner: PersonCard
) -> Iterator[PostCard | UnseenPost]:
    left = dict(cards)
    for pointer in pointers:
        post_id = pointer.shown.post_id
        card = cards.get(post_id)
        if pointer.repost_of and not (card and card.reposters):
            yield _unseen(post_id, owner, is_repost=True)
        elif left.pop(post_id, None) and card:
            yield card


def _unseen(post_id: str, owner: PersonCard, *, is_repost: bool = False) -> UnseenPost:
    return UnseenPost(post_id, post_url(owner.handle, post_id), is_repost)


def with_quoted(
    card: PostCard, cards: Mapping[str, PostCard], fetched: Fetched, viewer: Viewer
) -> PostCard:
    """Returns the card of a post with that of the post that it quotes, one of `cards`. Without it, unless both are for
    everyone, the quoted author lets it, and the viewer neither mutes nor blocks them: the others are not among the
    `cards`."""
    quoted = cards.get(card.quote_of)
    if quoted is None or card.quote_withdrawn or card.audience or not quoted.can_be_reposted:
        return card
    mutes = mute_keys(viewer, [quoted.author.user_id]).values()
    if any(is_in_force(fetched.items.get(key)) for key in mutes):
        return card
    return card._replace(quoted=quoted)


def may_be_shown(pointer: Pointer, cards: Mapping[str, PostCard]) -> bool:
    """Whether what a pointer brings stands on the page, by the cards that the viewer may see."""
    card = cards.get(pointer.shown.post_id)
    return card is not None and (not pointer.repost_of or card.can_be_reposted)


def join(shown: Iterable[tuple[PostCard, PostCard | None]]) -> list[PostCard]:
    """Returns the posts of a page in order, each where it stands first. The second of a pair is the repost that brings
    it, None where it stands by itself."""
    cards: dict[str, PostCard] = {}
    for card, repost in shown:
        if repost and card.post_id not in cards:
            card = card._replace(repost_id=repost.post_id)
        first = cards.setdefault(card.post_id, card)
        if repost and repost.author not in first.reposters:
            cards[card.post_id] = first._replace(reposters=(*first.reposters, repost.author))
    return list(cards.values())


def get_posts(
    pointers: Iterable[Pointer],
    *,
    viewer: Viewer,
    blocks_of: Collection[str] | None = None,
    mutes_of: Collection[str] = (),
    known: Sequence[Stretch] = (),
    quiet: Quiet | None = IN_LISTS,
    beforehand: Collection[Key] = (),
) -> list[PostCard]:
    """Returns cards of the posts that the viewer may see, in the given order. What a muted word of theirs hides is left
    out, as `quiet` says; None asks for the posts whatever words are muted.

    One BatchGetItem, at most 4 keys a post, 3 more for a reply, and one for each person in `blocks_of` (all authors by
    default) and in `mutes_of`, less what the stretches `known` answer; one for muted words that this process does not
    have; and the keys `beforehand`, such as those of `sight_keys`. A second one if pointers do not name the threads of
    replies; one of 2 keys an author if some are not public.

    Of people named in either, who are blocked or muted, posts and answers to them are left out.
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
            *(muted_keys(viewer) if quiet else ()),
            *beforehand,
        ]
    )
    unwanted = {user_id for user_id, key in mutes.items() if is_in_force(fetched.items.get(key))}
    unwanted |= {user_id for user_id in blocks_of or () if _is_hidden(user_id, fetched, viewer)}
    posts = [
        post
        for pointer in wanted
        if (post := fetched.items.get(keys.post(pointer.author_id, pointer.post_id)))
        and (pointer.author_id == viewer.user_id or not unwanted & people_in(pointer))
    ]
    cards = visible_posts(posts, fetched, viewer=viewer, checks_blocks=blocks_of is None)
    return quieten(cards, fetched.mutes(viewer), quiet) if quiet else cards


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


def _is_hidden(user_id: str, fetched: Fetched, viewer: Viewer) -> bool:
    block = keys.relation(viewer.user_id, RelationType.BLOCK, user_id)
    return blocks_either_way(fetched.items.get(block))


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
        (cards[pointer.shown.post_id], cards[pointer.post_id] if pointer.repost_of else None)
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


@access_pattern
def get_post(post_id: str, author_id: str, *, viewer: Viewer = VISITOR) -> PostCard:
    """Returns one post with its author, count, the viewer's like and the block between the two: one BatchGetItem, 0.5
    read units a key. In all 2.5 read units.

    Raises `NotFound`, also if the viewer may not see the post.
    """
    cards = get_posts([Pointer(post_id, author_id)], viewer=viewer, quiet=None)
    if not cards or cards[0].post_id != post_id:  # a repost has no page
        raise NotFound("no such post")
    return cards[0]


@access_pattern
def get_post_of_photos(post_id: str, author_id: str, *, viewer: Viewer) -> PostCard:
    """Returns a post whose photos have their whole descriptions. Raises `NotFound`, also if the viewer may not see the
    post.

    `get_post`, and one BatchGetItem of the photos, at most 2 read units; none for a post without photos.
    """
    post = get_post(post_id, author_id, viewer=viewer)
    if not post.photos:
        return post
    descriptions = _descriptions(author_id, [photo.photo_id for photo in post.photos])
    photos = (
        photo.described(text or photo.alt)
        for photo, text in zip(post.photos, descriptions, strict=True)
    )
    return post._replace(photos=tuple(photos))


def _descriptions(author_id: str, photo_ids: Sequence[str]) -> list[str]:
    asked = [keys.photo(author_id, photo_id) for photo_id in photo_ids]
    found = fetch(asked)
    return [row(Photo, found.get(key, {})).alt or "" for key in asked]
