"""Searching public posts by their words: `search_posts` is the one question, whatever engine answers it.

Its engine is the inverted index in the table: the list of the rarest word is read, newest first, and each entry names
all words of its post, so that one Query answers for several. What was found is read as every list of posts is, with
`can_view`, and its text compared again: edits, deletions, audiences, blocks, mutes and restrictions hold at once,
however far the worker is.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from django.utils import timezone
from django.utils.translation import get_language

from accounts.models import UserInfo
from accounts.people.cards import PersonCard
from accounts.people.reads import find_user_by_handle
from accounts.people.viewer import VISITOR, Viewer
from feed.cards.muting import OF_ONES_OWN, quieten
from feed.cards.post_card import PostCard
from feed.cards.reads import Fetched, keys_of_page, people_in, visible_posts
from feed.cards.words import Fold
from feed.posts.models import LikeCount, Post
from feed.posts.reads import Pointer, block_keys, listed_tags, mute_keys, pointer_of
from feed.searching import Found, mark_in
from finding.models import TAG, WordEntry, WordUse
from finding.query import Asked
from finding.words import is_whole, said_in
from finding.writes import is_public, lets_find, texts_of
from relations.directory import entries_request, found_people, looked_for, tags_of, tags_request
from relations.models import DirectoryEntry
from relations.muted_words.reads import muted_keys
from relations.reads import keys_of_people, people_of
from relations.relation import blocks_either_way, is_in_force
from relations.suggested import own_relations
from socialsite.table import (
    PAGE_SIZE,
    Key,
    NotFound,
    Place,
    RawItem,
    access_pattern,
    fetch,
    ids,
    key_of,
    keys,
    query,
    read_cursor,
    row,
    write_cursor,
)
from socialsite.table.reading import query_all
from socialsite.table.transport.requests import query_request
from socialsite.web.preferences import short_date

LOOKED_AT = 200  # entries of a word, or posts with a tag, for one page
OF_AUTHOR = 60  # posts, which are larger
MOST_COMPARED = 50  # of which the most liked are shown


@dataclass(frozen=True, slots=True)
class Hits(Found[PostCard]):
    """A page of posts that were found. `common` are words under which not every post is listed, `compared` says that
    the most liked of so many are shown, `is_of_author` that all posts of a person were looked through."""

    common: tuple[str, ...] = ()
    compared: int = 0
    is_of_author: bool = False
    is_nobody: bool = False  # `from:` names someone who is not here

    @property
    def is_short(self) -> bool:
        """Whether the page goes on though it is not full: so many posts did not fit."""
        return bool(self.next_cursor) and len(self.items) < PAGE_SIZE


NOTHING = Hits(())


@access_pattern
def search_posts(
    asked: Asked,
    *,
    viewer: Viewer = VISITOR,
    cursor: str | None = None,
    size: int = PAGE_SIZE,
    most_liked: bool = False,
) -> Hits:
    """Returns public posts that have what is asked for, newest first, with the words marked. A page ends with the 20th
    post that fits, or after 200 entries, so it may be short or empty and still go on. `most_liked` returns instead the
    most liked of the newest 50 that fit, without further pages.

    One BatchGetItem of the words' uses, on the first page alone, 0.5 read units a word. A Query of the rarest word, at
    most 21 entries for one word and 201 for several, 0.5 read units per 4 KB; with `from:` of the author's newest 60
    posts instead, after a GetItem of the handle and a BatchGetItem of the author, and for a tag alone of its entries.
    Then `own_relations`, and one or two BatchGetItems of 2 read units a post. In all 45 read units for one word, 60 for
    several. `most_liked` asks for the likes beside the uses, 25 read units more, and so reads the list of the longest
    word. Raises `BadCursor`.
    """
    if not (asked.is_possible and asked.has_days):
        return NOTHING
    try:
        source = _source(asked, cursor, viewer, most_liked=most_liked)
    except NotFound:
        return replace(NOTHING, is_nobody=True)
    if source is None:
        return replace(NOTHING, is_of_author=True)
    place = read_cursor(asked.scope, cursor) if cursor else None
    most = source.most(asked, MOST_COMPARED if most_liked else size)
    low, high = keys.pointers_between(max(asked.after, source.since), asked.before)
    if low > high:
        return replace(NOTHING, is_of_author=True)
    rows = query(
        source.partition,
        after=Key(source.partition, place.sk) if place and low <= place.sk <= high else None,
        between=(low, high),
        forward=False,
        limit=most + 1,
    )
    raws = list(islice(rows, most + 1))
    looked_at = raws[:most]
    fitting = [raw for raw in looked_at if source.fits(asked, raw)]
    if most_liked:
        pointers = [pointer_of(raw) for raw in fitting[:MOST_COMPARED]]
        # How far it looked is said where there is more, whoever may see what was compared.
        looked = _looked(looked_at if len(raws) > most else (), source)
        return _best_liked(pointers, asked, viewer, source, size, looked)
    taken = fitting[:size]
    if len(fitting) > size:
        looked_at = looked_at[: looked_at.index(taken[-1]) + 1]
    shown = _shown([pointer_of(raw) for raw in taken], asked, viewer, source)
    following = None
    if len(looked_at) < len(raws):
        here = Place("next", key_of(looked_at[-1]).sk, source.word)
        following = write_cursor(asked.scope, here)
    top = shown[0].post_id if shown else None
    return Hits(shown, following, None, top, common=source.common, **_looked(looked_at, source))


def _looked(raws: Sequence[RawItem], source: "_Source") -> dict[str, Any]:
    """Returns how a page says how far it looked, and where."""
    back_to = _day_of(raws[-1]) if raws else ""
    return {"looked_at": len(raws), "back_to": back_to, "is_of_author": source.is_of_author}


@dataclass(frozen=True, slots=True)
class _Source:
    """The partition that is looked through, and what an item of it must have. `word` is the word whose list it is."""

    partition: str
    fits: Callable[[Asked, RawItem], bool]
    look_at: int
    word: str = ""
    common: tuple[str, ...] = ()
    author_id: str = ""  # whose posts themselves its items are
    since: str = ""  # the id of the first post that is found

    @property
    def is_of_author(self) -> bool:
        return bool(self.author_id)

    def most(self, asked: Asked, size: int) -> int:
        """Returns how many items are looked at for a page of so many."""
        return size if self.word and asked.is_one_word else self.look_at


def _source(
    asked: Asked, cursor: str | None, viewer: Viewer, *, most_liked: bool
) -> _Source | None:
    """Returns where to look, None if it is an author who does not let others find their posts. Raises `NotFound` for
    an author whom the viewer does not see."""
    if asked.handle:
        source = _of_author(asked)
        if most_liked:
            return source  # it is seen when the likes are read
        return _as_seen(source, fetch(_keys_of_sight(source, viewer)), viewer)
    if not asked.words:
        return _of_tag(asked)
    if cursor:
        return _of_word(read_cursor(asked.scope, cursor).carried)
    if most_liked:
        return _of_word(_longest(asked))
    uses = fetch(_use_keys(asked))
    posts = {
        word: int(row(WordUse, raw).entered)
        for word in asked.words
        if (raw := uses.get(keys.word_use(word)))
    }
    rarest = min(asked.words, key=lambda word: (posts.get(word, 0), -len(word)))
    return replace(_of_word(rarest), common=_common(asked, rarest, uses))


def _of_author(asked: Asked) -> _Source:
    author_id = find_user_by_handle(asked.handle, or_former=True)
    return _Source(keys.posts(author_id), _is_post_that_fits, OF_AUTHOR, author_id=author_id)


def _keys_of_sight(source: _Source, viewer: Viewer) -> list[Key]:
    """Returns the keys of what decides whether anything of an author is told: nothing of other sources."""
    author_id = source.author_id
    if not author_id:
        return []
    return [keys.user_info(author_id), *block_keys(viewer, [author_id])]


def _as_seen(source: _Source, found: Mapping[Key, RawItem], viewer: Viewer) -> _Source | None:
    """Returns the source as far as the author lets the viewer find their posts, None if they do not. Nothing of what
    they have is counted before. Raises `NotFound` for an author whom the viewer does not see."""
    author_id = source.author_id
    raw = found.get(keys.user_info(author_id))
    if author_id == viewer.user_id and raw:
        return source
    block = next((found.get(key) for key in block_keys(viewer, [author_id])), None)
    is_blocked = blocks_either_way(block)
    if (
        raw is None
        or PersonCard.from_raw(raw).is_locked_out
        or (is_blocked and not is_in_force(block))
    ):
        raise NotFound("nobody to be seen")
    info = row(UserInfo, raw)
    return None if is_blocked or info.not_searched else replace(source, since=info.archived_before)


def _of_tag(asked: Asked) -> _Source:
    return _Source(keys.tagged_posts(asked.tags[0]), lambda _asked, _raw: True, PAGE_SIZE)


def _of_word(word: str) -> _Source:
    return _Source(keys.word_entries(word), _has_words, LOOKED_AT, word)


def _longest(asked: Asked) -> str:
    """Returns the word that is most likely rare, where nothing was asked about their uses."""
    return max(asked.words, key=len)


def _use_keys(asked: Asked) -> list[Key]:
    return [keys.word_use(word) for word in asked.words]


def _common(asked: Asked, word: str, items: Mapping[Key, RawItem]) -> tuple[str, ...]:
    """Returns the word whose list is read, if not every post stands in it."""
    use = items.get(keys.word_use(word)) if word else None
    return (word,) if use and row(WordUse, use).left_out else ()


def _has_words(asked: Asked, raw: RawItem) -> bool:
    """Whether an entry names all that is asked for. What it cannot say is compared with the post itself."""
    entry = row(WordEntry, raw)
    names = set(entry.words.split(" "))
    unwanted = {word for term in asked.without if term.is_exact for word in term.words}
    return (
        names.issuperset(asked.words)
        and names.issuperset(f"{TAG}{tag}" for tag in asked.tags)
        and names.isdisjoint(f"{TAG}{tag}" for tag in asked.without_tags)
        and names.isdisjoint(unwanted)
        and speaks(entry.lang, asked.lang)
    )


def speaks(lang: str, asked: str) -> bool:
    """Whether a language is the one that is asked for: `de` finds `de-AT` too."""
    lang = lang.lower()
    return not asked or lang == asked or lang.startswith(f"{asked}-")


def _is_post_that_fits(asked: Asked, raw: RawItem) -> bool:
    return not pointer_of(raw).repost_of and fits(asked, raw)


def fits(asked: Asked, raw: RawItem) -> bool:
    """Whether a raw post is public and has what is asked for."""
    post = row(Post, raw)
    if not is_public(post):
        return False
    said, tags = said_in(texts_of(post)), listed_tags(post)
    return (
        all(term.stands_in(said) for term in asked.terms)
        and not any(term.stands_in(said) for term in asked.without)
        and tags.issuperset(asked.tags)
        and tags.isdisjoint(asked.without_tags)
        and speaks(post.lang or "", asked.lang)
    )


def _best_liked(
    pointers: Sequence[Pointer],
    asked: Asked,
    viewer: Viewer,
    source: _Source,
    size: int,
    looked: dict[str, Any],
) -> Hits:
    liked = [keys.like_count(one.post_id) for one in pointers]
    counts = fetch([*liked, *_use_keys(asked), *_keys_of_sight(source, viewer)])
    if source.is_of_author:
        try:
            seen = _as_seen(source, counts, viewer)
        except NotFound:
            return replace(NOTHING, is_nobody=True)
        if seen is None:
            return replace(NOTHING, is_of_author=True)
        pointers = [one for one in pointers if one.post_id >= seen.since]
    shown = _shown(_most_liked(pointers, counts, size), asked, viewer, source)
    return Hits(shown, common=_common(asked, source.word, counts), compared=len(pointers), **looked)


def _most_liked(
    pointers: Sequence[Pointer], counts: Mapping[Key, RawItem], size: int
) -> list[Pointer]:
    """Returns the most liked posts, the newer one first of two."""

    def likes(one: Pointer) -> int:
        raw = counts.get(keys.like_count(one.post_id))
        return int(row(LikeCount, raw).likes) if raw else 0

    return sorted(pointers, key=likes, reverse=True)[:size]


def _shown(
    pointers: Sequence[Pointer], asked: Asked, viewer: Viewer, source: _Source
) -> list[PostCard]:
    # Of a single author a few keys say what the Query of all relations would.
    own = own_relations(viewer) if pointers and not source.is_of_author else None
    fetched = Fetched(known=[own] if own else [])
    fetched.more(keys_of_hits(pointers, viewer))
    return cards_of(pointers, asked, fetched, viewer)


def keys_of_hits(pointers: Sequence[Pointer], viewer: Viewer) -> list[Key]:
    people = [one for pointer in pointers for one in sorted(people_in(pointer))]
    return [
        *keys_of_page(pointers, viewer=viewer),
        *block_keys(viewer, people),
        *mute_keys(viewer, people).values(),
        *muted_keys(viewer),
    ]


def cards_of(
    pointers: Sequence[Pointer], asked: Asked, fetched: Fetched, viewer: Viewer
) -> list[PostCard]:
    """Returns cards of those that the viewer may see, that are found as they are now, and whose authors let them be
    found."""
    muted = {
        user_id
        for pointer in pointers
        for user_id, key in mute_keys(viewer, people_in(pointer)).items()
        if is_in_force(fetched.items.get(key))
    }
    posts = [
        post
        for pointer in pointers
        if (post := fetched.items.get(keys.post(pointer.author_id, pointer.post_id)))
        and (pointer.author_id == viewer.user_id or not muted & people_in(pointer))
        and lets_find(fetched.items.get(keys.user_info(pointer.author_id)), pointer.post_id)
        and fits(asked, post)
    ]
    visible = visible_posts(posts, fetched, viewer=viewer)
    cards = [card for card in visible if card.is_own or card.can_be_reposted]
    # What a muted word would hide is folded, so that a page never says that nothing was found.
    quiet = quieten(cards, fetched.mutes(viewer), OF_ONES_OWN)
    return [marked_in(card, asked) for card in quiet]


def marked_in(card: PostCard, asked: Asked) -> PostCard:
    """Returns the card with the words marked. It is not folded, so that what was found is seen."""
    if not asked.marked:
        return card
    return mark_in(card, asked.marked, may_mark=is_whole)._replace(fold=Fold.NEVER)


def _day_of(raw: RawItem) -> str:
    day = timezone.localdate(ids.time_of(pointer_of(raw).post_id))
    return short_date(day, get_language(), with_year=True)


FEW = 5
PEOPLE_READ = 12  # entries of the directory: a person has several


@dataclass(frozen=True, slots=True)
class Best:
    """The first people, tags and posts that a text finds, at most five of each, and whether there are more."""

    people: Sequence[PersonCard] = ()
    more_people: bool = False
    tags: Sequence[str] = ()
    more_tags: bool = False
    hits: Hits = NOTHING
    more_posts: bool = False

    @property
    def count(self) -> int:
        return len(self.people) + len(self.tags) + len(self.hits.items)


@access_pattern
def find_best(asked: Asked, *, viewer: Viewer = VISITOR) -> Best:
    """Returns the first people, tags and posts that a text finds: people and tags by their beginnings, posts by their
    words, their tag, or the handle of their author. A text that says more (`from:`, quotes) finds posts alone, as
    `search_posts` does.

    Three Queries, asked together: of the directory, of the tags, and of the newest posts with the longest word, the
    tag, or by the person, whose handle takes a GetItem first; 2 read units, for several words at most 14. Then one
    BatchGetItem of all, at most 18 read units for people, 15 for posts, and 0.5 for each word.
    """
    if not asked.has_days:
        return Best()
    if not (asked.is_plain or asked.is_name):
        hits = search_posts(asked, viewer=viewer, size=FEW)
        return Best(hits=hits, more_posts=bool(hits.next_cursor))
    prefix, source = looked_for(asked.text), _best_source(asked)
    look_at = source.most(asked, FEW) if source else 0
    requests = {
        "people": entries_request(prefix, limit=PEOPLE_READ) if prefix else None,
        "tags": None if asked.is_name else tags_request(asked.text, limit=FEW + 1),
        "posts": query_request(
            source.partition, between=keys.pointers_between(), forward=False, limit=look_at + 1
        )
        if source
        else None,
    }
    made = {name: request for name, request in requests.items() if request}
    answers = dict(zip(made, query_all(list(made.values())), strict=True))
    entries = list(islice(answers.get("people", ()), PEOPLE_READ))
    tags = tags_of(islice(answers.get("tags", ()), FEW + 1))
    raws = list(islice(answers.get("posts", ()), look_at + 1))
    fitting = [raw for raw in raws[:look_at] if source and source.fits(asked, raw)]
    pointers = [pointer_of(raw) for raw in fitting[:FEW]]
    person_ids = list(dict.fromkeys(row(DirectoryEntry, raw).user_id for raw in entries))
    fetched = Fetched()
    fetched.more(
        [
            *keys_of_hits(pointers, viewer),
            *keys_of_people(person_ids, viewer),
            *_use_keys(asked),
            *(_keys_of_sight(source, viewer) if source else ()),
        ]
    )
    people = found_people(entries, people_of(person_ids, fetched.items, viewer=viewer), prefix)
    hits, more_posts = replace(NOTHING, is_nobody=asked.is_name), False
    if source and source.is_of_author:
        source = _as_seen_of_best(source, fetched, viewer)
    if source:
        pointers = [one for one in pointers if one.post_id >= source.since]
        shown = cards_of(pointers, asked, fetched, viewer)
        more_posts = len(raws) > look_at or len(fitting) > FEW
        more_posts &= bool(shown) or not source.is_of_author
        common = _common(asked, source.word, fetched.items)
        hits = Hits(shown, common=common, **_looked(raws[:look_at], source))
    return Best(
        people[:FEW],
        len(people) > FEW or len(entries) == PEOPLE_READ,
        tags[:FEW],
        len(tags) > FEW,
        hits,
        more_posts,
    )


def _as_seen_of_best(source: _Source, fetched: Fetched, viewer: Viewer) -> _Source | None:
    with suppress(NotFound):
        return _as_seen(source, fetched.items, viewer)
    return None


def _best_source(asked: Asked) -> _Source | None:
    if asked.is_name:
        with suppress(NotFound):
            return replace(_of_author(asked), look_at=PAGE_SIZE)
        return None
    if asked.words:
        return _of_word(_longest(asked))
    return _of_tag(asked) if asked.tags else None
