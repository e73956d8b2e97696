"""The composer with what a draft or a scheduled post holds, and the photos of a form that was sent: its files become
photos, and stay so if the form is refused. They are shown, moved and taken out there without script.

Photos are kept for as long as a draft or a scheduled post names them. The transaction that writes the draft keeps its
photos: they have no `ttl` from then on, and name it in `held_by`. What ends that is of many kinds: a photo is taken
out, the draft is published, deleted, or expires. So the stream worker releases photos, whatever ended it (`stream.py`).
"""

import hashlib
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from django.core.exceptions import BadRequest
from django.utils.translation import gettext as _

from accounts.people.viewer import Viewer
from feed.composing.composition import Composition
from feed.composing.forms import MOST_CHARACTERS, PartForm, PostForm, StoryForm
from feed.composing.models import Draft
from feed.composing.reads import Slot, get_draft, get_scheduled
from feed.posts.models import Audience
from feed.publishing.photos import CannotAttach
from photos.forms import REFUSALS, ChosenPhotosForm, Tile, Wished
from photos.models import Photo
from photos.reads import WIDTHS, get_photos, picture_url
from photos.writes import describe_photo, keep, release, upload_photo
from socialsite.pictures.decoding import PictureRefused
from socialsite.table import (
    Change,
    Check,
    Key,
    Moved,
    access_pattern,
    as_model,
    fetch,
    keys,
    row,
    transact,
    write_optimistically,
)
from socialsite.texts import without_unseen
from socialsite.web.limits import PHOTOS, count_hits


def free_photos(by: Viewer, photo_ids: Sequence[str]) -> list[Photo]:
    """Returns those of the person's photos that are there, and that no post or message shows. As `get_photos`."""
    return [photo for photo in get_photos(by, photo_ids) if photo.is_free]


def keep_photos(
    photos: Sequence[Photo], *, holder: str, descriptions: Mapping[str, str] | None = None
) -> list[Change]:
    """Returns the actions that keep these photos for a holder, and set what is said of them, where that changes
    anything. 2 write units each, and per KB."""
    said = descriptions or {}
    return [
        keep(photo, holder=holder, description=said.get(photo.photo_id))
        for photo in photos
        if holder not in (photo.held_by or ())
        or said.get(photo.photo_id, photo.alt or "") != (photo.alt or "")
    ]


@access_pattern
def release_photos(user_id: str, photo_ids: Collection[str], *, holder: str) -> None:
    """Releases these photos, unless the holder, a draft's id or a scheduled post's slot, is there and names them. Safe
    to repeat, and for photos that are gone or that a post shows.

    A consistent BatchGetItem of the holder and the photos, 1 read unit each. If something is to change, one
    TransactWriteItems of the photos and a check of the holder, 2 write units each.
    """
    place = _place_of(user_id, holder)
    asked = [keys.photo(user_id, one) for one in photo_ids]

    def attempt() -> None:
        found = fetch([place, *asked], consistent=True)
        there = row(Draft, found.pop(place, {}))
        photos = [as_model(Photo, raw) for raw in found.values()]
        left = [
            release(photo, holder=holder)
            for photo in photos
            if holder in (photo.held_by or ()) and photo.photo_id not in (there.photos or ())
        ]
        if left:
            version = Draft.version
            same = version == int(there.version) if there.version else version.does_not_exist()
            transact(*left, Check(place, same, Moved))

    write_optimistically(attempt)


def _place_of(user_id: str, holder: str) -> Key:
    slot = Slot.of(holder)
    return slot.key(user_id) if slot else keys.draft(user_id, holder)


def tile_of(photo: Photo, by: Viewer, description: str, error: str = "") -> Tile:
    return Tile(
        photo_id=photo.photo_id,
        preview_url=picture_url(photo.secret, WIDTHS[0], viewer_id=by.user_id),
        width=int(photo.width),
        height=int(photo.height),
        description=description,
        error=error,
    )


def show_kept(
    forms: Sequence[ChosenPhotosForm], photo_ids: Sequence[Sequence[str]], *, by: Viewer
) -> None:
    """Shows the photos of a draft or a scheduled post in empty forms, those of each of its posts in its own, and says
    so if some are gone. As `get_photos`."""
    found = free_photos(by, [one for of_form in photo_ids for one in of_form])
    photos = {photo.photo_id: photo for photo in found}
    for form, wanted in zip(forms, photo_ids, strict=True):
        there = [photos[one] for one in wanted if one in photos]
        form.tiles = [tile_of(photo, by, photo.alt or "") for photo in there]
        if len(there) < len(wanted):
            form.said_of_photos = CannotAttach(wanted).sentence


def arrange_tiles(form: ChosenPhotosForm, wishes: Mapping[str, str]) -> None:
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


def take_photos(form: ChosenPhotosForm, *, by: Viewer) -> bool:
    """Makes photos of the files in a form, and keeps what was typed about those that were there. Returns whether the
    form is valid, and shows all photos as its `tiles`, whether or not it is.

    A consistent BatchGetItem of the photos that were there, and what `upload_photo` and `describe_photo` take for each.
    """
    return _take_all(form, by, _take_described)


def take_photos_of_draft(form: ChosenPhotosForm, *, by: Viewer) -> bool:
    """The same for a draft, in whose transaction the descriptions are written (`save_draft`), and which is kept without
    the photos that are gone."""
    return _take_all(form, by, _take, of_draft=True)


def take_photos_of_message(form: ChosenPhotosForm, *, by: Viewer) -> bool:
    """The same for a private message, in whose sealed words the descriptions stand: none is written into a photo. The
    photos are `enclosed` of the form."""
    return _take_all(form, by, _take_silent)


Take = Callable[[ChosenPhotosForm, Viewer, Wished, Mapping[str, Photo]], Photo | None]


def _take_all(form: ChosenPhotosForm, by: Viewer, take: Take, *, of_draft: bool = False) -> bool:
    """Takes the photos of a form, and those of the further posts in it. A post that was left empty is none."""
    if not form.is_bound:
        return False
    further = getattr(form, "further", ())
    parts = [form, *(part for part in further if not part.is_left_empty)]
    for part in parts:
        part.is_valid()
    named = [one.photo_id for part in parts for one in part.wished if one.photo_id]
    there = {photo.photo_id: photo for photo in get_photos(by, named)}
    for part in parts:
        _take_part(part, by, take, there, of_draft=of_draft)
    if len(set(named)) < len(named) and not of_draft:
        form.add_error("photos", _("A photo can be in a post only once."))
    is_valid = form.is_valid()
    if is_valid and isinstance(form, StoryForm):
        form.cleaned_data["parts"] = form.parts()
    return is_valid


def _take_part(
    form: ChosenPhotosForm, by: Viewer, take: Take, there: Mapping[str, Photo], *, of_draft: bool
) -> None:
    named = [one.photo_id for one in form.wished if one.photo_id]
    photos = [(one, take(form, by, one, there)) for one in form.wished]
    if not of_draft and (gone := [one for one in named if one not in there]):
        form.add_error("photos", CannotAttach(gone).sentence)
    form.tiles = [
        tile_of(photo, by, one.description, one.error) for one, photo in photos if photo is not None
    ]
    form.enclosed = [photo for _one, photo in photos if photo is not None]
    shown = [tile.photo_id for tile in form.tiles]
    form.taken = tuple(dict.fromkeys([*named, *shown]) if of_draft else shown)
    if hasattr(form, "cleaned_data"):
        form.cleaned_data["photos"] = form.taken


def descriptions_in(form: ChosenPhotosForm) -> dict[str, str]:
    """Returns what is said of the photos of all posts in a form, by their ids."""
    parts = (form, *getattr(form, "further", ()))
    return {tile.photo_id: tile.description for part in parts for tile in part.tiles}


def refuse_photos(form: ChosenPhotosForm, refusal: CannotAttach) -> None:
    """Says which photos a post cannot have, beside it, and leaves them out."""
    refused = set(refusal.photo_ids)
    parts = [form, *getattr(form, "further", ())]
    for part in parts:
        left = [tile for tile in part.tiles if tile.photo_id not in refused]
        if len(left) < len(part.tiles) or (part is form and not refused):
            part.add_error("photos", refusal.sentence)
        part.tiles = left


def _take_described(
    form: ChosenPhotosForm, by: Viewer, one: Wished, there: Mapping[str, Photo]
) -> Photo | None:
    photo = _take(form, by, one, there)
    if photo is None or one.upload or not photo.is_free or one.error:
        return photo
    if (photo.alt or "") != one.description:
        describe_photo(by=by, photo_id=one.photo_id, description=one.description)
    return photo


def _take(
    form: ChosenPhotosForm, by: Viewer, one: Wished, there: Mapping[str, Photo]
) -> Photo | None:
    if one.upload is None:
        return there.get(one.photo_id)
    count_hits((PHOTOS, by.user_id))
    description = "" if one.error else one.description
    try:
        return upload_photo(by=by, upload=one.upload, description=description)
    except PictureRefused as refused:
        form.add_error("photos", ": ".join([one.upload.name or "", str(REFUSALS[refused.reason])]))
        return None


def _take_silent(
    form: ChosenPhotosForm, by: Viewer, one: Wished, there: Mapping[str, Photo]
) -> Photo | None:
    return _take(form, by, replace(one, description=""), there)


def composer_form(viewer: Viewer, asked: Mapping[str, str], *, auto_id: str) -> PostForm:
    """Returns an empty composer, or one with the draft or the scheduled post that the address asks for, or with what
    another app shared. Raises `NotFound`.

    Nothing for an empty one, else as `get_draft` or `get_scheduled`, and `get_photos` of its photos.
    """
    initial = {"nonce": secrets.token_urlsafe(16)} | _asked_for(viewer, asked)
    form = PostForm(circles=viewer.circles, initial=initial, auto_id=auto_id)
    form.further = [
        PartForm(number=number, auto_id=auto_id, initial=asdict(part))
        for number, part in enumerate(initial.get("parts", ()), 2)
    ]
    kept = [initial.get("photos", ()), *(part.photos for part in initial.get("parts", ()))]
    show_kept([form, *form.further], kept, by=viewer)
    return form


def _asked_for(viewer: Viewer, asked: Mapping[str, str]) -> dict[str, Any]:
    if place := asked.get("scheduled", ""):
        card = get_scheduled(place, viewer=viewer)
        seen = {"scheduled": str(card.slot), "version": card.version}
        when = {"publish_at": card.typed_time, "zone": card.zone}
        return never_wider(card.composition, viewer).as_typed() | seen | when
    if draft_id := asked.get("draft", ""):
        draft = get_draft(draft_id, viewer=viewer)
        known = {"draft": draft_id, "version": draft.version, "continues": draft_id}
        return never_wider(draft.composition, viewer).as_typed() | known
    return _shared(asked)


SHARED = ("title", "text", "url")  # as the manifest names them (socialsite/web/installed.py)


def _shared(asked: Mapping[str, str]) -> dict[str, Any]:
    """Returns what another app shared as the text of a new post, without a part that another one has in it. The browser
    keeps it apart from what was being written, by its hash, so that loading it again goes on with what became of it."""
    parts = [
        without_unseen(asked.get(name, "")[:MOST_CHARACTERS], multiline=True).strip()
        for name in SHARED
    ]
    parts = [part for part in dict.fromkeys(parts) if part]
    text = "\n".join(
        part for part in parts if not any(part in other for other in parts if other != part)
    )
    if not text:
        return {}
    digest = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]
    return {"content": text, "continues": f"shared-{digest}"}


def never_wider(composition: Composition, viewer: Viewer) -> Composition:
    """Returns it for its author alone if its circle was deleted: nobody else is chosen by chance."""
    if composition.audience == Audience.CIRCLE and not viewer.circle_name(composition.circle):
        return replace(composition, audience=Audience.ONLY_ME, circle="")
    return composition
