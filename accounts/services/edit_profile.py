"""Editing your own profile, and its picture."""

import logging
from typing import IO

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from accounts.avatars import reencode_avatar
from accounts.mentions import find_mentioned
from accounts.models import UserInfo
from accounts.viewer import Viewer
from socialsite.table import ids, keys
from socialsite.table.errors import Conflict, NotFound, TableError, translated
from socialsite.table.meter import access_pattern
from socialsite.table.reading import get
from socialsite.table.writing import TRIES, change

log = logging.getLogger(__name__)


@access_pattern
def edit_profile(
    *,
    by: Viewer,
    bio: str,
    name: str | None = None,
    location: str | None = None,
    gender: str | None = None,
) -> None:
    """Sets the name, bio, location and pronouns of the signed-in person. None leaves a value as it is. One UpdateItem,
    1 write unit, after a BatchGetItem if the bio mentions someone. Raises `Frozen`.

    The stream worker updates the directory later.
    """
    by.must_have_voice()
    actions = [UserInfo.name.set(name)] if name else []
    mentions = find_mentioned(bio)
    actions.append(
        UserInfo.mentions.remove() if mentions is None else UserInfo.mentions.set(mentions)
    )
    for attribute, value in (
        (UserInfo.bio, bio),
        (UserInfo.location, location),
        (UserInfo.gender, gender),
    ):
        if value is not None:
            actions.append(attribute.set(value) if value else attribute.remove())
    change(UserInfo, keys.user_info(by.user_id), actions)


@access_pattern
def change_avatar(*, by: Viewer, upload: IO[bytes]) -> None:
    """Re-encodes and stores a picture under a new random name, then deletes the one before.

    One GetItem and one UpdateItem. Raises `BadImage` if the upload is not an acceptable picture, `PicturesBusy`, and
    `Frozen`.
    """
    by.must_have_voice()
    picture = reencode_avatar(upload)
    with translated():
        name = default_storage.save(f"avatars/{ids.new_id()}.webp", ContentFile(picture))
    try:
        _replace_avatar(by, name)
    except Conflict:
        _delete_file(name)
        raise


@access_pattern
def remove_avatar(*, by: Viewer) -> None:
    """Removes the picture and its file; one GetItem and one UpdateItem."""
    _replace_avatar(by, None)


def _replace_avatar(by: Viewer, name: str | None) -> None:
    # Each upload deletes only the file that it replaced itself, so two at once never delete the same one.
    key = keys.user_info(by.user_id)
    action = UserInfo.avatar.set(name) if name else UserInfo.avatar.remove()
    replaced: set[str | None] = set()
    for _ in range(TRIES):
        old = get(UserInfo, key, consistent=True).avatar
        if old == name:  # an earlier try did commit, but its answer was lost
            break
        replaced.add(old)
        unchanged = UserInfo.avatar == old if old else UserInfo.avatar.does_not_exist()
        try:
            change(UserInfo, key, [action], condition=unchanged)
        except NotFound:
            continue
        replaced = {old}
        break
    else:
        raise Conflict("others keep changing the picture")
    if len(replaced) == 1 and (gone := replaced.pop()):
        _delete_file(gone)


def _delete_file(name: str) -> None:
    # A leftover file does no harm: nobody knows its name any more.
    try:
        with translated():
            default_storage.delete(name)
    except TableError as error:
        log.warning("could not delete %s: %s", name, error)
