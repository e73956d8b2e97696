"""Shows a photo to everyone, and takes it back.

An upload is private: its files lie under `secret`, which only signed addresses lead to. For a post that everyone may
see there is a second copy under another secret, `public_secret`. It is written before the post, and exists for as long
as the item names it. When the item stops naming it, the stream worker deletes the copy (`stream_handlers/`). Shown
again, the photo gets a new public secret, so an address that was taken back never works again.

After a crash at any step, a copy is either named by an item that somebody's deletion, expiry or next change clears, or
it lies under a secret that nobody was ever told, until the nightly sweep.
"""

from photos.attaching import PhotoGone
from photos.files import PRIVATE, PUBLIC, Place, copy_files, new_secret
from photos.models import Photo
from photos.sweeping import plan_sweep
from socialsite.table import keys
from socialsite.table.actions import Change
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact


@access_pattern
def make_public(photo: Photo) -> str:
    """Writes a copy of the files that everyone can read, and returns its secret, for `attach` and for the post.

    Comes before the transaction of the post, so that the first reader finds the picture. One TransactWriteItems with
    the plan of a sweep, 4 write units, and the files. Raises `PhotoGone`. Repeated, it makes another copy, and the
    stream worker deletes the one before.
    """
    secret = new_secret()
    of_post = Photo.post_id == photo.post_id if photo.post_id else Photo.post_id.does_not_exist()
    same = (Photo.secret == photo.secret) & of_post  # a post that took it names its copy
    try:
        transact(
            Change(Photo, photo.key, [Photo.public_secret.set(secret)], condition=same),
            plan_sweep(photo.user_id),
        )
        copy_files(private_place(photo), _public(photo, secret))
    except NotFound as error:
        raise PhotoGone(photo.photo_id) from error
    return secret


def take_back(user_id: str, photo_id: str) -> Change:
    """Returns the action after which no public copy is named, for the transaction that narrows a post's audience or
    hides it. The stream worker deletes the copy. 2 write units. Raises `NotFound` if the photo is gone."""
    return Change(Photo, keys.photo(user_id, photo_id), [Photo.public_secret.remove()])


def private_place(photo: Photo) -> Place:
    return Place(photo.user_id, photo.photo_id, PRIVATE, photo.secret)


def public_place(photo: Photo) -> Place | None:
    return _public(photo, photo.public_secret) if photo.public_secret else None


def _public(photo: Photo, secret: str) -> Place:
    return Place(photo.user_id, photo.photo_id, PUBLIC, secret)
