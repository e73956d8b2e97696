"""The pictures of reported profiles: what a report writes of them, and how they come back once a reset is undone."""

import hashlib
from collections.abc import Collection
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from accounts.models import UserInfo
from accounts.profile_pictures import Kind, files_of, new_name
from moderation.cases.cases import CaseMoved
from moderation.cases.photos.copying import CannotCopy, copy_photo, names_of
from moderation.cases.photos.sweeping import plan_sweep
from moderation.models import CaseKind, CasePhoto, Keeping
from photos.copies import read_copy
from photos.files import new_secret
from socialsite.pictures.recipes import RECIPES
from socialsite.table import ids, keys
from socialsite.table.actions import Upsert, WriteAction
from socialsite.table.errors import NotFound, translated
from socialsite.table.keys import Key
from socialsite.table.reading import as_model, fetch

WITHDRAWN = "yes"


def picture_evidence(info: UserInfo, *, withdrawn: Collection[str] = ()) -> list[WriteAction]:
    """Returns what keeps the pictures of a profile: an item each, after which the stream worker copies the files. It
    then deletes the public files of those in `withdrawn`. Each picture is kept once. 2 write units each, and 2 for the
    plan of a sweep; nothing for a profile without pictures."""
    named = {kind: str(getattr(info, kind) or "") for kind in Kind}
    kept = [
        _kept(info.user_id, kind, name, withdrawn=kind in withdrawn)
        for kind, name in named.items()
        if name
    ]
    return [*kept, plan_sweep(info.user_id)] if kept else []


def stored_anew(person_id: str, kind: Kind, name: str, *, action_id: str) -> str:
    """Gives everyone the kept picture again, under a name that nobody has had before, and returns the name. Each try
    for the same action has the same name. Returns an empty text if there is no copy.

    One consistent BatchGetItem, 1 read unit, and as `copy_photo`, in case the worker has not copied it yet.
    """
    key = _key(person_id, kind, name)
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


def _kept(person_id: str, kind: Kind, name: str, *, withdrawn: bool) -> Upsert:
    key = _key(person_id, kind, name)
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


def _key(person_id: str, kind: Kind, name: str) -> Key:
    return keys.case_photo(CaseKind.PERSON, person_id, _id_of(name), kind)


def _id_of(name: str) -> str:
    return PurePosixPath(name).stem
