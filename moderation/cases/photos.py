"""The photos of reported posts and private messages and the pictures of reported profiles, which stay for moderators
whatever becomes of those. A report writes an item each; then the stream worker copies the picture, and deletes copies
with their items. What it wrote late, after the item was gone, is found by a look in some nights after the report.

Each address of a copy is made for one moderator, after the log has noted that they look:

    /moderation/cases/person/<person>/photo/file?n=<name>&e=<hour>&s=<signature>

Nobody else can use it, and it is dead within two hours, or as soon as the moderator has lost their role.
"""

import hashlib
from collections.abc import Collection
from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from accounts.models import UserInfo
from accounts.people.cards import Kind, files_of
from accounts.profile.writes import new_name
from chats.photos.cards import EnclosedPhoto
from feed.posts.models import Post, PostPhoto
from moderation.cases.reads import CaseId, CaseMoved
from moderation.models import CaseKind, CasePhoto, Keeping
from photos.files import (
    LONGEST_SIDE,
    PRIVATE,
    Place,
    delete_copy,
    keep_content,
    keep_copy,
    list_copies,
    new_secret,
    open_stored,
    read_copy,
)
from photos.models import READY, Photo
from photos.reads import is_signed, signed_for
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import plan
from socialsite.pictures.opening import RECIPES
from socialsite.table import (
    ALWAYS,
    Key,
    NotFound,
    Put,
    RawItem,
    Upsert,
    WriteAction,
    access_pattern,
    as_model,
    change,
    fetch,
    get,
    ids,
    key_of,
    keys,
    row,
    translated,
)


class CannotCopy(Exception):
    """The photo is there, and its file cannot be read."""


@access_pattern
def copy_photo(key: Key) -> None:
    """Copies a reported photo, unless that was done, and notes whether it could. Safe to repeat, and after the photo or
    the case is gone.

    One consistent GetItem, 1 read unit, the file, then UpdateItem, 1 write unit for each KB. Of a photo that is gone
    one consistent BatchGetItem more. Raises `CannotCopy`: then the record is parked, and the photo is not given up.
    """
    try:
        photo = get(CasePhoto, key, consistent=True)
    except NotFound:
        return  # the case has ended
    if photo.state != Keeping.COMING:
        return
    try:
        size = _keep(photo)
    except NotFound as error:
        if _is_there(photo):
            raise CannotCopy(photo.photo_id) from error
        changes = [CasePhoto.state.set(Keeping.GONE)]
    else:
        changes = [CasePhoto.state.set(Keeping.KEPT), CasePhoto.bytes.set(size)]
    try:
        change(CasePhoto, key, changes, condition=CasePhoto.secret == photo.secret)
    except NotFound:  # the case ended meanwhile, perhaps before the file was there
        forget_copy(photo)


@access_pattern
def withdraw_picture(photo: CasePhoto) -> None:
    """Deletes the files of a picture of a profile that everyone could see, once the case has its copy. Safe to repeat:
    no later picture has their name. Costs as `copy_photo`, and raises what it raises."""
    copy_photo(photo.key)
    for path in files_of(photo.source).values():
        with translated():
            default_storage.delete(path)


def copy_again(raw: RawItem) -> None:
    """Copies a photo, or deletes the public files of a picture, if the stream lost the record. Safe to repeat. Costs
    nothing for what was copied and stays, otherwise as `copy_photo`."""
    with suppress(CannotCopy):
        if row(CasePhoto, raw).withdrawn:
            withdraw_picture(as_model(CasePhoto, raw))
        elif row(CasePhoto, raw).state == Keeping.COMING:
            copy_photo(key_of(raw))


def forget_copy(photo: CasePhoto) -> None:
    """Deletes the files. Safe to repeat."""
    for name in names_of(photo):
        delete_copy(photo.person_id, name)


def name_of(photo: CasePhoto) -> str:
    """Returns the name of the file that moderators see: it leads back to the item."""
    return f"{photo.photo_id}.{photo.version}.{photo.secret}"


def names_of(photo: CasePhoto) -> list[str]:
    """Returns the names of all files of a copy. A wide picture of a profile has one in each size, the largest first."""
    smaller = len(files_of(photo.source)) - 1 if photo.part else 0
    return [name_of(photo), *(f"{name_of(photo)}-{number}" for number in range(1, smaller + 1))]


def _keep(photo: CasePhoto) -> int:
    """Copies all files, and returns how many bytes the largest has. Raises `NotFound`."""
    if not photo.part:
        return keep_copy(_source(photo), photo.person_id, name_of(photo))
    files = zip(files_of(photo.source).values(), names_of(photo), strict=True)
    return max(keep_content(partial(_read, path), photo.person_id, name) for path, name in files)


def _read(path: str) -> bytes:
    with open_stored(default_storage, path) as file, translated():
        return file.read()


def _source(photo: CasePhoto) -> Place:
    return Place(photo.person_id, photo.photo_id, PRIVATE, photo.source)


def _is_there(photo: CasePhoto) -> bool:
    if photo.part:
        info_key = keys.user_info(photo.person_id)
        info = row(UserInfo, fetch([info_key], consistent=True).get(info_key, {}))
        return bool(getattr(info, photo.part) == photo.source)
    key = keys.photo(photo.person_id, photo.photo_id)
    raw = fetch([key], consistent=True).get(key)
    return raw is not None and as_model(Photo, raw).state == READY


SWEEP = "sweep-evidence"
NIGHTS = 3
HOUR = 3


def plan_sweep(person_id: str) -> Put:
    """Returns the action that plans the sweep, for the transaction of a report. One a night, however many reports come.
    2 write units."""
    night = utc_now().replace(hour=HOUR, minute=0, second=0, microsecond=0)
    planned = plan(SWEEP, moment=night + timedelta(days=NIGHTS), subject=person_id)
    assert isinstance(planned.item, Due)
    return Put(planned.item)


@access_pattern
def sweep_copies(person_id: str) -> int:
    """Deletes the copies of a person's photos that no case names, and returns how many.

    A listing, then a consistent BatchGetItem, 1 read unit for each copy. Files are listed before items are read, and
    items are there before files. So a file that comes in between is never taken for one that was left behind.
    """
    names = list_copies(person_id)
    asked = {name: _key_of(person_id, name) for name in names}
    found = fetch(set(asked.values()), consistent=True)
    kept = (as_model(CasePhoto, raw) for raw in found.values())
    named = {name for photo in kept for name in names_of(photo)}
    stray = [name for name in names if name not in named]
    for name in stray:
        delete_copy(person_id, name)
    return len(stray)


def _key_of(person_id: str, name: str) -> keys.Key:
    photo_id, version, _ = name.split(".")
    return keys.case_photo(CaseKind.PERSON, person_id, photo_id, version)


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
    whole = [row(Photo, found.get(key, {})) for key in asked]
    of_post = {"person_id": post.author_id, "post_id": post.post_id}
    kept = [
        kept_photo(
            photo,
            own.alt or photo.alt or "",
            number=number,
            sha256=own.sha256 or "",
            pdq=own.pdq or "",
            **of_post,
        )
        for number, (photo, own) in enumerate(zip(shown, whole, strict=True), 1)
    ]
    return [*kept, plan_sweep(post.author_id)]


def kept_photo(
    photo: PostPhoto | EnclosedPhoto,
    alt: str,
    *,
    person_id: str,
    number: int,
    post_id: str = "",
    message_id: str = "",
    sha256: str = "",
    pdq: str = "",
) -> Upsert:
    """Returns what keeps a photo of a person's post or message. 2 write units, 8 with a long description."""
    key = photo_key(person_id, photo, alt)
    width, height = size_of_copy(int(photo.width), int(photo.height))
    first: list[tuple[Any, str | int]] = [
        (CasePhoto.photo_id, photo.photo_id),
        (CasePhoto.post_id, post_id),
        (CasePhoto.message_id, message_id),
        (CasePhoto.person_id, person_id),
        (CasePhoto.version, _version(photo, alt)),
        (CasePhoto.number, number),
        (CasePhoto.secret, new_secret()),
        (CasePhoto.source, photo.secret),
        (CasePhoto.state, Keeping.COMING),
        (CasePhoto.width, width),
        (CasePhoto.height, height),
        (CasePhoto.thumbhash, photo.thumbhash),
        (CasePhoto.alt, alt),
        (CasePhoto.sha256, sha256),
        (CasePhoto.pdq, pdq),
    ]
    actions = [name.set(name | value) for name, value in first if value != ""]
    return Upsert(CasePhoto, key, actions, ALWAYS, CaseMoved)


def photo_key(person_id: str, photo: PostPhoto | EnclosedPhoto, alt: str) -> Key:
    return keys.case_photo(CaseKind.PERSON, person_id, photo.photo_id, _version(photo, alt))


def _version(photo: PostPhoto | EnclosedPhoto, alt: str) -> str:
    """Returns what tells a photo with this description from one with another, and from a later photo to which a browser
    gave the same id."""
    return hashlib.sha256(f"{photo.secret} {alt}".encode()).hexdigest()[:12]


def size_of_copy(width: int, height: int) -> tuple[int, int]:
    longest = max(width, height)
    if longest <= LONGEST_SIDE:
        return width, height
    return round(width * LONGEST_SIDE / longest) or 1, round(height * LONGEST_SIDE / longest) or 1


WITHDRAWN = "yes"


def picture_evidence(info: UserInfo, *, withdrawn: Collection[str] = ()) -> list[WriteAction]:
    """Returns what keeps the pictures of a profile: an item each, after which the stream worker copies the files. It
    then deletes the public files of those in `withdrawn`. Each picture is kept once. 2 write units each, and 2 for the
    plan of a sweep; nothing for a profile without pictures."""
    named = {kind: str(getattr(info, kind) or "") for kind in Kind}
    kept = [
        _kept_picture(info.user_id, kind, name, withdrawn=kind in withdrawn)
        for kind, name in named.items()
        if name
    ]
    return [*kept, plan_sweep(info.user_id)] if kept else []


def stored_anew(person_id: str, kind: Kind, name: str, *, action_id: str) -> str:
    """Gives everyone the kept picture again, under a name that nobody has had before, and returns the name. Each try
    for the same action has the same name. Returns an empty text if there is no copy.

    One consistent BatchGetItem, 1 read unit, and as `copy_photo`, in case the worker has not copied it yet.
    """
    key = _picture_key(person_id, kind, name)
    with suppress(CannotCopy):
        copy_photo(key)
    raw = fetch([key], consistent=True).get(key)
    if raw is None or (photo := as_model(CasePhoto, raw)).state != Keeping.KEPT:
        return ""
    drawn = hashlib.sha256(f"{photo.secret} {action_id}".encode()).digest()[:10]
    anew = new_name(kind, ids.id_at(ids.time_of(action_id), drawn))
    for copy, path in zip(names_of(photo), files_of(anew).values(), strict=True):
        try:
            content = read_copy(person_id, copy)
        except NotFound:
            return ""
        with translated():
            default_storage.delete(path)  # of an earlier try, or it would get another name
            default_storage.save(path, ContentFile(content))
    return anew


def _kept_picture(person_id: str, kind: Kind, name: str, *, withdrawn: bool) -> Upsert:
    key = _picture_key(person_id, kind, name)
    width, height = RECIPES[kind].largest
    first: list[tuple[Any, str | int]] = [
        (CasePhoto.photo_id, _id_of(name)),
        (CasePhoto.part, kind),
        (CasePhoto.person_id, person_id),
        (CasePhoto.version, kind),
        (CasePhoto.secret, new_secret()),
        (CasePhoto.source, name),
        (CasePhoto.state, Keeping.COMING),
        (CasePhoto.width, width),
        (CasePhoto.height, height),
    ]
    actions = [attribute.set(attribute | value) for attribute, value in first]
    if withdrawn:
        actions.append(CasePhoto.withdrawn.set(WITHDRAWN))
    same = CasePhoto.source.does_not_exist() | (CasePhoto.source == name)
    return Upsert(CasePhoto, key, actions, same, CaseMoved)


def _picture_key(person_id: str, kind: Kind, name: str) -> Key:
    return keys.case_photo(CaseKind.PERSON, person_id, _id_of(name), kind)


def _id_of(name: str) -> str:
    return PurePosixPath(name).stem


def copy_url(case_id: CaseId, name: str, *, viewer_id: str) -> str:
    signed = signed_for(viewer_id, _whole(case_id, name))
    return f"{case_id.url}/photo/file?n={name}&{signed}"


def may_open(case_id: CaseId, name: str, *, hour: str, signature: str, viewer_id: str) -> bool:
    """Whether the site made the address of this copy for this viewer, in this hour or the one before."""
    whole = _whole(case_id, name)
    return is_signed(whole, hour=hour, signature=signature, viewer_id=viewer_id)


def _whole(case_id: CaseId, name: str) -> str:
    return f"{case_id.url}/{name}"
