"""Reads of photos: each person's own only. What a post shows of its photos stands in the post."""

from collections.abc import Sequence

from accounts.viewer import Viewer
from photos.models import READY, Photo
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.paging import Page, Source, query_merged
from socialsite.table.reading import as_model, fetch


@access_pattern
def get_photos(by: Viewer, photo_ids: Sequence[str]) -> list[Photo]:
    """Returns those of the signed-in person's own photos that are there and ready, in the order of the ids.

    One consistent BatchGetItem `PK = u#<id>#photo`, `SK = ph#<photo>`: 1 read unit a photo. None for no ids.
    """
    if not photo_ids:
        return []
    found = fetch([keys.photo(by.user_id, one) for one in photo_ids], consistent=True)
    photos = [as_model(Photo, raw) for raw in found.values()]
    return [photo for photo in photos if photo.state == READY]


@access_pattern
def list_album(viewer: Viewer, *, cursor: str | None = None) -> Page[Photo]:
    """Returns a page of the viewer's own photos, the newest first.

    One Query `PK = u#<id>#photo`, 0.5 read units per 4 KB. Raises `BadCursor`.
    """
    partition = keys.photos(viewer.user_id)
    source = Source(partition, wanted=lambda raw: raw["state"]["S"] == READY)
    page = query_merged([source], scope=partition, cursor=cursor)
    return page.with_items([as_model(Photo, raw) for raw in page.items])
