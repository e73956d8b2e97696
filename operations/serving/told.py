"""Which site does `make serve` run for this user? A note beside the machine's other temporary files says it, so that a
command of another terminal, which has no `DATA_DIR`, does not work on a site that nobody serves."""

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from socialsite.engine.process import is_alive
from socialsite.private_files import write_private


def note() -> Path:
    return Path(tempfile.gettempdir()) / f"socialsite-served-{os.getuid()}.json"


@contextmanager
def noted(data_dir: Path) -> Iterator[None]:
    """Keeps the note while the site is served."""
    own = json.dumps({"data_dir": str(data_dir), "pid": os.getpid()})
    write_private(note(), own)
    try:
        yield
    finally:
        with suppress(OSError):
            if note().read_text() == own:  # another site that began since has its own
                note().unlink()


def served_elsewhere(data_dir: Path) -> Path | None:
    """Returns the data folder of the site that is served, if it is another one and nobody named this one."""
    if os.environ.get("DATA_DIR") or os.environ.get("DYNAMODB_ENDPOINT"):
        return None
    try:
        told = json.loads(note().read_text())
        own = note().stat().st_uid == os.getuid()
        found, pid = Path(told["data_dir"]), int(told["pid"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found if own and is_alive(pid) and found.resolve() != data_dir.resolve() else None
