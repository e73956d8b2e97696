"""Actions for the transactions of posts and drafts, which decide how long a photo stays."""

from pynamodb.expressions.condition import Condition

from accounts.viewer import Viewer
from photos.limits import KEPT_UNUSED
from photos.models import READY, Photo
from socialsite.clock import utc_now
from socialsite.table import keys
from socialsite.table.actions import Change, Erase
from socialsite.table.errors import TableError

LIVES = Photo.ttl.does_not_exist()


class PhotoGone(TableError):
    """A photo is not there any more, belongs to another person, or another post uses it."""


def attach(*, by: Viewer, photo_id: str, post_id: str, public_secret: str = "") -> Change:
    """Returns the action that gives a photo to a post, in the transaction that publishes it. 2 write units.

    `public_secret` is what `make_public` returned for a post that everyone may see. Otherwise nobody but the post's
    readers gets to see the photo, and a copy that was made public for a post that never came is deleted by the stream
    worker. Raises `PhotoGone` unless the photo is the signed-in person's, ready, live and free.
    """
    shown = Photo.public_secret
    as_asked = shown == public_secret if public_secret else None
    free = (
        (Photo.state == READY) & Photo.post_id.does_not_exist() & (LIVES | (Photo.ttl > utc_now()))
    )
    actions = [Photo.post_id.set(post_id), Photo.ttl.remove()]
    if not public_secret:
        actions.append(shown.remove())
    return Change(
        Photo,
        keys.photo(by.user_id, photo_id),
        actions,
        condition=free & as_asked if as_asked is not None else free,
        otherwise=PhotoGone,
    )


def keep(photo: Photo) -> Change:
    """Returns the action that keeps an unused photo for as long as a draft holds it. 2 write units."""
    free = Photo.post_id.does_not_exist() & (LIVES | (Photo.ttl > utc_now()))
    return Change(Photo, photo.key, [Photo.ttl.remove()], condition=free, otherwise=PhotoGone)


def release(photo: Photo) -> Change:
    """Returns the action that lets a photo go a day after its draft, unless a post uses it. 2 write units."""
    return Change(
        Photo,
        photo.key,
        [Photo.ttl.set(utc_now() + KEPT_UNUSED)],
        condition=Photo.post_id.does_not_exist(),
        otherwise=PhotoGone,
    )


def describe(
    user_id: str, photo_id: str, description: str, *, condition: Condition | None = None
) -> Change:
    """Returns the action that sets what a photo shows. 2 write units per KB. Raises `NotFound` if the photo is gone, or
    `condition` does not hold."""
    action = Photo.alt.set(description) if description else Photo.alt.remove()
    return Change(Photo, keys.photo(user_id, photo_id), [action], condition=condition)


def delete_photo(user_id: str, photo_id: str) -> Erase:
    """Returns the action that deletes a photo with its post. The stream worker deletes the files. 2 write units."""
    return Erase(keys.photo(user_id, photo_id))
