"""`manage.py reconcile`: counts everything anew, with the stream held, after records were trimmed unread."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from socialsite.engine.errors import EngineError
from socialsite.reconciling import reconcile
from socialsite.streams.bulk_load import hold_stream
from socialsite.table.errors import TableError


class Command(BaseCommand):
    help = "Sets every count to what its edges say. Stop the workers first; run it while few people write."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with hold_stream() as worker:
                mended = list(reconcile(worker.drain))
                for reader in worker.readers.values():
                    reader.lease.close_gap()
        except (EngineError, TableError) as error:
            raise CommandError(str(error) or type(error).__name__) from error
        for line in mended:
            self.stdout.write(line)
        self.stdout.write(f"{len(mended)} counts set right.")
