"""Copies of photos that moderators keep as evidence: `evidence/<person>/<name>.webp`, in the storage of photos.

No address of photos leads there: `/m/` and `/pm/` know two other folders. What a copy is about, how long it stays and
who may see it is known to `moderation/` alone.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import IO

from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage

from photos.files import Place, listed, open_file, photo_storage, read_file
from socialsite.table.errors import NotFound, translated

EVIDENCE = "evidence"
LONGEST_SIDE = 960  # pixels
COPIED = f"{LONGEST_SIDE}.webp"
SUFFIX = ".webp"


def keep_copy(source: Place, person_id: str, name: str) -> int:
    """Copies the picture, over an earlier try, and returns how many bytes it has. If it is gone, the copy of an earlier
    try counts. Raises `NotFound` if there is neither."""
    return keep_content(lambda: read_file(source.folder, source.secret, COPIED), person_id, name)


def keep_content(read: Callable[[], bytes], person_id: str, name: str) -> int:
    """Does the same of a picture that is read from elsewhere. `read` raises `NotFound`."""
    try:
        content = read()
    except NotFound:
        return len(read_copy(person_id, name))
    with translated():
        photo_storage().save(_path(person_id, name), ContentFile(content))
    return len(content)


def open_copy(person_id: str, name: str) -> IO[bytes]:
    """Raises `NotFound`."""
    return open_file(EVIDENCE, person_id, f"{name}{SUFFIX}")


def read_copy(person_id: str, name: str) -> bytes:
    """Raises `NotFound`."""
    return read_file(EVIDENCE, person_id, f"{name}{SUFFIX}")


def delete_copy(person_id: str, name: str) -> None:
    """Safe to repeat."""
    with translated():
        storage = photo_storage()
        storage.delete(_path(person_id, name))
        if isinstance(storage, FileSystemStorage):
            with suppress(OSError):  # there are others
                storage.delete(f"{EVIDENCE}/{person_id}")


def list_copies(person_id: str) -> list[str]:
    """Returns the names of all copies of a person's photos."""
    return [name.removesuffix(SUFFIX) for name in listed(f"{EVIDENCE}/{person_id}")[1]]


def list_people_with_copies() -> list[str]:
    return listed(EVIDENCE)[0]


def _path(person_id: str, name: str) -> str:
    return f"{EVIDENCE}/{person_id}/{name}{SUFFIX}"
