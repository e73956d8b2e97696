"""Photos in a composer, moved and taken out without script."""

from collections.abc import Mapping, Sequence

from django.core.exceptions import BadRequest

from feed.forms.photos import PhotosForm, Tile


def arrange_tiles(form: PhotosForm, wishes: Mapping[str, str]) -> None:
    """Moves or takes out the photo of the button that was pressed, in the post of a story that it is in. What else is
    wrong with the form is told when it is posted."""
    parts = (form, *getattr(form, "further", ()))
    wished = next((part for part in parts if part.add_prefix("arrange") in wishes), form)
    wished.tiles = _arranged(wished.tiles, wishes.get(wished.add_prefix("arrange"), ""))
    for part in parts:
        for field in [name for name in part.errors if name != "photos"]:
            del part.errors[field]


def _arranged(tiles: Sequence[Tile], wish: str) -> list[Tile]:
    does, _, photo_id = wish.partition(" ")
    found = next((at for at, tile in enumerate(tiles) if tile.photo_id == photo_id), None)
    others = [tile for tile in tiles if tile.photo_id != photo_id]
    if does == "remove":
        return others
    if does not in ("earlier", "later"):
        raise BadRequest("arrange is earlier, later or remove, and an id")
    if found is not None:
        others.insert(max(0, found + (1 if does == "later" else -1)), tiles[found])
    return others
