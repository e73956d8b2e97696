"""At most two pictures are decoded at once on a machine, as each may take 700 MB.

A slot is a locked file. The child inherits the lock, so that a slot stays taken while the child of a web process that
was killed goes on.
"""

import os
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings

from socialsite.private_files import FILE_MODE, make_private_folder
from socialsite.table.errors import Unavailable

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
