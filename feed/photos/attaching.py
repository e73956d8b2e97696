"""Gives a person's photos to a new post."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.utils.translation import gettext as _

from accounts.viewer import Viewer
from feed.models import MediaEntry, Post, PostPhoto
from feed.photos.fitting import describe_as_fits
from photos.access_patterns import get_photos
from photos.attaching import PhotoGone, attach
from photos.models import Photo
from photos.publishing import make_public
from socialsite.due.planning import plan
from socialsite.table.actions import Change, Create, WriteAction

CLEAR_PHOTOS = "clear-photos"


class CannotAttach(PhotoGone):
    """A photo cannot be in the post. `photo_ids` are those, and `sentence` says why."""

    def __init__(self, photo_ids: Sequence[str]) -> None:
        super().__init__("cannot be attached")
        self.photo_ids = tuple(photo_ids)

    @property
    def sentence(self) -> str:
        return _("A photo is no longer there, or another post shows it. Add it again.")


def read_photos(by: Viewer, photo_ids: Sequence[str]) -> list[Photo]:
    """Returns the person's photos of a post in their order. Raises `CannotAttach`."""
    photos = get_photos(by, photo_ids)
    there = {photo.photo_id for photo in photos}
    if missing := [one for one in photo_ids if one not in there]:
        raise CannotAttach(missing)
    return photos


def give_photos(
    by: Viewer, post: Post, photos: Sequence[Photo], *, shown_later: bool = False
) -> list[WriteAction]:
    """Puts the photos into a new post, and returns what the transaction that publishes it writes: of each photo that it
    has a post from now on, and the pointer of the person's media. 2 write units each.

    If everyone may see the post, their copies for everyone are made first, so that its first reader finds the pictures:
    4 write units a photo, and the files. A copy for a post that never came goes with the photo, a day later. With
    `shown_later` the stream worker makes them (`stream_handlers/photos/settle_photos.py`): whether everyone may see a
    reply depends on its thread.
    """
    if not photos:
        return []
    is_for_everyone = not (post.audience or post.withheld or shown_later)
    public = [make_public(one) if is_for_everyone and _is_free(one) else "" for one in photos]
    post.photos = [copy_of(*one) for one in zip(photos, public, strict=True)]
    describe_as_fits(post, [photo.alt or "" for photo in photos])
    given = [
        attach(by=by, photo_id=photo.photo_id, post_id=post.post_id, public_secret=secret)
        for photo, secret in zip(photos, public, strict=True)
    ]
    entry = MediaEntry.new(post_id=post.post_id, author_id=by.user_id, ttl=post.ttl)
    return [*given, Create(entry), *_clear_later(post)]


def _clear_later(post: Post) -> list[Create]:
    """Returns what plans the end of the photos of a post that ends by itself. Its item can stay for days after that,
    and the addresses of its files would work."""
    if post.ttl is None:
        return []
    photo_ids = " ".join(photo.photo_id for photo in post.photos or ())
    facts = {"author_id": post.author_id, "photo_ids": photo_ids}
    return [plan(CLEAR_PHOTOS, moment=post.ttl, subject=post.post_id, **facts)]


@contextmanager
def told_which(photo_ids: Sequence[str]) -> Iterator[None]:
    """Raises `CannotAttach` with the photos that a transaction refused: another post took them, or they expired."""
    try:
        yield
    except PhotoGone as error:
        named = str([one.key for one in error.failed if isinstance(one, Change)]) + str(error)
        raise CannotAttach([one for one in photo_ids if one in named]) from error


def _is_free(photo: Photo) -> bool:
    """Whether no post shows it yet: the form may have been sent before, and made its post."""
    return not photo.post_id


def copy_of(photo: Photo, public_secret: str) -> PostPhoto:
    """Returns what a post holds of a photo, still without its description."""
    return PostPhoto(
        photo_id=photo.photo_id,
        secret=photo.secret,
        width=photo.width,
        height=photo.height,
        thumbhash=photo.thumbhash or None,
        public_secret=public_secret or None,
    )
