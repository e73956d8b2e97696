"""`manage.py create_table`: the table with its stream, TTL and sparse indexes."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from socialsite.engine.errors import EngineError
from socialsite.table.connection import table_name
from socialsite.table.errors import TableError
from socialsite.table.schema import create_table, missing_features


class Command(BaseCommand):
    help = "Creates the table, or says what an existing one lacks."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            created = create_table()
            missing = missing_features()
        except (EngineError, TableError) as error:
            raise CommandError(str(error)) from error
        if missing:
            raise CommandError(f"The table {table_name()} is there. " + " ".join(missing))
        what = "is created" if created else "is there and complete"
        self.stdout.write(f"The table {table_name()} {what}.")
