"""`manage.py run_engine`: keeps the embedded engine running for the other processes of a data folder."""

import signal
import threading
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from operations.management.command_errors import command_errors
from socialsite.table.schema import create_table


class Command(BaseCommand):
    help = "Runs the embedded engine, with its table, until it is told to stop (Ctrl-C, SIGTERM)."

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.DYNAMODB_ENGINE != "embedded":
            raise CommandError(
                "The settings name another DynamoDB, so there is no engine to run here. Unset DYNAMODB_ENDPOINT "
                "and the AWS settings to use the embedded one."
            )
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        with command_errors():
            create_table()
        self.stdout.write(f"The engine of {settings.DATA_DIR} runs. Ctrl-C stops it.")
        stop.wait()
