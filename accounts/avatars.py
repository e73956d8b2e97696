"""Turns an upload into an avatar: a square, made anew by the child for pictures (`socialsite/pictures/`)."""

from typing import IO

from django.conf import settings

from socialsite.pictures.decoding import PictureRefused, make_pictures

NAME = "256.webp"  # of the recipe


class BadImage(Exception):
    """The file cannot be used as an avatar."""


def reencode_avatar(upload: IO[bytes]) -> bytes:
    """Returns a square WebP picture of at most a few KB. Raises `BadImage`, and `PicturesBusy` if too many others are
    being made."""
    try:
        made = make_pictures(upload, "avatar", most_pixels=settings.AVATAR_MAX_PIXELS)
    except PictureRefused as refused:
        raise BadImage(refused.reason) from refused
    return made.files[NAME]
