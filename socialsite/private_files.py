"""Keeps the data folder closed to other accounts of the machine: folders 0700, files 0600.

The folder holds email addresses with the key that decrypts them, password hashes and private posts.
"""

import os
import stat
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path

FOLDER_MODE = 0o700
FILE_MODE = 0o600
OTHERS = 0o077  # the access of everyone but the owner

# A folder with other things in it may serve other programs too, so its own mode stays.
SITE_NAMES = (
    "dynamodb.sqlite3*",
    "dynamodb-local",
    "engine.*",
    "*_key.txt*",
    "demo.json*",
    "media",
    "archive",
    "mail",
    "exports",
    "photos",
    "pictures",
    "tls.pem*",
    "nginx",
    "backups",
)


def make_private(folder: Path) -> None:
    """Removes other accounts' access to the site's data. Does nothing if the folder does not exist.

    Files of another owner stay as they are, and all on a read-only disk. `exposed_paths` lists them.
    """
    for path in _site_paths(folder):
        _restrict(path)
    if not strange_names(folder):
        _restrict(folder)


def exposed_paths(folder: Path) -> list[Path]:
    """Returns the paths, the folder itself included, that other accounts can still open."""
    return [path for path in (folder, *_site_paths(folder)) if _mode(path) & OTHERS]


def strange_names(folder: Path) -> list[str]:
    """Returns the names in the folder that are not the site's."""
    return [path.name for path in _paths(folder) if not _is_of_site(path)]


def write_private(file: Path, text: str) -> None:
    """Replaces the file's content. Readers see the old text or the new one, never half of it."""
    draft = _draft(file, text)
    draft.replace(file)


def create_private(file: Path, text: str) -> None:
    """Creates the file, whole or not at all, unless it exists. If several processes try, the first one wins."""
    draft = _draft(file, text)
    with suppress(FileExistsError):
        file.hardlink_to(draft)
    draft.unlink()


def make_private_folder(folder: Path) -> None:
    """Creates the folder, and missing parent folders, for this user only."""
    for missing in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
        missing.mkdir(mode=FOLDER_MODE, exist_ok=True)


def private_opener(path: str, flags: int) -> int:
    """Creates files for this user only: `open(…, opener=private_opener)`."""
    return os.open(path, flags, FILE_MODE)


def _draft(file: Path, text: str) -> Path:
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    with open(draft, "x", opener=private_opener) as output:
        output.write(text)
    return draft


def _site_paths(folder: Path) -> list[Path]:
    own = [path for path in _paths(folder) if _is_of_site(path)]
    return [*own, *(inner for path in own if path.is_dir() for inner in path.rglob("*"))]


def _paths(folder: Path) -> list[Path]:
    with suppress(OSError):  # missing, or closed to this user too
        return sorted(folder.iterdir())
    return []


def _is_of_site(path: Path) -> bool:
    return any(fnmatch(path.name, name) for name in SITE_NAMES)


def _restrict(path: Path) -> None:
    mode = _mode(path)
    if mode & OTHERS:
        with suppress(OSError):  # gone meanwhile, of another owner, or on a read-only disk
            path.chmod(mode & ~OTHERS)


def _mode(path: Path) -> int:
    """Returns the permissions. Returns none for a link, because its target is not the site's, and none if the path is
    gone."""
    with suppress(OSError):
        found = path.lstat().st_mode
        return 0 if stat.S_ISLNK(found) else stat.S_IMODE(found)
    return 0
