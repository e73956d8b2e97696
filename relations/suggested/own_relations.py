"""The viewer's own blocks, mutes and requests, in one Query, for pages that show many people.

Asked by key, each of them would cost half a unit, there or not, and nearly none of them is there.
"""

from accounts.viewer import Viewer
from relations.models import RelationType
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.paging import Stretch, read_stretch

MOST = 200  # of some 220 bytes; of people with more, those beyond are asked for by key
# Friends are not among them: their notes can be long, and would make the Query dear.
BETWEEN = (
    keys.relation_bounds(RelationType.BLOCK)[0],
    keys.relation_bounds(RelationType.FRIEND_REQUEST)[1],
)


@access_pattern
def own_relations(viewer: Viewer) -> Stretch:
    """Returns the viewer's blocks, mutes and requests, also those that ended; nothing for visitors.

    One Query `PK = u#<id>#relation`, `SK` from the blocks to the requests, at most 200: 0.5 read units per 4 KB, so at
    most 6. Eventually consistent, as keys would be.
    """
    if not viewer.is_authenticated:
        return Stretch()
    return read_stretch(keys.relations(viewer.user_id), BETWEEN, most=MOST)
