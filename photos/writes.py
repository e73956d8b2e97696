"""Uploading a photo, describing it, deleting one that nothing shows, and the actions for the transactions of posts,
drafts and private messages, which decide how long a photo stays.

An upload is private: its files lie under `secret`, which only signed addresses lead to. For a post that everyone may
see there is a second copy under another secret, `public_secret`. It is written before the post, and exists for as long
as the item names it. When the item stops naming it, the stream worker deletes the copy. Shown again, the photo gets a
new public secret, so an address that was taken back never works again.

After a crash at any step, a copy is either named by an item that somebody's deletion, expiry or next change clears, or
it lies under a secret that nobody was ever told, until the sweep: in a night after someone uploaded or published a
photo, it looks for files of theirs that no photo names.
"""

from datetime import datetime, timedelta

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from accounts.people.viewer import Viewer
from photos.files import (
    PRIVATE,
    PUBLIC,
    Place,
    copy_files,
    delete_files,
    list_places,
    new_secret,
    save_files,
)
from photos.models import READY, Photo
from socialsite.blocked_pictures.uploads import make_allowed_pictures
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import plan
from socialsite.pictures.decoding import PictureRefused
from socialsite.pictures.limits import MOST_BYTES
from socialsite.table import (
    AlreadyExists,
    Change,
    Conflict,
    Create,
    Delete,
    Moved,
    NotFound,
    Put,
    TableError,
    access_pattern,
    as_model,
    change,
    fetch,
    get,
    ids,
    keys,
    transact,
    write_optimistically,
)

KEPT_UNUSED = timedelta(days=1)

LIVES = Photo.ttl.does_not_exist()
UNUSED = Photo.post_id.does_not_exist() & Photo.message_id.does_not_exist()


class PhotoGone(TableError):
    """A photo is not there any more, belongs to another person, or another post or message uses it."""


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


def enclose(*, by: Viewer, photo_id: str, chat_id: str, message_id: str, until: datetime) -> Change:
    """Returns the action that gives a photo to a private message, in the transaction that sends it: from then on it
    ends with the message. 2 write units per KB.

    What the photo shows is said in the message, sealed, and therefore not beside it. Raises `PhotoGone` unless the
    photo is the signed-in person's, ready, live, and neither a post nor a draft nor another message has it.
    """
    actions: list[Action] = [
        Photo.chat_id.set(chat_id),
        Photo.message_id.set(message_id),
        Photo.ttl.set(until),
        Photo.public_secret.remove(),
        Photo.alt.remove(),
    ]
    free = _is_free() & Photo.held_by.does_not_exist()
    return Change(Photo, keys.photo(by.user_id, photo_id), actions, free, otherwise=PhotoGone)


def keep(photo: Photo, *, holder: str, description: str | None = None) -> Change:
    """Returns the action that keeps an unused photo for as long as a draft or a scheduled post, the `holder`, names it,
    and says what it shows, if that is given. 2 write units per KB. Raises `PhotoGone` if something shows it by now."""
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
    as_read = (held_by == photo.held_by) & UNUSED
    return Change(Photo, photo.key, left, condition=as_read, otherwise=Moved)


def describe(
    user_id: str, photo_id: str, description: str, *, condition: Condition | None = None
) -> Change:
    """Returns the action that sets what a photo shows. 2 write units per KB. Raises `NotFound` if the photo is gone, or
    `condition` does not hold."""
    return Change(Photo, keys.photo(user_id, photo_id), [_said(description)], condition=condition)


def _is_free() -> Condition:
    """The condition that a photo can be used: it is ready and live, and no post and no message shows it."""
    return (Photo.state == READY) & UNUSED & (LIVES | (Photo.ttl > utc_now()))


def _said(description: str) -> Action:
    return Photo.alt.set(description) if description else Photo.alt.remove()


def _goes_later() -> Action:
    return Photo.ttl.set(utc_now() + KEPT_UNUSED)


SWEEP = "sweep-photos"
NIGHTS = 3  # until what was never used has expired, and has really gone
HOUR = 3


def plan_sweep(user_id: str) -> Put:
    """Returns the action that plans the sweep, for the transaction after which files are written. One a night, however
    many plan it. 2 write units."""
    night = utc_now().replace(hour=HOUR, minute=0, second=0, microsecond=0)
    planned = plan(SWEEP, moment=night + timedelta(days=NIGHTS), subject=user_id)
    assert isinstance(planned.item, Due)
    return Put(planned.item)


@access_pattern
def sweep_photos(user_id: str) -> int:
    """Deletes a person's files that no photo of theirs names, and returns of how many places they were.

    A listing of their entries in the register, then a consistent BatchGetItem of their photos, 1 read unit each. Files
    are listed before items are read, and items are there before files. So a file that comes in between is never taken
    for one that was left behind.
    """
    places = list(list_places(user_id))
    found = fetch({keys.photo(user_id, one.photo_id) for one in places}, consistent=True)
    photos = {key: as_model(Photo, raw) for key, raw in found.items()}
    stray = [
        one for one in places if not _names(photos.get(keys.photo(user_id, one.photo_id)), one)
    ]
    for place in stray:
        delete_files(place)
    return len(stray)


def _names(photo: Photo | None, place: Place) -> bool:
    if photo is None:
        return False
    return place.secret == (photo.secret if place.folder == PRIVATE else photo.public_secret)


@access_pattern
def make_public(photo: Photo) -> str:
    """Writes a copy of the files that everyone can read, and returns its secret, for `attach` and for the post.

    Comes before the transaction of the post, so that the first reader finds the picture. One TransactWriteItems with
    the plan of a sweep, 4 write units, and the files. Raises `PhotoGone`. Repeated, it makes another copy, and the
    stream worker deletes the one before.
    """
    secret = new_secret()
    of_post = Photo.post_id == photo.post_id if photo.post_id else UNUSED
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


CLOCKS_DIFFER = timedelta(days=1)  # the clocks of browsers, from ours


@access_pattern
def upload_photo(
    *, by: Viewer, upload: UploadedFile, photo_id: str = "", description: str = ""
) -> Photo:
    """Stores a photo of the signed-in person, private and for a day, and returns it.

    `photo_id` comes from the browser, so that a second sending finds the first. A consistent GetItem if there is one, a
    child process and a look at the list of blocked pictures (`make_allowed_pictures`), then TransactWriteItems of the
    photo and the plan of a sweep, the files, UpdateItem: 5 write units, 7 to 11 with a long description, and 10 read
    units. The item is there before the files, and names them. So its removal
    takes them along, however far this got.

    Raises `PictureRefused`, `PicturesBusy`, `Frozen`, and `Conflict` if a different file has the id.
    """
    by.must_have_voice()
    photo_id = photo_id if _is_plausible(photo_id) else ""
    earlier = _find(by, photo_id) if photo_id else None
    if earlier is not None and earlier.state == READY:
        return earlier
    if (upload.size or 0) > MOST_BYTES:
        raise PictureRefused("bytes")
    allowed = make_allowed_pictures(upload, "photo", user_id=by.user_id)
    made = allowed.pictures
    photo = Photo.new(
        user_id=by.user_id,
        photo_id=photo_id or ids.new_id(),
        secret=new_secret(),
        width=made.width,
        height=made.height,
        thumbhash=made.thumbhash,
        size=sum(map(len, made.files.values())),
        sha256=allowed.hashes.sha256,
        pdq=next(iter(allowed.hashes.pdq), ""),
        alt=description,
        until=utc_now() + KEPT_UNUSED,
    )
    try:
        transact(Create(photo), plan_sweep(by.user_id))
    except AlreadyExists:
        # An earlier sending was interrupted, or goes on. Both write the same files under the secret that is there.
        earlier = get(Photo, photo.key, consistent=True)
        if earlier.sha256 != photo.sha256:
            raise Conflict("another file has this id") from None
        if earlier.state == READY:
            return earlier
        photo = earlier
    save_files(private_place(photo), made.files)
    try:
        change(Photo, photo.key, [Photo.state.set(READY)])
    except NotFound:  # deleted meanwhile, perhaps before its files were there
        delete_files(private_place(photo))
        raise
    photo.state = READY
    return photo


def _is_plausible(photo_id: str) -> bool:
    """Whether a browser may have made this id just now. Others would not be where the album expects them."""
    now = utc_now()
    first, last = ids.first_id_at(now - CLOCKS_DIFFER), ids.first_id_at(now + CLOCKS_DIFFER)
    return ids.is_id(photo_id) and first <= photo_id < last


def _find(by: Viewer, photo_id: str) -> Photo | None:
    try:
        return get(Photo, keys.photo(by.user_id, photo_id), consistent=True)
    except NotFound:
        return None


class PhotoInUse(TableError):
    """A post shows the photo, or a private message."""

    status, template = 409, "photos/in_use.html"

    def __init__(self, photo: Photo) -> None:
        super().__init__(photo.photo_id)
        self.told = _("A post shows this photo. Delete the post, and the photo goes with it.")
        if photo.message_id:
            self.told = _(
                "A message shows this photo. Delete the message for everyone, and the photo goes with it."
            )


@access_pattern
def remove_photo(*, by: Viewer, photo_id: str) -> None:
    """Deletes one of the signed-in person's own photos; safe to repeat. The stream worker then deletes its files.

    A consistent GetItem and one TransactWriteItems of one action, 2 write units. In all 2 write units and 1 read unit.
    Raises `PhotoInUse`.
    """
    key = keys.photo(by.user_id, photo_id)

    def attempt() -> None:
        try:
            photo = get(Photo, key, consistent=True)
        except NotFound:
            return
        if not photo.is_free:
            raise PhotoInUse(photo)
        transact(Delete(key, UNUSED, otherwise=Moved))

    write_optimistically(attempt)


@access_pattern
def describe_photo(*, by: Viewer, photo_id: str, description: str) -> None:
    """Sets the description of one of the signed-in person's own photos that nothing shows yet.

    One TransactWriteItems of one action, 2 write units per KB. A photo in a post is described with the post, as readers
    see that (`attaching.describe`). Raises `NotFound` and `Frozen`, and `PhotoInUse` for a photo in a post.
    """
    by.must_have_voice()
    try:
        transact(describe(by.user_id, photo_id, description, condition=UNUSED))
    except NotFound:
        photo = get(Photo, keys.photo(by.user_id, photo_id), consistent=True)
        raise PhotoInUse(photo) from None
