"""Two places for a site, each with an engine and folders of its own, and this process at one of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from django.conf import settings
from django.test import override_settings

from operations.moving.place import Place, named_by
from socialsite.process_state import reset_process_state
from socialsite.storages import storages
from socialsite.table import Item
from socialsite.table.connection import client, disconnect, table_name
from socialsite.table.data_state import check_data


@dataclass(frozen=True)
class Site:
    """The settings of a place, as a file has them."""

    file: Path
    endpoint: str
    table: str
    data_dir: Path

    @classmethod
    def at(cls, folder: Path, endpoint: str, table: str = "") -> "Site":
        folder.mkdir(exist_ok=True)
        site = cls(folder / "env", endpoint, table or f"moved-{uuid4().hex[:12]}", folder / "var")
        lines = {
            "DYNAMODB_ENDPOINT": site.endpoint,
            "DYNAMODB_TABLE": site.table,
            "DATA_DIR": site.data_dir,
            "DATA_KEY": settings.DATA_KEY,
            "SECRET_KEY": settings.SECRET_KEY,
            "DEBUG": "1",
        }
        site.file.write_text("".join(f"{name}={value}\n" for name, value in lines.items()))
        return site

    @property
    def place(self) -> Place:
        return named_by(self.file)


@contextmanager
def living_at(site: Site) -> Iterator[None]:
    """This process is one of the site's there, as if it had been started with those settings."""
    folders = storages(
        data_dir=site.data_dir,
        media_bucket="",
        archive_bucket="",
        export_bucket="",
        photo_bucket="",
        region="us-east-1",
        debug=True,
    )
    before = Item.Meta.table_name
    try:
        with override_settings(
            DYNAMODB_ENDPOINT=site.endpoint,
            DYNAMODB_ENGINE="endpoint",
            DATA_DIR=site.data_dir,
            MEDIA_ROOT=site.data_dir / "media",
            STORAGES=folders,
            # Short, so that a test that lets the site only be read need not wait.
            SITE_RULES_SECONDS=1,
            PAGE_SECONDS=0.5,
        ):
            Item.Meta.table_name = site.table
            disconnect()
            reset_process_state()
            check_data(client(), table_name())
            yield
    finally:
        Item.Meta.table_name = before
        disconnect()
        reset_process_state()
