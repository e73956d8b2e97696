"""What lies on a shelf, for tests of saved posts."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from accounts.people.viewer import Viewer
from feed.saved.models import SavedPost
from feed.saved.reads import folders_of
from socialsite.table import as_model, ids, keys, query
from tests.streams.crowd import returning


def shelf_of(viewer: Viewer) -> list[SavedPost]:
    """Everything on the shelf, in the order of its keys."""
    rows = query(keys.shelf(viewer.user_id), consistent=True)
    return [as_model(SavedPost, raw) for raw in rows]


def state(viewer: Viewer) -> list[tuple[str, str, str, str]]:
    """Every item on the shelf: its list, post, folder and note."""
    return [
        (one.sk.split("#")[1], one.post_id, one.folder or "", one.note or "")
        for one in shelf_of(viewer)
    ]


def saved_ids(viewer: Viewer, folder_id: str = "") -> list[str]:
    """The saved posts, all or those in a folder, oldest first."""
    low, high = keys.saved_bounds(folder_id)
    return [item.post_id for item in shelf_of(viewer) if low <= item.sk <= high]


def folder_names(viewer: Viewer) -> dict[str, str]:
    """The viewer's folders: name by id."""
    return dict(folders_of(returning(viewer)))


def file_saved(
    viewer: Viewer, authors_of: Sequence[tuple[str, str]], number: int, note: str = ""
) -> Iterator[SavedPost]:
    """So many saved posts of these authors, which are all gone."""
    start = datetime(2026, 1, 1, tzinfo=UTC)
    for one in range(number):
        yield SavedPost.new(
            user_id=viewer.user_id,
            post_id=ids.id_at(start + timedelta(minutes=one), one.to_bytes(10)),
            author_id=authors_of[one % len(authors_of)][1],
            saved_at=start.isoformat(),
            note=note,
        )
