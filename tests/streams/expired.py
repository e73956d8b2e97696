"""Items past their time, removed as an engine removes them, and what the archive says of them."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from accounts.people.viewer import Viewer
from feed.saved.models import SavedPost
from socialsite.streams.archive import STORAGE, list_files, read_lines
from socialsite.table import Item, ids, write_batch
from socialsite.table.connection import client, table_name
from socialsite.table.transport.requests import wire

PAST = datetime.now(UTC) - timedelta(hours=1)


def own_archive(settings: Any, folder: Path) -> None:
    """From now on the archive is in this folder."""
    options = {"location": folder, "allow_overwrite": True}
    backend = {**settings.STORAGES[STORAGE], "OPTIONS": options}
    settings.STORAGES = {**settings.STORAGES, STORAGE: backend}


def entry(person: Viewer, *, ttl: datetime = PAST) -> SavedPost:
    """Something that the archive keeps, in the person's partition."""
    saved = SavedPost.new(
        user_id=person.user_id,
        post_id=ids.new_id(),
        author_id=person.user_id,
        saved_at=PAST.isoformat(),
    )
    saved.ttl = ttl
    return saved


def expire(*items: Item) -> list[Item]:
    """The items are put and, as they are past their time, removed, as the engine's owner does it."""
    write_batch(puts=items)
    for item in items:
        client().delete_item(TableName=table_name(), Key=wire(item.key))
    return list(items)


def archived() -> list[dict[str, Any]]:
    return list(read_lines(list_files()))


def places(items: list[Item]) -> list[tuple[str, str]]:
    return [tuple(item.key) for item in items]
