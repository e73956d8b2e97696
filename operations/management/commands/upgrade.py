"""`manage.py upgrade`: brings data of earlier code up to this one's, by `reencrypt` and `reconcile`."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser

from operations.management.command_errors import command_errors
from operations.upgrade import DUE, is_upgrade_due, note_upgraded
from socialsite.engine.choice import choose
from socialsite.streams.worker import hold_stream


class Command(BaseCommand):
    help = "Brings data of earlier code up to this one's. Stop the site first. Safe to repeat."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--no-backup", action="store_true", help="where another backup was made just now"
        )
        parser.add_argument(
            "--patience",
            type=float,
            default=0,
            help="seconds to wait for the lease of a worker that was ended at once, or that a copy has from its site",
        )
        parser.add_argument("--is-due", action="store_true", help="only say whether there is work")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["is_due"]:
            with command_errors():
                self.stdout.write(DUE if is_upgrade_due() else "The data are up to date.")
            return
        with command_errors():
            with hold_stream(
                patience=options["patience"]
            ):  # says before the long work that a worker runs
                pass
            if not options["no_backup"]:
                self._save()
            for name in ("reencrypt", "reconcile"):
                call_command(name, stdout=self.stdout, stderr=self.stderr)
            note_upgraded()
        self.stdout.write("The data are up to date. Start the site.")

    def _save(self) -> None:
        """Saves the site before anything is changed, where the engine is this machine's. Elsewhere the table has
        point-in-time recovery."""
        if settings.DYNAMODB_ENGINE != "embedded":
            return
        with command_errors():
            is_made = choose(settings.DATA_DIR).made(settings.DATA_DIR)
        if is_made:
            call_command("backup", stdout=self.stdout, stderr=self.stderr)
