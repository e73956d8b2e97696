"""`manage.py restore FILE`: puts a backup in the place of the data."""

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from operations.backup import bucket
from operations.backup.create import BackupError
from operations.backup.restore import restore_backup
from operations.management.command_errors import command_errors
from socialsite.data_keys import DataKey
from socialsite.table.data_state import DATA_VERSION


class Command(BaseCommand):
    help = "Replaces the data folder by a backup, at once. The site must be stopped. Keeps the old folder beside it."
    requires_system_checks = []  # a damaged site must be restorable

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file",
            help="a file that `manage.py backup` made, or s3://bucket/folder/ for the newest one there",
        )

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        if settings.DYNAMODB_ENGINE != "embedded":
            raise CommandError(
                "This restores the embedded engine only. docs/deploy.md says how to restore on Amazon DynamoDB."
            )
        with command_errors(BackupError, OSError):
            place = bucket.newest(file) if file.startswith(bucket.SCHEME) else Path(file)
            if isinstance(place, str):
                self.stdout.write(f"Reading {place} …")
            restored = restore_backup(
                place,
                data_dir=settings.DATA_DIR,
                newest_version=DATA_VERSION,
                given_keys=_given_keys(),
            )
        manifest = restored.manifest
        self.stdout.write(f"Restored the site as it was at {manifest.made_at}.")
        self.stdout.write(
            f"The data of before are in {restored.before}. Delete that folder when all is well."
        )


def _given_keys() -> list[str]:
    """Returns the ids of the keys that the environment sets; others come with the backup."""
    own = [os.environ["DATA_KEY"]] if os.environ.get("DATA_KEY") else []
    return [DataKey(text).id for text in (*own, *settings.DATA_KEY_FALLBACKS)]
