"""`manage.py run_pusher`: sends pushes. Any number may run; one sends, and the others stand by."""

import logging
import signal
import threading
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from notifications.push.sender import Pusher
from notifications.push.site_key import NoKeyFits, SiteKey, open_site_key, replace_site_key
from operations.management.command_errors import command_errors
from operations.serving.health import PUSHER_BEAT
from socialsite.observing.serving import serve_metrics
from socialsite.table import TableError
from socialsite.table.actions import must_write_here
from socialsite.table.connection import table_name

AGAIN_AFTER = 2.0  # seconds

log = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Sends pushes until it is told to stop (Ctrl-C, SIGTERM)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--new-key",
            action="store_true",
            help="only make another key of the site; browsers renew what they gave at their next visit",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with command_errors():
            must_write_here()
            if options["new_key"]:
                replace_site_key()
                self.stdout.write("Made a new key. Restart the pusher, so that it signs with it.")
                return
        serve_metrics(settings.METRICS_BIND, token=settings.METRICS_TOKEN)
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        self.stdout.write(f"Sending pushes of {table_name()}. Ctrl-C stops.")
        with command_errors(NoKeyFits):
            key = _key_once_the_engine_answers(stop)
        if key:
            Pusher(key).run(stop, beat=_beat)


def _beat() -> None:
    with suppress(OSError):  # then a container is taken for ill, and nothing else
        PUSHER_BEAT.touch()


def _key_once_the_engine_answers(stop: threading.Event) -> SiteKey | None:
    while not stop.is_set():
        try:
            return open_site_key()
        except TableError as error:
            log.warning("the pusher waits for the engine: %s", error)
        stop.wait(AGAIN_AFTER)
    return None
