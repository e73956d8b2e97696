"""What lies on a shelf, for tests of saved posts."""

from accounts.viewer import Viewer
from feed.models import SavedPost
from feed.shelf.folders import folders_of
from socialsite.table import keys
from socialsite.table.reading import as_model, query
from tests.streams.crowd import returning


def shelf_of(viewer: Viewer) -> list[SavedPost]:
    """Everything on the shelf, in the order of its keys."""
    rows = query(keys.shelf(viewer.user_id), consistent=True)
    return [as_model(SavedPost, raw) for raw in rows]


def saved_ids(viewer: Viewer, folder_id: str = "") -> list[str]:
    """The saved posts, all or those in a folder, oldest first."""
    low, high = keys.saved_bounds(folder_id)
    return [item.post_id for item in shelf_of(viewer) if low <= item.sk <= high]


def folder_names(viewer: Viewer) -> dict[str, str]:
    """The viewer's folders: name by id."""
    return dict(folders_of(returning(viewer)))
