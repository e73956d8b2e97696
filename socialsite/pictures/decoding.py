"""Asking a process of its own to make pictures of what was uploaded, few at a time."""

import io
import json
import logging
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any

from django.conf import settings

from socialsite.pictures.opening import RECIPES
from socialsite.private_files import FILE_MODE, make_private_folder
from socialsite.table import Unavailable

# At most two pictures are decoded at once on a machine, as each may take 700 MB.
#
# A slot is a locked file. The child inherits the lock, so that a slot stays taken while the child of a web
# process that was killed goes on.

SLOTS = 2
PATIENCE = 15.0  # seconds
PAUSE = 0.05


class PicturesBusy(Unavailable):
    """Other pictures took both slots all the time, or the machine was too slow. Nothing was written."""


@contextmanager
def slot() -> Iterator[tuple[int, ...]]:
    """Takes a slot, and yields what the child inherits of it. Raises `PicturesBusy` after `PATIENCE` seconds."""
    try:
        import fcntl
    except ImportError:  # Windows, where the site is only tried out
        yield ()
        return
    folder = settings.DATA_DIR / "pictures"
    make_private_folder(folder)
    opened = [
        os.open(folder / f"slot{number}", os.O_RDWR | os.O_CREAT, FILE_MODE)
        for number in range(SLOTS)
    ]
    try:
        until = time.monotonic() + PATIENCE
        while True:
            for descriptor in random.sample(opened, SLOTS):
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    continue
                yield (descriptor,)
                return
            if time.monotonic() > until:
                raise PicturesBusy("both slots for pictures are taken")
            time.sleep(random.uniform(PAUSE / 2, PAUSE))
    finally:
        for descriptor in opened:
            os.close(descriptor)


SECONDS = 10  # until the child has to be done; it may take 5 of the processor
LONGEST_LINE = 2000
BLOCKED = "blocked"
REASONS = ("heic", "kind", "pixels", "damaged")
MAGIC = {"webp": b"RIFF", "jpg": b"\xff\xd8\xff"}

log = logging.getLogger(__name__)


class PictureRefused(Exception):
    """The file cannot be used. `reason` is one of `REASONS`: it is HEIC, of another kind, too large or too long, or
    damaged; or it is `BLOCKED`, which is found after it was decoded (`socialsite/blocked_pictures/`)."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Pictures:
    """What the child made: the size of the largest file as it is shown, the thumbhash, the files by name, and the
    perceptual hashes by which a picture that looks the same is found."""

    width: int
    height: int
    thumbhash: str
    files: Mapping[str, bytes]
    pdq: tuple[str, ...] = ()


def make_pictures(upload: IO[bytes], recipe: str) -> Pictures:
    """Returns the pictures of a recipe. Raises `PictureRefused`, and `PicturesBusy` if the machine is too busy."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors, slot() as inherited:
        source = _as_file(upload)
        child = subprocess.Popen(  # noqa: S603 - our own interpreter and module, no shell
            [sys.executable, "-B", "-m", "socialsite.pictures.child", recipe],
            stdin=source,
            stdout=out,
            stderr=errors,
            cwd=settings.BASE_DIR,
            env={},  # a flaw in the decoder must not reach the site's keys
            pass_fds=inherited,
        )
        try:
            status = child.wait(SECONDS)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            # Its own bound of processor time had not ended it, so the machine has too much to do.
            raise PicturesBusy(f"not decoded within {SECONDS} seconds") from None
        out.seek(0)
        line = out.readline(LONGEST_LINE) if status == 0 else b""
        if not line:
            log.warning("a picture was not decoded (status %d): %s", status, _last_line(errors))
            raise PictureRefused("damaged")
        try:
            return _read(json.loads(line), out, recipe)
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            log.warning("the child for pictures wrote something else: %s", line[:100])
            raise PictureRefused("damaged") from error


def _as_file(upload: IO[bytes]) -> IO[bytes]:
    """Returns the upload as a file of the system, at its beginning."""
    try:
        descriptor = upload.fileno()
    except (io.UnsupportedOperation, AttributeError):
        copied = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the child
        upload.seek(0)
        shutil.copyfileobj(upload, copied)
        copied.flush()
        upload, descriptor = copied, copied.fileno()
    else:
        upload.flush()
    os.lseek(descriptor, 0, os.SEEK_SET)
    return upload


def _read(told: dict[str, Any], out: IO[bytes], recipe: str) -> Pictures:
    """Reads what the child wrote, and believes no more of it than it must: a hostile file may have taken it over."""
    if reason := told.get("refused"):
        raise PictureRefused(reason if reason in REASONS else "damaged")
    names = [made.name for made in RECIPES[recipe].files]
    width, height = int(told["width"]), int(told["height"])
    files = {name: out.read(int(size)) for name, size in told["files"]}
    longest = 4 * max(RECIPES[recipe].largest)
    is_sound = (
        list(files) == names
        and 0 < width <= longest
        and 0 < height <= longest
        and all(
            content.startswith(MAGIC[name.partition(".")[2]]) for name, content in files.items()
        )
    )
    if not is_sound:
        raise PictureRefused("damaged")
    known_by = tuple(one for one in told["pdq"][:2] if re.fullmatch("[0-9a-f]{64}", one))
    return Pictures(width, height, str(told["hash"])[:40], files, known_by)


def _last_line(errors: IO[bytes]) -> str:
    errors.seek(0)
    lines = errors.read(20_000).decode(errors="replace").strip().splitlines()
    return lines[-1][:300] if lines else ""
