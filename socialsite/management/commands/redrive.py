"""`manage.py redrive`: tries parked stream records again, once their cause is mended."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from socialsite.engine.errors import EngineError
from socialsite.streams.redrive import redrive
from socialsite.streams.sight import list_dead_letters
from socialsite.table.errors import TableError


class Command(BaseCommand):
    help = "Runs the handlers of all dead letters again; those that succeed are deleted."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            letters = list_dead_letters(limit=10_000)
            failed = [letter for letter in letters if not redrive(letter)]
        except (EngineError, TableError) as error:
            raise CommandError(str(error) or type(error).__name__) from error
        self.stdout.write(f"{len(letters) - len(failed)} applied, {len(failed)} still failing.")
        for letter in failed:
            self.stdout.write(f"  {letter.shard_id} {letter.sequence}: {letter.error}")
