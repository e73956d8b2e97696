"""`manage.py hand_over lambda|worker`: hands the stream to the other host, so that nothing counts twice."""

from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from operations.management.command_errors import command_errors
from socialsite.clock import utc_now
from socialsite.streams.hand_over import hand_over_to_lambda, hand_over_to_workers
from socialsite.streams.hosts import Host, last_beat_of_lambda
from socialsite.streams.worker import hold_stream

QUIET_FOR = timedelta(minutes=1)


class Command(BaseCommand):
    help = "Gives the stream to Lambda or to run_worker. Stop the one that works on it first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("host", choices=list(Host))

    def handle(self, *args: Any, **options: Any) -> None:
        with command_errors():
            if options["host"] == Host.LAMBDA:
                self._to_lambda()
            else:
                self._to_workers()

    def _to_lambda(self) -> None:
        with hold_stream() as worker:
            marked = hand_over_to_lambda(worker)
        self.stdout.write(
            f"{marked} records are marked as applied. Enable the event source mapping, at TRIM_HORIZON."
        )

    def _to_workers(self) -> None:
        beaten = last_beat_of_lambda()
        if beaten and utc_now() - beaten < QUIET_FOR:
            raise CommandError(
                "Lambda was at work just now: disable the mapping and wait a minute."
            )
        with hold_stream(Host.LAMBDA) as worker:
            looked_at = hand_over_to_workers(worker)
        self.stdout.write(f"{looked_at} records looked at. Start `manage.py run_worker`.")
