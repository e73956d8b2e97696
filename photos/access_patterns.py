"""Reads of photos: each person's own only, and who may open a file. What a post shows of them stands in the post."""

from collections.abc import Sequence

from accounts.access_patterns import read_signed_in
from accounts.viewer import Viewer
from photos.models import READY, Photo
from relations.models import RelationType
from relations.relation import blocks_either_way
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


@access_pattern
def may_open(viewer_id: str, secret_hash: str, *, owner_id: str) -> bool:
    """Whether the sign-in of a viewer, for whom an address was signed, still holds, and neither they nor the owner of
    the photo has blocked the other since. Without `owner_id` the photo is theirs, or shown to a moderator.

    As `read_signed_in`, with the block in the same BatchGetItem: 2 read units, 1.5 without an owner.
    """
    block = [keys.relation(viewer_id, RelationType.BLOCK, owner_id)] if owner_id else []
    found = read_signed_in(viewer_id, secret_hash, beside=block)
    return found is not None and not any(map(blocks_either_way, found.values()))
