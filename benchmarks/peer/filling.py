"""The peer's database: its engine, and the same people and posts in it."""

import os
import pickle
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import django
from django.db import connection

from accounts.sessions import hash_secret
from benchmarks.crowd import Crowd
from benchmarks.data import (
    SECRET,
    avatar_of,
    photo_of,
)
from benchmarks.peer.models import TABLES

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


os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.peer.settings"
django.setup()


def main() -> None:
    crowd: Crowd = pickle.loads(Path(sys.argv[1]).read_bytes())
    with connection.schema_editor() as editor:
        for model in TABLES:
            editor.create_model(model)
    people = (
        (one.user_id, one.handle, one.name, "", "", avatar_of(one.user_id)) for one in crowd.people
    )
    _copy("person", "id, handle, name, bio, location, avatar", people)
    readers = crowd.readers.values()
    _copy("signin", "secret_hash, person_id", ((hash_secret(SECRET) + one, one) for one in readers))
    _copy(
        "follow",
        "follower_id, followed_id",
        ((reader, other) for reader, followed in crowd.follows.items() for other in followed),
    )
    _copy(
        "post",
        "id, author_id, content, audience, photos, likes, replies, reposts",
        (
            (
                post.post_id,
                post.author_id,
                post.content,
                "",
                _photos(post.post_id, post.has_photo),
                post.likes,
                0,
                0,
            )
            for post in crowd.posts
        ),
    )
    _copy(
        "like",
        "person_id, post_id",
        ((reader, post.post_id) for reader in readers for post in crowd.likes(reader)),
    )
    _copy(
        "entry",
        "reader_id, post_id",
        ((reader, post.post_id) for reader in readers for post in crowd.timeline(reader)),
    )
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def _photos(post_id: str, has_photo: bool) -> Any:
    from psycopg.types.json import Jsonb

    photo = photo_of(post_id)
    shown = {
        "photo_id": photo.photo_id,
        "secret": photo.public_secret,
        "width": photo.width,
        "height": photo.height,
        "thumbhash": photo.thumbhash,
        "alt": photo.alt,
    }
    return Jsonb([shown] if has_photo else [])


def _copy(table: str, columns: str, rows: Iterable[tuple[Any, ...]]) -> None:
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY peer_{table} ({columns}) FROM STDIN") as copy,
    ):
        for row in rows:
            copy.write_row(row)


if __name__ == "__main__":
    main()
