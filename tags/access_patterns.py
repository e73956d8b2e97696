"""Reads about tags."""

from accounts.viewer import VISITOR, Viewer
from feed.cards import PostCard
from feed.pointers import pointer_of
from feed.visible_posts import get_posts
from relations.suggested.own_relations import own_relations
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.paging import Page, query_page


@access_pattern
def list_tagged(tag: str, *, viewer: Viewer = VISITOR, cursor: str | None = None) -> Page[PostCard]:
    """Returns the public posts with a tag, newest first. Posts of limited people are shown only to themselves, those of
    muted people not at all. A page may be short, or empty, and still have a next one. Raises `BadCursor`.

    Query `PK = tag#<tag>#post` and `own_relations`, then as `get_posts`: one or two BatchGetItems, at most 4 keys a
    post.
    """
    page = query_page(keys.tagged_posts(tag), cursor=cursor)
    pointers = [pointer_of(raw) for raw in page.items]
    authors = {one.author_id for one in pointers}
    own = own_relations(viewer)
    posts = get_posts(pointers, viewer=viewer, mutes_of=authors, known=[own])
    return page.with_items([post for post in posts if post.is_own or not post.author.is_limited])
