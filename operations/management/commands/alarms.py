"""`manage.py alarms`: one line for each alarm that holds now, and a status for cron and timers (docs/deploy.md)."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from operations.alarms.rules import for_prometheus
from operations.alarms.watching import list_holding, tell_in_place_of_clock
from operations.management.command_errors import command_errors

SOME, NOT_TOLD = 1, 2  # statuses


class Command(BaseCommand):
    help = (
        "Says which alarms hold now. Ends with 1 if any does, with 2 if a letter could not go out."
    )
    # It must speak though something is wrong.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--tell",
            action="store_true",
            help="write letters where no clock does: it is dead, or the table is away",
        )
        parser.add_argument(
            "--prometheus", action="store_true", help="only print the rules, deploy/alarms.yml"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["prometheus"]:
            self.stdout.write(for_prometheus(), ending="")
            return
        with command_errors():
            holding = list_holding()
        for alarm, figure in holding:
            self.stdout.write(
                f"{alarm.severity}: {alarm.name}. {alarm.summary} ({figure}). See {alarm.runbook}"
            )
        if not holding:
            self.stdout.write("No alarm is on.")
        if options["tell"]:
            self._tell(holding)
        if holding:
            sys.exit(SOME)

    def _tell(self, holding: Any) -> None:
        try:
            with command_errors():
                said = tell_in_place_of_clock(holding)
        except CommandError:
            raise
        except Exception as error:  # each way of mail has its own errors
            raise CommandError(
                f"A letter could not be sent: {error}", returncode=NOT_TOLD
            ) from error
        for line in said:
            self.stdout.write(line)
