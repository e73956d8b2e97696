"""A person's photos: what is said about each, and the files."""

from collections.abc import Iterable, Iterator, Sequence

from django.utils.translation import gettext_lazy as _

from photos.files import PRIVATE, read_file
from photos.models import READY, Photo
from privacy.export.fields import FILE, MOMENT, NUMBER, TEXT, Field, Record
from privacy.export.kinds import Kind
from privacy.export.owner import Owner
from privacy.export.records.posts import moment_of
from socialsite.table.errors import NotFound
from socialsite.table.reading import RawItem
from socialsite.table.row import row

FOLDER = "media/photos"
LARGEST = "1600.webp"

PHOTOS = Kind(
    "photos",
    _("Photos"),
    {
        "id": Field(TEXT, "The photo’s id."),
        "file": Field(FILE, "The path of the photo in this export."),
        "description": Field(TEXT, "What you wrote for people who can’t see it."),
        "width": Field(NUMBER, "In pixels."),
        "height": Field(NUMBER, "In pixels."),
        "uploaded_at": Field(MOMENT, "When you uploaded it, in UTC."),
        "post_id": Field(TEXT, "The id of your post that shows it, empty if none does."),
    },
    ((_("Photo"), "file"), (_("Description"), "description"), (_("When"), "uploaded_at")),
)


def photo_lines(owner: Owner, raws: Sequence[RawItem]) -> Iterator[tuple[str, Record]]:
    for raw in raws:
        photo = row(Photo, raw)
        if photo.state == READY:
            yield (
                PHOTOS.name,
                {
                    "id": photo.photo_id,
                    "file": path_of(photo.photo_id),
                    "description": photo.alt,
                    "width": int(photo.width),
                    "height": int(photo.height),
                    "uploaded_at": moment_of(photo.photo_id),
                    "post_id": photo.post_id,
                },
            )


def path_of(photo_id: str) -> str:
    return f"{FOLDER}/{photo_id}.webp"


def photo_files(raws: Iterable[RawItem]) -> Iterator[tuple[str, bytes]]:
    """Yields the path and the largest file of each photo. One that was deleted meanwhile is left out."""
    for raw in raws:
        photo = row(Photo, raw)
        if photo.state == READY:
            try:
                yield path_of(photo.photo_id), read_file(PRIVATE, photo.secret, LARGEST)
            except NotFound:
                continue
