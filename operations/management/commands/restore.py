"""`manage.py restore FILE`: puts a backup in the place of the data. On Amazon, `restore --moment … --into TABLE`: a new
table with what this one had then."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.dateparse import parse_datetime

from operations.backup import bucket
from operations.backup.create import BackupError
from operations.backup.restore import restore_backup
from operations.management.command_errors import command_errors
from operations.moving.moment import CannotRestore, Restoring
from socialsite.data_keys import DataKey
from socialsite.table.data_state import DATA_VERSION


class Command(BaseCommand):
    help = (
        "Replaces the data folder by a backup, at once. The site must be stopped. Keeps the old folder beside it. On "
        "Amazon, makes a new table of an earlier moment."
    )
    requires_system_checks = []  # a damaged site must be restorable

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file",
            nargs="?",
            help="a file that `manage.py backup` made, or s3://bucket/folder/ for the newest one there",
        )

        parser.add_argument(
            "--moment", help="on Amazon: as 2026-11-28T10:00 (UTC), or latest, in the last 35 days"
        )
        parser.add_argument("--into", metavar="TABLE", help="on Amazon: the name of the new table")
        parser.add_argument(
            "--dry-run", action="store_true", help="on Amazon: only say which calls it takes"
        )

    def handle(self, *args: Any, file: str | None, **options: Any) -> None:
        if options["moment"]:
            if settings.DYNAMODB_ENGINE != "amazon":
                raise CommandError("Only Amazon has earlier moments of a table. Name a backup.")
            if not options["into"]:
                raise CommandError("Name the new table: --into socialsite-2.")
            with command_errors(CannotRestore):
                self._to_moment(options)
            return
        if settings.DYNAMODB_ENGINE != "embedded":
            raise CommandError(
                "This restores the embedded engine only. On Amazon DynamoDB name a moment and a new table: "
                "--moment 2026-11-28T10:00 --into socialsite-2."
            )
        if not file:
            raise CommandError("Name the backup.")
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

    def _to_moment(self, options: dict[str, Any]) -> None:
        restoring = Restoring(options["into"], _moment(options["moment"]))
        restoring.check()
        if options["dry_run"]:
            for title, calls in restoring.planned():
                self.stdout.write(f"To {title}:")
                for call in calls:
                    self.stdout.write(f"  {call}")
                if not calls:
                    self.stdout.write("  nothing, it is so already")
        else:
            restoring.run(say=self.stderr.write)
            self.stdout.write(f"{restoring.target} is there and complete. Now:")
        self.stdout.write(FOLLOWS.format(old=restoring.source, new=restoring.target))


FOLLOWS = """1. Let nothing work on {old}: `make undeploy`, or stop each process.
2. With the settings of the site and DYNAMODB_TABLE={new}, and credentials of the account:
   `manage.py hand_over worker`, where the worker is a function under Lambda;
   `manage.py reconcile`, as records that no worker had read then are in no stream;
   `manage.py erase --as-in {old}`, as people who were erased since are back;
   `manage.py audit` and `manage.py audit_log verify`;
   `manage.py hand_over lambda`, where it was so.
3. `make deploy STACK=… REGION=… TABLE={new}`. Without the stack: DYNAMODB_TABLE={new} for each process, roles that
   name {new}, and under Lambda a mapping of its stream, at TRIM_HORIZON.
4. Sign-ins that were ended since are valid again: a new SECRET_KEY ends all. Files that were deleted since stay away.
5. Keep {old} until all is well. Then take off its deletion protection and delete it."""


def _moment(text: str) -> datetime | None:
    """Returns the moment that is meant, None for the latest one possible."""
    if text == "latest":
        return None
    try:
        moment = parse_datetime(text)
    except ValueError:
        moment = None
    if moment is None:
        raise CommandError("--moment: write it as 2026-11-28T10:00 (UTC), or latest.")
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _given_keys() -> list[str]:
    """Returns the ids of the keys that the environment sets; others come with the backup."""
    own = [os.environ["DATA_KEY"]] if os.environ.get("DATA_KEY") else []
    return [DataKey(text).id for text in (*own, *settings.DATA_KEY_FALLBACKS)]
