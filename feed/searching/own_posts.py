"""Finding the viewer's own posts by their words."""

from collections.abc import Iterator, Sequence

from accounts.viewer import Viewer
from feed.cards import PostCard
from feed.models import Post
from feed.pointers import pointer_of
from feed.polls.said import said_by
from feed.searching.looking import Found, Searched, look_through
from feed.searching.marking import mark_in
from feed.searching.words import words_of
from feed.visible_posts import get_posts
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem
from socialsite.table.row import row

LOOKED_AT = 500  # posts for one page


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
        cards = get_posts([pointer_of(raw) for raw in raws], viewer=viewer)
        return [mark_in(card, words) for card in cards]

    own = Searched(partition, f"{partition} words", LOOKED_AT, _say, show)
    return look_through(own, words, cursor=cursor)


def _say(raws: Sequence[RawItem]) -> Iterator[tuple[RawItem, Sequence[str]]]:
    for raw in raws:
        if not pointer_of(raw).repost_of:
            post = row(Post, raw)
            yield raw, (said_by(post), post.warning or "")
