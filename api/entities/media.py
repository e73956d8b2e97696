"""Photos, as media attachments."""

from typing import Any

from accounts.people.viewer import Viewer
from api.photo_addresses import OWN, PhotoAddress
from photos.models import Photo
from photos.reads import WIDTHS


def attachment_of(photo: Photo, here: str, viewer: Viewer) -> dict[str, Any]:
    """Returns one of the viewer's own photos, which nothing shows yet, or a scheduled post of theirs."""
    address = PhotoAddress.of(OWN, photo.photo_id, photo.secret, viewer)
    small, *_, large = (address.url(width) for width in WIDTHS)
    return as_attachment(
        photo.photo_id,
        f"{here}{large}",
        f"{here}{small}",
        width=int(photo.width),
        height=int(photo.height),
        alt=photo.alt or "",
    )


def as_attachment(
    photo_id: str, url: str, preview_url: str, *, width: int, height: int, alt: str
) -> dict[str, Any]:
    size = {"width": width, "height": height, "aspect": width / height}
    return {
        "id": photo_id,
        "type": "image",
        "url": url,
        "preview_url": preview_url,
        "remote_url": None,
        "meta": {"original": size | {"size": f"{width}x{height}"}},
        "description": alt or None,
        "blurhash": None,
    }
