"""`manage.py backup`: a copy of the embedded engine's file, made while it runs."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from socialsite.engine.backup import back_up
from socialsite.engine.errors import EngineError


class Command(BaseCommand):
    help = "Copies the embedded engine's data to a file, consistently, while the site runs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("target", nargs="?", type=Path, help="the file to write")

    def handle(self, *args: Any, target: Path | None, **options: Any) -> None:
        if settings.DYNAMODB_ENGINE != "embedded":
            raise CommandError(
                "This backs up the embedded engine only: on Amazon DynamoDB turn on point-in-time recovery instead."
            )
        moment = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        file = target or settings.DATA_DIR / "backups" / f"{moment}.sqlite3"
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            size = back_up(settings.DATA_DIR, file)
        except EngineError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"{file}: {size:,} bytes. To restore, stop the site and put it in place of the data file."
        )
