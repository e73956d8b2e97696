"""Reads the people who reposted a post."""

from accounts.cards import PersonCard
from accounts.viewer import VISITOR, Viewer
from feed.models import Reposter
from relations.access_patterns import list_people
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.paging import Page, query_page
from socialsite.table.row import row


@access_pattern
def list_reposters(
    post_id: str, *, viewer: Viewer = VISITOR, cursor: str | None = None
) -> Page[PersonCard]:
    """Returns the people who reposted a post, oldest account first.

    Query `PK = p#<id>#repostlist`, then one BatchGetItem of their infos and the viewer's follow edges.
    """
    page = query_page(keys.reposters(post_id), cursor=cursor, newest_first=False)
    user_ids = [row(Reposter, raw).user_id for raw in page.items]
    return page.with_items(list_people(user_ids, viewer=viewer))
