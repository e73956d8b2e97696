"""Finding posts by their words, in the lists that belong to the viewer: their own posts, and those that they like.
People and tags are found by their beginnings (`relations/directory.py`, `relations/directory.py`).

DynamoDB cannot search texts, so the items of a list are read and compared here: a stated number of them, and further
back only when the viewer asks for it. The words are folded as names in the directory are: case, width and accents do
not matter. What was found is marked in what is shown.
"""

import html
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic, Protocol, TypeVar

from django.utils import timezone
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from accounts.models import UserInfo
from accounts.people.viewer import Viewer
from feed.cards.muting import OF_ONES_OWN
from feed.cards.post_card import PostCard
from feed.cards.reads import get_posts
from feed.polls.models import said_by
from feed.posts.models import LikeTrace, Post
from feed.posts.reads import pointer_of
from socialsite.table import (
    PAGE_SIZE,
    Key,
    Page,
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
from socialsite.texts import find_folded, fold
from socialsite.web.preferences import short_date


def words_of(text: str) -> list[str]:
    """Returns the words as they are compared; a text of signs alone, such as an emoji, as it is."""
    return fold(text).split() or [text.casefold()]


def fit(words: Iterable[str], texts: Iterable[str]) -> bool:
    """Whether each of the words stands in one of the texts, also inside a longer word."""
    said = " ".join(f"{fold(text)} {text.casefold()}" for text in texts)
    return all(word in said for word in words)


def texts_of(raws: Sequence[RawItem]) -> Iterator[tuple[RawItem, list[str]]]:
    """Yields each raw item with the text of its post, the content warning, and its author's name and handle. What is
    gone says nothing. They are compared only: what the viewer may see is for the caller to ask.

    One BatchGetItem of two keys an item, at most 50 read units for 50 items.
    """
    pointers = [pointer_of(raw) for raw in raws]
    posts = [keys.post(one.author_id, one.post_id) for one in pointers]
    authors = [keys.user_info(one.author_id) for one in pointers]
    read = fetch([*posts, *authors])
    for raw, post_key, author_key in zip(raws, posts, authors, strict=True):
        post = row(Post, read.get(post_key, {}))
        author = row(UserInfo, read.get(author_key, {}))
        yield raw, [said_by(post), post.warning or "", author.name, author.handle]


MOST_MARKS = 3  # in a post: a page of twenty stays small however often a letter stands in them

_tags = re.compile(r"(<[^>]*>)")


def is_anywhere(text: str, start: int, end: int) -> bool:
    """A mark may stand anywhere, also inside a longer word."""
    return True


def mark_in(
    card: PostCard,
    words: Sequence[str],
    *,
    may_mark: Callable[[str, int, int], bool] = is_anywhere,
) -> PostCard:
    """Returns the card with the words marked, the first three of them. Words that links break apart stay plain, as do
    those of which `may_mark` says so: it is asked with the text and where in it they stand."""
    return card._replace(html=_mark(card.html, words, may_mark))


def _mark(
    text: SafeString, words: Sequence[str], may_mark: Callable[[str, int, int], bool]
) -> SafeString:
    parts, left = [], MOST_MARKS
    for part in _tags.split(text):
        if part.startswith("<"):
            parts.append(part)
            continue
        plain, position = html.unescape(part), 0
        spans = [span for span in find_folded(plain, words) if may_mark(plain, *span)]
        for start, end in spans[:left]:
            parts.append(f"{escape(plain[position:start])}<mark>{escape(plain[start:end])}</mark>")
            position, left = end, left - 1
        parts.append(escape(plain[position:]))
    return mark_safe("".join(parts))  # noqa: S308 - what stands outside tags is escaped again


TOGETHER = 50  # items whose texts are read in one call


class Shown(Protocol):
    @property
    def post_id(self) -> str: ...


T = TypeVar("T", bound=Shown)


@dataclass(frozen=True, slots=True)
class Found(Page[T]):
    """A page of what was found, how many posts were looked at for it, and the day of the oldest of them, in words."""

    looked_at: int = 0
    back_to: str = ""


@dataclass(frozen=True, slots=True)
class Searched(Generic[T]):
    """A partition to look through, whose items hold the ids of posts and are in their order.

    `say` returns for some of the raw items, at most 50, what is compared of each. `show` returns, for at most 20 that
    have all words, what the page shows, without what the viewer may not see.
    """

    partition: str
    scope: str
    look_at: int  # items for one page
    say: Callable[[Sequence[RawItem]], Iterable[tuple[RawItem, Sequence[str]]]]
    show: Callable[[Sequence[RawItem]], Sequence[T]]
    between: tuple[str, str] | None = None


def look_through(searched: Searched[T], words: Sequence[str], *, cursor: str | None) -> Found[T]:
    """Returns what has all the words, newest post first. A page ends with the 20th that is shown, or after `look_at`
    items, so it may be short or empty and still go on.

    One Query, 0.5 read units per 4 KB, and one more for each full MB; then what `say` and `show` read. Raises
    `BadCursor`.
    """
    start = Key(searched.partition, read_cursor(searched.scope, cursor).sk) if cursor else None
    rows = query(
        searched.partition,
        after=start,
        between=searched.between,
        forward=False,
        limit=searched.look_at + 1,  # the last one only says whether there is more
    )
    raws = list(islice(rows, searched.look_at + 1))
    looked_at = raws[: searched.look_at]
    fitting = _fitting(searched, looked_at, words)
    shown: list[T] = []
    while len(shown) < PAGE_SIZE and (some := list(islice(fitting, PAGE_SIZE))):
        shown += searched.show(some)
    if len(shown) >= PAGE_SIZE:
        shown = shown[:PAGE_SIZE]
        ids_read = [_post_id(raw) for raw in looked_at]
        looked_at = looked_at[: ids_read.index(shown[-1].post_id) + 1]
    following = None
    if len(looked_at) < len(raws):
        following = write_cursor(searched.scope, Place("next", key_of(looked_at[-1]).sk))
    top = shown[0].post_id if shown else None
    back_to = _day_of(looked_at[-1]) if looked_at else ""
    return Found(shown, following, None, top, looked_at=len(looked_at), back_to=back_to)


def _fitting(
    searched: Searched[T], raws: Sequence[RawItem], words: Sequence[str]
) -> Iterator[RawItem]:
    """Yields what fits, and reads no further than the caller does."""
    for first in range(0, len(raws), TOGETHER):
        for raw, texts in searched.say(raws[first : first + TOGETHER]):
            if fit(words, texts):
                yield raw


def _post_id(raw: RawItem) -> str:
    return str(raw["post_id"]["S"])


def _day_of(raw: RawItem) -> str:
    day = timezone.localdate(ids.time_of(_post_id(raw)))
    return short_date(day, get_language(), with_year=True)


OWN_POSTS_LOOKED_AT = 500  # posts for one page


@access_pattern
def search_own_posts(viewer: Viewer, text: str, *, cursor: str | None = None) -> Found[PostCard]:
    """Returns the viewer's posts and replies that have all words of a text in them or in their content warning, newest
    first. Looks at 500 of them (reposts among them, which have no text), so a page may be short or empty and still go
    on.

    One Query of `u#<id>#post`, or up to three for posts of the greatest length: 0.5 read units per 4 KB, at most 300.
    Then `get_posts` for at most 20 that fit. Raises `BadCursor`.
    """
    words, partition = words_of(text), keys.posts(viewer.user_id)

    def show(raws: Sequence[RawItem]) -> list[PostCard]:
        pointers = [pointer_of(raw) for raw in raws]
        cards = get_posts(pointers, viewer=viewer, quiet=OF_ONES_OWN)
        return [mark_in(card, words) for card in cards]

    own = Searched(partition, f"{partition} words", OWN_POSTS_LOOKED_AT, _say_own, show)
    return look_through(own, words, cursor=cursor)


def _say_own(raws: Sequence[RawItem]) -> Iterator[tuple[RawItem, Sequence[str]]]:
    for raw in raws:
        if not pointer_of(raw).repost_of:
            post = row(Post, raw)
            yield raw, (said_by(post), post.warning or "")


LIKES_LOOKED_AT = 200  # likes for one page: each takes the reading of its post and author


@access_pattern
def search_liked_posts(viewer: Viewer, text: str, *, cursor: str | None = None) -> Found[PostCard]:
    """Returns posts that the viewer likes and that have all words of a text in them, in their content warning or in
    their author's name, newest post first. Looks at 200 of them (traces of reposts among them), so a page may be short
    or empty and still go on.

    One Query of the traces, 0.5 read units per 4 KB. For each 50 looked at one BatchGetItem of posts and authors, at
    most 50 read units, then `get_posts` for each 20 that fit. In all at most 200 read units to look, and 2.5 for each
    post that fits. What the viewer may not see any more is not found. Raises `BadCursor`.
    """
    words, partition = words_of(text), keys.traces(viewer.user_id)

    def show(raws: Sequence[RawItem]) -> list[PostCard]:
        pointers = [pointer_of(raw) for raw in raws]
        cards = get_posts(pointers, viewer=viewer, quiet=OF_ONES_OWN)
        return [mark_in(card, words) for card in cards]

    between = keys.like_trace_bounds()
    liked = Searched(partition, f"{partition} words", LIKES_LOOKED_AT, _say_liked, show, between)
    return look_through(liked, words, cursor=cursor)


def _say_liked(raws: Sequence[RawItem]) -> Iterator[tuple[RawItem, list[str]]]:
    return texts_of([raw for raw in raws if not row(LikeTrace, raw).not_liked])
