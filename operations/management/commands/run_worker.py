"""`manage.py run_worker`: the stream worker alone; any number of them share the work."""

import logging
import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from socialsite.engine.errors import EngineError
from socialsite.streams.worker import Worker
from socialsite.table.connection import connection, table_name
from socialsite.table.errors import TableError

log = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Runs the stream worker until it is told to stop (Ctrl-C, SIGTERM)."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            connection()
        except EngineError as error:
            raise CommandError(str(error)) from error
        except TableError as error:
            log.warning("the worker waits for the engine: %s", error)
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        self.stdout.write(f"Working on the stream of {table_name()}. Ctrl-C stops.")
        Worker().run(stop)
