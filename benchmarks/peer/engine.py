"""PostgreSQL for the benchmark: a cluster in a folder of its own, reached by a socket in it, gone afterwards."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

USER = "postgres"
INSTALLED = "/usr/lib/postgresql"
# What an operator sets on a machine of this size; pages are read from memory on both sides.
OPTIONS = {
    "listen_addresses": "",
    "shared_buffers": "512MB",
    "effective_cache_size": "2GB",
    "work_mem": "16MB",
    "random_page_cost": "1.1",
    "jit": "off",
    "max_connections": "50",
}


class Missing(Exception):
    """What the comparison needs is not installed."""


def find_binaries() -> Path:
    """Returns the folder of the newest PostgreSQL's programs. Raises `Missing`."""
    found = sorted(Path(INSTALLED).glob("*/bin/initdb"), key=lambda file: float(file.parts[-3]))
    if found:
        return found[-1].parent
    if anywhere := shutil.which("initdb"):
        return Path(anywhere).resolve().parent
    raise Missing("PostgreSQL is missing: `apt-get install postgresql` brings it.")


def must_have_driver() -> None:
    """Raises `Missing` without the package that speaks to PostgreSQL."""
    try:
        import psycopg  # noqa: F401 - only whether it is there
    except ImportError:
        raise Missing("psycopg is missing: `make setup-dev` brings it.") from None


@contextmanager
def running() -> Iterator[Path]:
    """The folder of the socket of a PostgreSQL that listens nowhere else. Raises `Missing`."""
    must_have_driver()
    programs = find_binaries()
    # Not in the benchmark's own folder, which is closed to others: PostgreSQL refuses to run as root.
    folder = Path(tempfile.mkdtemp(prefix="socialsite-peer-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, USER, USER)
        data = folder / "data"
        _run(
            programs / "initdb", "-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--no-locale"
        )
        given = " ".join(f"-c {name}={value}" for name, value in OPTIONS.items())
        options = f"{given} -k {folder}"
        _run(programs / "pg_ctl", "-D", data, "-l", folder / "log", "-w", "-o", options, "start")
        try:
            yield folder
        finally:
            _run(programs / "pg_ctl", "-D", data, "-m", "fast", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(*command: object) -> None:
    words = [str(word) for word in command]
    if os.geteuid() == 0:
        words = ["runuser", "-u", USER, "--", *words]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, cwd="/")
