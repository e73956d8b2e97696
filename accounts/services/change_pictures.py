"""Adding, replacing and removing the pictures of your own profile."""

import logging
from collections.abc import Iterable, Mapping
from typing import IO

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from accounts.models import UserInfo
from accounts.profile_pictures import Kind, files_of, new_name, reencode
from accounts.viewer import Viewer
from socialsite.table import keys
from socialsite.table.errors import Conflict, NotFound, TableError, translated
from socialsite.table.meter import access_pattern
from socialsite.table.reading import get
from socialsite.table.writing import TRIES, change

log = logging.getLogger(__name__)


@access_pattern
def change_pictures(*, by: Viewer, uploads: Mapping[Kind, IO[bytes]]) -> None:
    """Re-encodes and stores pictures under new random names, then deletes those before. All are made before the first
    is stored, so a bad one changes nothing.

    One GetItem and one UpdateItem for each. Raises `BadImage` if an upload is not an acceptable picture,
    `PicturesBusy`, and `Frozen`.
    """
    by.must_have_voice()
    made = {kind: reencode(kind, upload) for kind, upload in uploads.items()}
    for kind, files in made.items():
        _store(by, kind, files)


@access_pattern
def remove_picture(*, by: Viewer, kind: Kind) -> None:
    """Removes a picture and its files; one GetItem and one UpdateItem."""
    _replace(by, kind, None)


def _store(by: Viewer, kind: Kind, files: Mapping[str, bytes]) -> None:
    name = new_name(kind)
    stored = files_of(name)
    try:
        for made, path in stored.items():
            with translated():
                default_storage.save(path, ContentFile(files[made]))
        _replace(by, kind, name)
    except Conflict:
        _delete_files(stored.values())
        raise


def _replace(by: Viewer, kind: Kind, name: str | None) -> None:
    # Each upload deletes only the files that it replaced itself, so two at once never delete the same ones.
    key = keys.user_info(by.user_id)
    attribute = {Kind.AVATAR: UserInfo.avatar, Kind.HEADER: UserInfo.header}[kind]
    action = attribute.set(name) if name else attribute.remove()
    replaced: set[str | None] = set()
    for _ in range(TRIES):
        old: str | None = getattr(get(UserInfo, key, consistent=True), kind)
        if old == name:  # an earlier try did commit, but its answer was lost
            break
        replaced.add(old)
        unchanged = attribute == old if old else attribute.does_not_exist()
        try:
            change(UserInfo, key, [action], condition=unchanged)
        except NotFound:
            continue
        replaced = {old}
        break
    else:
        raise Conflict("others keep changing the picture")
    if len(replaced) == 1:
        _delete_files(files_of(replaced.pop()).values())


def _delete_files(names: Iterable[str]) -> None:
    # A leftover file does no harm: nobody knows its name any more.
    for name in names:
        try:
            with translated():
                default_storage.delete(name)
        except TableError as error:
            log.warning("could not delete %s: %s", name, error)
