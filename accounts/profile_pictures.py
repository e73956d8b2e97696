"""The pictures of a profile: the square one, and the wide one at its top.

Both are made anew of uploads by the child for pictures (`socialsite/pictures/`). `UserInfo` holds the name of the
square one's file, and what the names of the wide one's two files begin with.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import IO

from socialsite.pictures.decoding import PictureRefused, make_pictures
from socialsite.table import ids


class Kind(StrEnum):
    """The recipe, the attribute of `UserInfo` and the field of the form have this name."""

    AVATAR = "avatar"
    HEADER = "header"


HEADER_WIDTHS = (1500, 750)


class BadImage(Exception):
    """The file cannot be used as this picture."""

    def __init__(self, kind: Kind) -> None:
        super().__init__(kind)
        self.kind = kind


def reencode(kind: Kind, upload: IO[bytes]) -> Mapping[str, bytes]:
    """Returns the WebP files of a picture by their names in the recipe. Raises `BadImage`, and `PicturesBusy` if too
    many others are being made."""
    try:
        return make_pictures(upload, kind).files
    except PictureRefused as refused:
        raise BadImage(kind) from refused


def new_name(kind: Kind, picture_id: str = "") -> str:
    """Returns a name for a picture that nobody can guess or has had before."""
    name = f"{kind}s/{picture_id or ids.new_id()}"
    return f"{name}.webp" if kind == Kind.AVATAR else name


def files_of(name: str | None) -> dict[str, str]:
    """Returns the stored files of a picture, by their names in the recipe; none if there is no picture."""
    if not name:
        return {}
    if name.startswith("avatars/"):
        return {"256.webp": name}
    return {f"{width}.webp": f"{name}-{width}.webp" for width in HEADER_WIDTHS}
