"""`manage.py reconcile`: checks and corrects the whole table at once, as the worker's job does in steps."""

from typing import Any

from django.core.management.base import BaseCommand

from moderation.figures.checks import PastFigures
from operations.management.command_errors import command_errors
from operations.reconcile import reconcile_page
from socialsite.streams.shards import close_gaps
from socialsite.streams.worker import hold_stream
from socialsite.table import ids
from socialsite.table.reading import scan_page


class Command(BaseCommand):
    help = "Sets every count to what its edges say, and timelines and directory. Stop the workers first."

    def handle(self, *args: Any, **options: Any) -> None:
        with command_errors(), hold_stream() as worker:
            worker.drain()
            looked_at, mended = self._mend()
            close_gaps()
            worker.drain()
        for line in mended:
            self.stdout.write(line)
        self.stdout.write(
            f"{looked_at:,} items compared, {len(mended)} counts set right. "
            "Lists, timelines and tags are complete."
        )

    def _mend(self) -> tuple[int, list[str]]:
        begun, last, looked_at, mended = ids.new_id(), None, 0, list[str]()
        past = PastFigures()
        while True:
            items, last = scan_page(after=last)
            mended += reconcile_page(items, begun=begun)
            looked_at += len(items)
            for raw in items:
                past.add(raw)
            if last is None:
                return looked_at, [*mended, *past.mend()]
