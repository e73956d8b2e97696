"""Can the site use its data folder, and nobody else?"""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from operations.doctor.finding import NOTE, OK, STOP, Finding

ALL = os.R_OK | os.W_OK | os.X_OK


def data_folder(project: Path) -> Path:
    return Path(os.environ.get("DATA_DIR") or project / "var").absolute()


def check_data_folder(project: Path) -> Finding:
    from socialsite.private_files import exposed_paths

    folder = data_folder(project)
    quoted = shlex.quote(str(folder))
    parent = nearest_existing(folder)
    if not parent.is_dir():
        text = f"{folder} cannot be made, as {parent} is a file. Choose another folder."
        return Finding("data folder", STOP, text, "DATA_DIR=~/socialsite-data make run")
    if not os.access(parent, ALL):
        text = f"this user cannot read and write {parent}."
        return Finding("data folder", STOP, text, give(folder))
    if folder != parent:
        return Finding("data folder", OK, f"{folder}, which the first start makes")
    closed = [path for path in sorted(folder.iterdir()) if not is_usable(path)]
    if closed:
        text = f"this user cannot read and write {closed[0]}."
        return Finding("data folder", STOP, text, give(folder))
    if exposed := exposed_paths(folder):
        text = f"other accounts can open {exposed[0]}; the next start closes what is the site's."
        return Finding("data folder", NOTE, text, f"chmod -R go= {quoted}")
    return Finding("data folder", OK, str(folder))


def give(folder: Path) -> str:
    """Returns the command that gives this user the folder, or chooses another where the disk is read-only."""
    quoted = shlex.quote(str(folder))
    if is_read_only(nearest_existing(folder)):
        return "DATA_DIR=~/socialsite-data make run"
    if not folder.exists():  # never a change of the folder above, which may be anybody's
        return f"sudo install -d -m 700 -o $(id -u) {quoted}"
    if folder.stat().st_uid == os.geteuid() and all(own(path) for path in folder.rglob("*")):
        return f"chmod -R u+rwX {quoted}"
    return f"sudo chown -R $(id -u) {quoted}"


def own(path: Path) -> bool:
    return path.lstat().st_uid == os.geteuid()


def is_read_only(folder: Path) -> bool:
    return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)


def is_usable(path: Path) -> bool:
    return os.access(path, ALL if path.is_dir() else os.R_OK | os.W_OK)


def nearest_existing(path: Path) -> Path:
    return next(folder for folder in (path, *path.parents) if folder.exists())
