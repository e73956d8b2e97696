"""Photos in the composer, moved and taken out without script."""

from collections.abc import Mapping, Sequence

from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from accounts.requests import SiteRequest, sign_in_required
from feed.forms.photos import PhotosForm, Tile
from feed.forms.posts import PostForm
from feed.photos.taking import take_photos
from photos.limits import MOST_BYTES, MOST_PHOTOS
from socialsite.web.bounds.bodies import takes_upload


@takes_upload((MOST_PHOTOS + 1) * MOST_BYTES)
@require_POST
@sign_in_required
def arrange(request: SiteRequest) -> HttpResponse:
    """Shows the composer again, as it was sent, with its photos in another order or one less. Files that came along
    become photos. What else is wrong with the post is told when it is posted."""
    form = PostForm(request.POST, request.FILES, circles=request.user.circles)
    take_photos(form, by=request.user)
    arrange_tiles(form, request.POST)
    for part in (form, *form.further):
        for field in [name for name in part.errors if name != "photos"]:
            del part.errors[field]
    return render(request, "feed/compose.html", {"form": form, "own_page": True})


def arrange_tiles(form: PhotosForm, wishes: Mapping[str, str]) -> None:
    """Moves or takes out the photo of the button that was pressed, in the post of a story that it is in."""
    for part in (form, *getattr(form, "further", ())):
        if wish := wishes.get(part.add_prefix("arrange")):
            part.tiles = _arranged(part.tiles, wish)
            return
    raise BadRequest("no photo is named")


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
