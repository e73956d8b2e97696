"""Setting a friend's circles, and the private note about them."""

from collections.abc import Collection

from accounts.viewer import Viewer
from relations.models import RelationType
from relations.services.relate import update_relation
from socialsite.table.meter import access_pattern


@access_pattern
def file_friend(*, by: Viewer, user_id: str, circles: Collection[str], note: str) -> None:
    """Sets the circles (their ids) and the note of a friend. Raises `NotRelated` if they are not a friend (any more).

    Costs as `update_relation`: 3 write units, with a note 6.
    """
    update_relation(
        by=by, relation_type=RelationType.FRIEND, user_id=user_id, tags=circles, note=note
    )
