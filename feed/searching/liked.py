"""Finding posts that the viewer likes by their words."""

from collections.abc import Iterator, Sequence

from accounts.viewer import Viewer
from feed.cards import PostCard
from feed.models import LikeTrace
from feed.pointers import pointer_of
from feed.searching.looking import Found, Searched, look_through
from feed.searching.marking import mark_in
from feed.searching.texts import texts_of
from feed.searching.words import words_of
from feed.visible_posts import get_posts
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem
from socialsite.table.row import row

LOOKED_AT = 200  # likes for one page: each takes the reading of its post and author


@access_pattern
def search_liked_posts(viewer: Viewer, text: str, *, cursor: str | None = None) -> Found[PostCard]:
    """Returns posts that the viewer likes and that have all words of a text in them, in their content warning or in
    their author's name, newest post first. Looks at 200 of them (traces of reposts among them), so a page may be short
    or empty and still go on.

    One Query of the traces, 0.5 read units per 4 KB. For each 50 looked at one BatchGetItem of posts and authors, at
    most 50 read units, then `get_posts` for each 20 that fit. What the viewer may not see any more is not found. Raises
    `BadCursor`.
    """
    words, partition = words_of(text), keys.traces(viewer.user_id)

    def show(raws: Sequence[RawItem]) -> list[PostCard]:
        cards = get_posts([pointer_of(raw) for raw in raws], viewer=viewer)
        return [mark_in(card, words) for card in cards]

    between = keys.like_trace_bounds()
    liked = Searched(partition, f"{partition} words", LOOKED_AT, _say, show, between)
    return look_through(liked, words, cursor=cursor)


def _say(raws: Sequence[RawItem]) -> Iterator[tuple[RawItem, list[str]]]:
    return texts_of([raw for raw in raws if not row(LikeTrace, raw).not_liked])
