"""What a report writes of the photos of a post: an item each, after which the stream worker copies the picture."""

import hashlib
from collections.abc import Iterator
from typing import Any

from feed.models import Post, PostPhoto
from moderation.cases.cases import CaseMoved
from moderation.cases.photos.sweeping import plan_sweep
from moderation.models import CaseKind, CasePhoto, Keeping
from photos.copies import LONGEST_SIDE
from photos.files import new_secret
from photos.models import Photo
from socialsite.table import keys
from socialsite.table.actions import Upsert, WriteAction
from socialsite.table.reading import RawItem, fetch
from socialsite.table.row import row


def photo_evidence(raw_post: RawItem) -> list[WriteAction]:
    """Returns what keeps the photos of a reported post, with their whole descriptions as they are now. Each is kept
    once with the same description, no matter how many people report the post.

    One consistent BatchGetItem of the photos, 1 read unit each; 2 write units each, 8 with a long description, and 2
    for the plan of a sweep. Nothing for a post without photos.
    """
    post = row(Post, raw_post)
    shown = [row(PostPhoto, one["M"]) for one in raw_post.get("photos", {}).get("L", ())]
    if not shown:
        return []
    asked = [keys.photo(post.author_id, one.photo_id) for one in shown]
    found = fetch(asked, consistent=True)
    whole = [row(Photo, found.get(key, {})).alt for key in asked]
    return [*_kept(post, shown, whole), plan_sweep(post.author_id)]


def _kept(post: Post, shown: list[PostPhoto], whole: list[str]) -> Iterator[WriteAction]:
    for number, (photo, said) in enumerate(zip(shown, whole, strict=True), 1):
        alt = said or photo.alt or ""
        version = hashlib.sha256(alt.encode()).hexdigest()[:12]
        key = keys.case_photo(CaseKind.PERSON, post.author_id, photo.photo_id, version)
        width, height = size_of_copy(int(photo.width), int(photo.height))
        first: list[tuple[Any, str | int]] = [
            (CasePhoto.photo_id, photo.photo_id),
            (CasePhoto.post_id, post.post_id),
            (CasePhoto.person_id, post.author_id),
            (CasePhoto.version, version),
            (CasePhoto.number, number),
            (CasePhoto.secret, new_secret()),
            (CasePhoto.source, photo.secret),
            (CasePhoto.state, Keeping.COMING),
            (CasePhoto.width, width),
            (CasePhoto.height, height),
            (CasePhoto.thumbhash, photo.thumbhash),
            (CasePhoto.alt, alt),
        ]
        actions = [name.set(name | value) for name, value in first if value != ""]
        same = CasePhoto.post_id.does_not_exist() | (CasePhoto.post_id == post.post_id)
        yield Upsert(CasePhoto, key, actions, same, CaseMoved)


def size_of_copy(width: int, height: int) -> tuple[int, int]:
    longest = max(width, height)
    if longest <= LONGEST_SIDE:
        return width, height
    return round(width * LONGEST_SIDE / longest) or 1, round(height * LONGEST_SIDE / longest) or 1
