"""`manage.py create_table`: the table with its stream, TTL and sparse indexes, on Amazon protected from loss."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from operations.management.command_errors import command_errors
from socialsite.table.connection import table_name
from socialsite.table.schema import (
    create_table,
    missing_features,
    missing_protection,
    protect_table,
)

NOT_HERE = (
    "Deletion protection and point-in-time recovery stay off: they are turned on at Amazon alone, and "
    "DYNAMODB_ENDPOINT names another engine."
)


class Command(BaseCommand):
    help = "Creates the table, or says what an existing one lacks."

    def handle(self, *args: Any, **options: Any) -> None:
        with command_errors():
            created = create_table()
            missing = missing_features()
            unprotected = _protect(created)
        if missing:
            raise CommandError(f"The table {table_name()} is there. " + " ".join(missing))
        what = "is created" if created else "is there and complete"
        self.stdout.write(f"The table {table_name()} {what}.")
        for sentence in unprotected:
            self.stderr.write(f"{sentence} docs/deploy.md says why to turn it on.")


def _protect(created: bool) -> list[str]:
    """Protects a new table. For an older one only returns what is missing, because its operator may have decided so.
    Elsewhere than on Amazon it does neither, and says so of an endpoint, which may offer both."""
    if settings.DYNAMODB_ENGINE == "endpoint":
        return [NOT_HERE]
    if settings.DYNAMODB_ENGINE != "amazon":
        return []
    if created:
        protect_table()
    return missing_protection()
