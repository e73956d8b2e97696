"""Makes the tables and fills them: `python -m benchmarks.peer.filling FILE`, with a pickled `Crowd`."""

import os
import pickle
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.peer.settings"
django.setup()

from django.db import connection  # noqa: E402

from accounts.sessions import hash_secret  # noqa: E402
from benchmarks.crowd import Crowd  # noqa: E402
from benchmarks.data import SECRET, avatar_of, photo_of  # noqa: E402
from benchmarks.peer.models import TABLES  # noqa: E402


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
