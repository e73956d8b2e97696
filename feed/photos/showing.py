"""Whether everyone may see the photos of a post, and the change of their copies for everyone.

Every page asks `can_view` before it names an address, so a post that is closed is closed at once. This is about the
addresses that are known already: a copy for everyone is taken back once the post is not for everyone any more, and gets
another address if it is again (`photos/publishing.py`).
"""

from collections.abc import Sequence

from pynamodb.expressions.update import Action

from accounts.cards import PersonCard
from accounts.viewer import VISITOR
from feed.models import Post
from feed.photos.places import public_secret_of
from feed.post_count import has_audience
from feed.threads.copies import change_copy
from feed.visibility import NO_HEAD, Head, can_view
from photos.attaching import PhotoGone
from photos.models import Photo
from photos.publishing import make_public, take_back
from socialsite.table import keys
from socialsite.table.actions import Change, Check, WriteAction
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, as_model, fetch
from socialsite.table.writing import transact


@access_pattern
def settle_photos(author_id: str, post_id: str) -> None:
    """Gives the photos of a post copies for everyone, if visitors may see it, or else takes them back. Safe to repeat,
    and for posts that are gone.

    A consistent BatchGetItem of the post and its author, of a reply one of the head of its thread, and one of the
    photos, 6 read units, 9 for a reply. If something is to change, what `make_public` takes for each photo, and one
    TransactWriteItems of the post, the copy of a reply in its thread, and the photos, 2 write units each.
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

    write_as_read(attempt)


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
        if photo is None or (one.public_secret and one.public_secret == photo.public_secret):
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
