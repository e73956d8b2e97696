"""`manage.py run_worker`: the stream worker and the clock of due work; any number of them share the work."""

import logging
import signal
import threading
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from operations.management.command_errors import command_errors
from operations.upgrade import DUE, is_upgrade_due
from socialsite.due.clock import run_clock, start_clock
from socialsite.observing.serving import serve_metrics
from socialsite.streams.worker import Worker
from socialsite.table import TableError
from socialsite.table.actions import must_write_here
from socialsite.table.connection import connection, table_name

log = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Runs the stream worker until it is told to stop (Ctrl-C, SIGTERM)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--only",
            choices=["stream", "clock"],
            help="leave out the other, which a process with rights of its own does",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with command_errors():
            must_write_here()
            try:
                connection()
            except TableError as error:
                log.warning("the worker waits for the engine: %s", error)
            with suppress(TableError):  # the worker says itself that it waits
                if is_upgrade_due():
                    log.warning(DUE)
        serve_metrics(settings.METRICS_BIND, token=settings.METRICS_TOKEN)
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        parts = {"stream": "the stream", "clock": "what is due"}
        chosen = [text for part, text in parts.items() if options["only"] in (None, part)]
        self.stdout.write(f"Working on {' and '.join(chosen)} of {table_name()}. Ctrl-C stops.")
        if options["only"] == "clock":
            run_clock(stop)
            return
        if options["only"] is None:
            start_clock(stop)
        Worker().run(stop)
