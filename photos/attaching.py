"""Actions for the transactions of posts and drafts, which decide how long a photo stays."""

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from accounts.viewer import Viewer
from photos.limits import KEPT_UNUSED
from photos.models import READY, Photo
from socialsite.clock import utc_now
from socialsite.table import keys
from socialsite.table.actions import Change, Erase
from socialsite.table.as_read import Moved
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
    free = _is_free()
    actions = [Photo.post_id.set(post_id), Photo.held_by.remove(), Photo.ttl.remove()]
    if not public_secret:
        actions.append(shown.remove())
    return Change(
        Photo,
        keys.photo(by.user_id, photo_id),
        actions,
        condition=free & as_asked if as_asked is not None else free,
        otherwise=PhotoGone,
    )


def keep(photo: Photo, *, holder: str, description: str | None = None) -> Change:
    """Returns the action that keeps an unused photo for as long as a draft or a scheduled post, the `holder`, names it,
    and says what it shows, if that is given. 2 write units per KB. Raises `PhotoGone` if a post shows it meanwhile."""
    actions: list[Action] = [Photo.held_by.add({holder}), Photo.ttl.remove()]
    if description is not None:
        actions.append(_said(description))
    return Change(Photo, photo.key, actions, condition=_is_free(), otherwise=PhotoGone)


def release(photo: Photo, *, holder: str) -> Change:
    """Returns the action after which a holder holds the photo no more. Without another one the photo goes a day later.
    2 write units per KB. Raises `Moved` if its holders are not as they were read, or a post shows it."""
    held_by = Photo.held_by
    others = set(photo.held_by or ()) - {holder}
    left = [held_by.set(others)] if others else [held_by.remove(), _goes_later()]
    as_read = (held_by == photo.held_by) & Photo.post_id.does_not_exist()
    return Change(Photo, photo.key, left, condition=as_read, otherwise=Moved)


def describe(
    user_id: str, photo_id: str, description: str, *, condition: Condition | None = None
) -> Change:
    """Returns the action that sets what a photo shows. 2 write units per KB. Raises `NotFound` if the photo is gone, or
    `condition` does not hold."""
    return Change(Photo, keys.photo(user_id, photo_id), [_said(description)], condition=condition)


def delete_photo(user_id: str, photo_id: str) -> Erase:
    """Returns the action that deletes a photo with its post. The stream worker deletes the files. 2 write units."""
    return Erase(keys.photo(user_id, photo_id))


def _is_free() -> Condition:
    """The condition that a photo can be used: it is ready and live, and no post shows it."""
    unused = (Photo.state == READY) & Photo.post_id.does_not_exist()
    return unused & (LIVES | (Photo.ttl > utc_now()))


def _said(description: str) -> Action:
    return Photo.alt.set(description) if description else Photo.alt.remove()


def _goes_later() -> Action:
    return Photo.ttl.set(utc_now() + KEPT_UNUSED)
