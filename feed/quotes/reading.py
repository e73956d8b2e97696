"""Reads the posts that quote a post."""

from accounts.viewer import VISITOR, Viewer
from feed.cards import PostCard
from feed.pointers import pointer_of
from feed.visible_posts import get_posts
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.paging import Page, query_page


@access_pattern
def list_quotes(
    post_id: str, *, viewer: Viewer = VISITOR, cursor: str | None = None
) -> Page[PostCard]:
    """Returns the posts that quote a post, newest first, of those that the viewer may see the ones whose quote its
    author did not take back.

    Query `PK = p#<id>#quotelist`, then one BatchGetItem, for a page of 20 by as many people of two times 100 keys.
    """
    page = query_page(keys.quotes(post_id), cursor=cursor)
    posts = get_posts(map(pointer_of, page.items), viewer=viewer)
    return page.with_items([post for post in posts if post.quote_of and not post.quote_withdrawn])
