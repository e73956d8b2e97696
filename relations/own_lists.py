"""Lists of people that only their owner sees, by the names that addresses give them."""

from accounts.viewer import Viewer
from relations.filters import NO_FILTERS, Filters
from relations.models import RelationType
from relations.relation_lists import RelationCard, list_relating, list_relations
from socialsite.table.paging import Page

OWN = {
    "friends": RelationType.FRIEND,
    "favourites": RelationType.FAVOURITE,
    "blocked": RelationType.BLOCK,
    "muted": RelationType.MUTE,
    "sent-friend": RelationType.FRIEND_REQUEST,
    "sent-follow": RelationType.FOLLOW_REQUEST,
}
OF_OTHERS = {
    "friend": RelationType.FRIEND_REQUEST,
    "follow": RelationType.FOLLOW_REQUEST,
}


def list_own(
    viewer: Viewer, name: str, *, filters: Filters | None = None, cursor: str | None = None
) -> Page[RelationCard]:
    """Returns a page of one of the lists: `list_relations` for the person's own, `list_relating` for requests of
    others."""
    if name in OF_OTHERS:
        return list_relating(viewer.user_id, OF_OTHERS[name], viewer=viewer, cursor=cursor)
    return list_relations(viewer, OWN[name], filters=filters or NO_FILTERS, cursor=cursor)
