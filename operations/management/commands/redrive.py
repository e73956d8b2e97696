"""`manage.py redrive`: tries parked stream records again after their cause is fixed, or gives them up."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from operations.management.command_errors import command_errors
from socialsite.streams.dispatch import discard, redrive
from socialsite.streams.models import DeadLetter
from socialsite.streams.status import list_dead_letters


class Command(BaseCommand):
    help = "Runs the handlers of all dead letters again; those that succeed are deleted."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--discard",
            action="store_true",
            help="delete the dead letters unapplied; then run `manage.py reconcile`",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with command_errors():
            letters = list_dead_letters(limit=10_000)
            if options["discard"]:
                self._discard(letters)
                return
            failed = [letter for letter in letters if not redrive(letter)]
        self.stdout.write(f"{len(letters) - len(failed)} applied, {len(failed)} still failing.")
        for letter in failed:
            self.stdout.write(f"  {letter.shard_id} {letter.sequence}: {letter.error}")

    def _discard(self, letters: list[DeadLetter]) -> None:
        for letter in letters:
            discard(letter)
            self.stdout.write(f"  {letter.shard_id} {letter.sequence}: {letter.error}")
        self.stdout.write(f"{len(letters)} discarded.")
        if letters:
            self.stdout.write("Run `manage.py reconcile` to correct what they would have changed.")
