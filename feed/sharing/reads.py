"""The people who reposted a post, the posts that quote it, and which posts count as quotes."""

from accounts.people.cards import PersonCard
from accounts.people.viewer import VISITOR, Viewer
from feed.cards.post_card import PostCard
from feed.cards.reads import get_posts
from feed.posts.models import Post, Reposter
from feed.posts.reads import pointer_of
from relations.reads import list_people
from socialsite.table import Item, Page, access_pattern, keys, query_page, row


@access_pattern
def list_reposters(
    post_id: str, *, viewer: Viewer = VISITOR, cursor: str | None = None
) -> Page[PersonCard]:
    """Returns the people who reposted a post, oldest account first.

    Query `PK = p#<id>#repostlist`, then one BatchGetItem of their infos and the viewer's follow edges. In all 0.5 + 30
    read units.
    """
    page = query_page(keys.reposters(post_id), cursor=cursor, newest_first=False)
    user_ids = [row(Reposter, raw).user_id for raw in page.items]
    return page.with_items(list_people(user_ids, viewer=viewer))


def is_counted(post: Post) -> bool:
    """Whether readers can see that a post quotes another."""
    return bool(post.quote_of) and not (post.withheld or post.audience or post.quote_withdrawn)


def difference(old: Item | None, new: Item | None) -> int:
    """Returns by how much a change of a post changes the count of quotes of the post that it quotes."""
    was, is_now = (isinstance(one, Post) and is_counted(one) for one in (old, new))
    return is_now - was


@access_pattern
def list_quotes(
    post_id: str, *, viewer: Viewer = VISITOR, cursor: str | None = None
) -> Page[PostCard]:
    """Returns the posts that quote a post, newest first, of those that the viewer may see the ones whose quote its
    author did not take back.

    Query `PK = p#<id>#quotelist`, then one BatchGetItem, for a page of 20 by as many people of two times 100 keys. In
    all 0.5 + 70 read units.
    """
    page = query_page(keys.quotes(post_id), cursor=cursor)
    posts = get_posts(map(pointer_of, page.items), viewer=viewer)
    return page.with_items([post for post in posts if post.quote_of and not post.quote_withdrawn])
