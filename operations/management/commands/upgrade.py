"""`manage.py upgrade`: brings data of earlier code up to this one's, by `reencrypt` and `reconcile`."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from operations.management.command_errors import command_errors
from operations.upgrade import note_upgraded
from socialsite.streams.worker import hold_stream


class Command(BaseCommand):
    help = "Brings data of earlier code up to this one's. Stop the site first. Safe to repeat."

    def handle(self, *args: Any, **options: Any) -> None:
        with command_errors():
            with hold_stream():  # says before the long work that a worker runs
                pass
            for name in ("reencrypt", "reconcile"):
                call_command(name, stdout=self.stdout, stderr=self.stderr)
            note_upgraded()
        self.stdout.write("The data are up to date. Start the site.")
