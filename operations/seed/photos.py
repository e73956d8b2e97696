"""The photos of the demo's posts, and the wide pictures at the top of profiles."""

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from accounts.profile_pictures import Kind, files_of, reencode
from feed.models import MediaEntry, Post
from feed.photos.attaching import copy_of
from feed.photos.fitting import describe_as_fits
from operations.demo.composed import DemoPhoto
from photos.models import Photo
from photos.seed import shown_photo
from socialsite.table import ids
from socialsite.table.item import Item

AT_ONCE = 2  # as many as a machine decodes at a time


def photo_items(post: Post, pictures: Sequence[DemoPhoto]) -> Iterator[Item]:
    """Puts pictures into a post, with their files, and returns what belongs to them."""
    if not pictures:
        return

    def show(number: int) -> Photo:
        return shown_photo(
            user_id=post.author_id,
            photo_id=_photo_id(post.post_id, number),
            post_id=post.post_id,
            file=pictures[number].path,
            alt=pictures[number].alt,
        )

    with ThreadPoolExecutor(AT_ONCE) as pool:
        photos = list(pool.map(show, range(len(pictures))))
    post.photos = [copy_of(photo, photo.public_secret or "") for photo in photos]
    describe_as_fits(post, [photo.alt or "" for photo in photos])
    yield from photos
    yield MediaEntry.new(post_id=post.post_id, author_id=post.author_id)


def save_header(user_id: str, picture: DemoPhoto) -> str:
    """Writes the files of a header picture, and returns their name. It is the same each time."""
    name = f"headers/{user_id}"
    with picture.path.open("rb") as upload:
        made = reencode(Kind.HEADER, upload)
    for file, path in files_of(name).items():
        default_storage.delete(path)  # the rest of an interrupted load
        default_storage.save(path, ContentFile(made[file]))
    return name


def _photo_id(post_id: str, number: int) -> str:
    """Returns the same id each time, so that an interrupted load can be repeated."""
    noise = hashlib.sha256(f"{post_id}{number}".encode()).digest()[:10]
    return ids.id_at(ids.time_of(post_id), noise)
