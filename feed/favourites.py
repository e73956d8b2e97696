"""The timeline of favourites: their posts, newest first, whether the viewer follows them or not."""

from itertools import islice

from accounts.viewer import Viewer
from feed.access_patterns import source_of_posts
from feed.cards import PostCard
from feed.pointers import pointer_of
from feed.visible_posts import get_posts
from relations.models import Relation, RelationType
from relations.relation import is_in_force
from relations.services.favourite import MOST_FAVOURITES
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.paging import Page, query_merged
from socialsite.table.reading import query
from socialsite.table.row import row


@access_pattern
def get_favourites(viewer: Viewer, *, cursor: str | None = None) -> Page[PostCard]:
    """Returns the posts of the viewer's favourites, newest first.

    One Query of the favourites, one of the posts of each, at most 30, merged, then one BatchGetItem of at most 100
    keys: 0.5 + 30 read units if posts are short, and 50. Nothing is fanned out, because favourites are few. Raises
    `BadCursor`.
    """
    partition = keys.relations(viewer.user_id)
    stars = query(partition, between=keys.relation_bounds(RelationType.FAVOURITE))
    sources = [
        source_of_posts(row(Relation, raw).other_id)
        for raw in islice(filter(is_in_force, stars), MOST_FAVOURITES)
    ]
    scope = f"{partition} {int(RelationType.FAVOURITE)}"
    page = query_merged(sources, scope=scope, cursor=cursor)
    return page.with_items(get_posts(map(pointer_of, page.items), viewer=viewer))
