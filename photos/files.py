"""The files of photos, by secret: `private/<secret>/480.webp`, `public/<secret>/480.webp`.

Both folders lie in one private storage, which only the site reads. A register beside them says whose each is:
`owners/<user>/<photo>.<folder>.<secret>`, an empty file that is written before the others and deleted after them. So
whatever was left behind is found by listing the register (`sweep_photos`), also when the item is gone.

What moderators keep of reported photos lies apart from both, in the same storage: copies as evidence,
`evidence/<person>/<name>.webp`. No address of photos leads there: `/m/` and `/pm/` know two other folders. What a copy
is about, how long it stays and who may see it is known to `moderation/` alone.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import IO

from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, Storage, storages

from socialsite.pictures.opening import RECIPES
from socialsite.table import NotFound, Unavailable, translated

STORAGE = "photos"
PRIVATE, PUBLIC = "private", "public"
OWNERS = "owners"
NAMES = tuple(made.name for made in RECIPES["photo"].files)


@dataclass(frozen=True, slots=True)
class Place:
    """Where the files of a photo are, and whose they are."""

    user_id: str
    photo_id: str
    folder: str
    secret: str

    @property
    def entry(self) -> str:
        """Returns the name of its entry in the register."""
        return f"{OWNERS}/{self.user_id}/{self.photo_id}.{self.folder}.{self.secret}"

    def file(self, name: str) -> str:
        return f"{self.folder}/{self.secret}/{name}"


def new_secret() -> str:
    return secrets.token_urlsafe(16)


def save_files(place: Place, files: Mapping[str, bytes]) -> None:
    """Writes the files, over those of an earlier try. Raises `Unavailable` while the storage cannot be written."""
    with translated():
        storage = photo_storage()
        storage.save(place.entry, ContentFile(b"\n"))
        for name, content in files.items():
            storage.save(place.file(name), ContentFile(content))


def copy_files(source: Place, target: Place) -> None:
    """Copies the files under another secret. Raises `NotFound` if they are gone."""
    save_files(target, {name: read_file(source.folder, source.secret, name) for name in NAMES})


def delete_files(place: Place) -> None:
    """Deletes the files, and last the entry that says that they were there. Safe to repeat."""
    with translated():
        storage = photo_storage()
        for name in NAMES:
            storage.delete(place.file(name))
        if isinstance(storage, FileSystemStorage):
            storage.delete(f"{place.folder}/{place.secret}")  # the folder, which is empty now
        storage.delete(place.entry)


def open_file(folder: str, secret: str, name: str) -> IO[bytes]:
    """Opens one file. Raises `NotFound` if there is none."""
    return open_stored(photo_storage(), f"{folder}/{secret}/{name}")


def open_stored(storage: Storage, path: str) -> IO[bytes]:
    """Opens a file of any storage. Raises `NotFound` if there is none."""
    try:
        with translated():
            return storage.open(path)
    except FileNotFoundError as error:
        raise NotFound("no such file") from error
    except Unavailable as error:
        if _is_forbidden(error.__cause__):
            raise NotFound("no such file") from error
        raise


def read_file(folder: str, secret: str, name: str) -> bytes:
    with open_file(folder, secret, name) as file, translated():
        return file.read()


def list_secrets(folder: str) -> set[str]:
    """Returns the secrets of all that has files in a folder, for audits."""
    return set(listed(folder)[0])


def list_places(user_id: str) -> Iterator[Place]:
    """Yields where files of a person's photos are, or were until a deletion was interrupted."""
    for name in listed(f"{OWNERS}/{user_id}")[1]:
        photo_id, folder, secret = name.split(".")
        yield Place(user_id, photo_id, folder, secret)


def listed(folder: str) -> tuple[list[str], list[str]]:
    """Returns the folders and the files in a folder, none if there is no such folder."""
    try:
        with translated():
            folders, files = photo_storage().listdir(folder)
    except FileNotFoundError:
        return [], []
    return sorted(folders), sorted(files)


def photo_storage() -> Storage:
    return storages[STORAGE]


def _is_forbidden(cause: object) -> bool:
    """Whether S3 said so, which is how it answers for a missing file to roles that may not list the bucket."""
    said = getattr(cause, "response", {}).get("ResponseMetadata", {})
    return said.get("HTTPStatusCode") == 403


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
