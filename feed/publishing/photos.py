"""Gives a person's photos to a new post, with as much of their descriptions as fits; the rest stays in the photos, for
pages of one post or photo. The photos themselves, with their files, are in the room `photos/`; how the composer takes
them is in `feed/composing/composer.py`.

Every page asks `can_view` before it names an address, so a post that is closed is closed at once. `settle_photos` is
about the addresses that are known already: a copy for everyone is taken back once the post is not for everyone any
more, and gets another address if it is again (`make_public` in `photos/writes.py`).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.utils.translation import gettext as _
from pynamodb.attributes import UnicodeAttribute
from pynamodb.expressions.update import Action

from accounts.people.cards import PersonCard
from accounts.people.viewer import VISITOR, Viewer
from feed.posts.content_checks import size_of
from feed.posts.models import Post, PostPhoto
from feed.posts.reads import NO_HEAD, Head, can_view
from feed.posts.writes import change_copy, has_audience
from feed.timelines.models import MediaEntry
from photos.models import READY, Photo
from photos.reads import get_photos
from photos.writes import PhotoGone, attach, make_public, take_back
from socialsite.due.work import plan
from socialsite.table import (
    MOST_BYTES,
    Change,
    Check,
    Create,
    Moved,
    RawItem,
    WriteAction,
    access_pattern,
    as_model,
    fetch,
    keys,
    transact,
    write_optimistically,
)
from socialsite.texts import shortened_to_bytes


def alt_of(number: int) -> UnicodeAttribute:
    return _attribute(number, "alt")


def public_secret_of(number: int) -> UnicodeAttribute:
    return _attribute(number, "public_secret")


def _attribute(number: int, name: str) -> UnicodeAttribute:
    photo: Any = Post.photos[number]
    attribute: UnicodeAttribute = getattr(photo, name)
    return attribute


MOST_OF_ALT = 300  # bytes
LEAST_OF_ALT = 40  # bytes; below that the post is refused as too large
NAME = len("alt") + 1


def describe_as_fits(post: Post, descriptions: Sequence[str], **changed: Any) -> None:
    """Puts as much of the descriptions into the photos of a post as fits beside the rest, with what an edit changes."""
    photos: Sequence[PostPhoto] = post.photos or ()
    for photo in photos:
        photo.alt = None
    names = NAME * sum(map(bool, descriptions))
    room = MOST_BYTES - size_of(post, **changed) - names
    for photo, text in zip(photos, cut_evenly(descriptions, room), strict=True):
        photo.alt = text or None


def cut_evenly(texts: Sequence[str], room: int) -> list[str]:
    """Cuts texts so that they take at most `room` bytes together: the short ones stay whole, the others get equal
    parts of what is left, none less than 40 bytes or more than 300."""
    sizes = sorted(min(len(text.encode()), MOST_OF_ALT) for text in texts)
    part, left = MOST_OF_ALT, room
    for number, size in enumerate(sizes):
        share = left // (len(sizes) - number)
        if size > share:
            part = max(LEAST_OF_ALT, share)
            break
        left -= size
    return [shortened_to_bytes(text, part) for text in texts]


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
    `shown_later` the stream worker makes them (`settle_photos_of_post`): whether everyone may see a
    reply depends on its thread.
    """
    if not photos:
        return []
    is_for_everyone = not (post.audience or post.withheld or shown_later)
    public = [make_public(one) if is_for_everyone and one.is_free else "" for one in photos]
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


@access_pattern
def settle_photos(author_id: str, post_id: str) -> None:
    """Gives the photos of a post copies for everyone, if visitors may see it, or else takes them back. Safe to repeat,
    and for posts that are gone.

    A consistent BatchGetItem of the post and its author, of a reply one of the head of its thread, and one of the
    photos, 6 read units, 9 for a reply. If something is to change, what `make_public` takes for each photo, and one
    TransactWriteItems of the post, the copy of a reply in its thread, and the photos, 2 write units each. In all at
    most 12 write units for a photo and 9 read units.
    """
    post_key, author_key = keys.post(author_id, post_id), keys.user_info(author_id)

    def attempt() -> None:
        found = fetch([post_key, author_key], consistent=True)
        raw, author = found.get(post_key), _person(found.get(author_key))
        if raw is None or not raw.get("photos"):
            return
        post = as_model(Post, raw)
        photos = _photos_of(post)
        if can_view(VISITOR, raw, author, head=_head_of(post)):
            _show(post, photos)
        else:
            _take_back(post, photos)

    write_optimistically(attempt)


def _head_of(post: Post) -> Head:
    """Returns the head of a reply's thread as visitors meet it."""
    if not post.root_id:
        return NO_HEAD
    root, author = (
        keys.post(post.root_author_id or "", post.root_id),
        keys.user_info(post.root_author_id or ""),
    )
    gate = keys.thread_gate(post.root_id)
    found = fetch([root, gate, author], consistent=True)
    return Head(found.get(root) or found.get(gate), _person(found.get(author)))


def _person(info: RawItem | None) -> PersonCard | None:
    return PersonCard.from_raw(info) if info else None


def _photos_of(post: Post) -> dict[str, Photo]:
    asked = [keys.photo(post.author_id, one.photo_id) for one in post.photos or ()]
    found = fetch(asked, consistent=True).values()
    return {photo.photo_id: photo for photo in (as_model(Photo, raw) for raw in found)}


def _show(post: Post, photos: dict[str, Photo]) -> None:
    secrets = {}
    for number, one in enumerate(post.photos or ()):
        photo = photos.get(one.photo_id)
        if (
            photo is None
            or photo.state != READY
            or (one.public_secret and one.public_secret == photo.public_secret)
        ):
            continue
        try:
            secrets[number] = make_public(photo)
        except PhotoGone as error:
            raise Moved from error
    if secrets:
        named = [public_secret_of(n).set(secret) for n, secret in secrets.items()]
        checks = [
            Check(
                keys.photo(post.author_id, (post.photos or [])[n].photo_id),
                Photo.public_secret == secret,
                Moved,
            )
            for n, secret in secrets.items()
        ]
        transact(*_changes(post, named), *checks)


def _take_back(post: Post, photos: dict[str, Photo]) -> None:
    shown = [n for n, one in enumerate(post.photos or ()) if one.public_secret]
    public = [one for one in photos.values() if one.public_secret]
    if shown or public:
        removed = [public_secret_of(n).remove() for n in shown]
        taken: Sequence[WriteAction] = [take_back(post.author_id, one.photo_id) for one in public]
        transact(*(_changes(post, removed) if removed else ()), *taken)


def _changes(post: Post, actions: Sequence[Action]) -> list[WriteAction]:
    """Returns the change of the post, on condition that it is for those for whom it was read, and of its copy."""
    withheld = Post.withheld
    same = withheld == post.withheld if post.withheld else withheld.does_not_exist()
    key = keys.post(post.author_id, post.post_id)
    change = Change(Post, key, actions, has_audience(post) & same, otherwise=Moved)
    return [change, *change_copy(post, actions)]
