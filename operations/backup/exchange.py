"""Swaps two folders in one step, so that a crash never leaves the site without its data."""

import ctypes
import errno
import os
import sys
from pathlib import Path

from operations.backup.manifest import BackupError

AT_FDCWD = -100
RENAME_EXCHANGE = 2


def exchange(one: Path, other: Path) -> None:
    """Swaps the two folders. Linux does it in one step (renameat2), other systems in three.

    Raises `BackupError` if one of them is a mount point.
    """
    try:
        if sys.platform == "linux":
            _exchange_at_once(one, other)
        else:
            _exchange_in_steps(one, other)
    except OSError as error:
        if error.errno in (errno.EBUSY, errno.EXDEV):
            raise BackupError(
                f"{one} is a mount point, which cannot be replaced. Set DATA_DIR to a folder inside it."
            ) from error
        raise


def _exchange_at_once(one: Path, other: Path) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    paths = os.fsencode(one), os.fsencode(other)
    if libc.renameat2(AT_FDCWD, paths[0], AT_FDCWD, paths[1], RENAME_EXCHANGE) == 0:
        return
    code = ctypes.get_errno()
    if code != errno.EINVAL:
        raise OSError(code, os.strerror(code), str(one))
    _exchange_in_steps(one, other)  # a file system without exchange


def _exchange_in_steps(one: Path, other: Path) -> None:
    between = one.with_name(f"{one.name}.exchanged-{os.getpid()}")
    one.rename(between)
    other.rename(one)
    between.rename(other)
