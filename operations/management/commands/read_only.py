"""`manage.py read_only on|off`: lets everyone read and nobody write, at once or from a moment on, for work on the
machine."""

import time
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.dateparse import parse_datetime

from moderation.log.writes import OPERATOR
from moderation.maintenance.writes import NotAhead, TooLong, end_read_only, plan_read_only
from operations.management.command_errors import command_errors
from socialsite.clock import utc_now
from socialsite.site_settings.read_only import read_only_now
from socialsite.site_settings.site_rules import forget_site_rules, read_site_rules

UNITS = {"m": 60, "h": 3600}  # seconds


class Command(BaseCommand):
    help = "Lets everyone read and nobody write, or ends that. Without on or off it says how it is."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("state", choices=["on", "off", "show"], nargs="?", default="show")
        moment = "as 30m, 2h or 2026-11-28T22:00 (UTC)"
        parser.add_argument("--begins", help=f"announce it for a later moment, {moment}")
        parser.add_argument("--until", help=f"it ends then by itself, {moment}; else with off")
        parser.add_argument("--message", default="", help="shown to everyone beside the times")
        parser.add_argument(
            "--no-wait", action="store_true", help="return before every process has heard of it"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with command_errors():
            match options["state"]:
                case "on":
                    self._on(options)
                case "off":
                    end_read_only(by=OPERATOR)
                    self.stdout.write(
                        f"Everyone can write again, within {settings.SITE_RULES_SECONDS} seconds."
                    )
                case _:
                    self._show()

    def _on(self, options: dict[str, Any]) -> None:
        begins = _moment(options["begins"], "--begins")
        ends = _moment(options["until"], "--until", after=begins)
        try:
            plan_read_only(by=OPERATOR, begins=begins, ends=ends, message=options["message"])
        except (NotAhead, TooLong) as error:
            raise CommandError(f"--until: {error}.") from error
        if begins and begins > utc_now():
            self.stdout.write("Announced. Every page says so from a day before on.")
            return
        if not options["no_wait"]:
            time.sleep(settings.SITE_RULES_SECONDS + settings.PAGE_SECONDS)
        self.stdout.write("The site is only read now. `manage.py read_only off` ends that.")

    def _show(self) -> None:
        forget_site_rules()
        now, plan = read_only_now(), read_site_rules().maintenance
        if now:
            until = f" until {now.until}" if now.until else ""
            self.stdout.write(f"The site is only read ({now.why}){until}. {now.message}".strip())
        elif plan and plan.is_ahead:
            self.stdout.write(f"Announced from {plan.begins} to {plan.told_end or 'an open end'}.")
        else:
            self.stdout.write("Everyone can write.")


def _moment(text: str | None, option: str, *, after: datetime | None = None) -> datetime | None:
    """Returns the moment that an option names: a length from now on, or from `after`, or a date and time in UTC."""
    if not text:
        return None
    if text[:-1].isdigit() and text[-1] in UNITS and len(text) < 6:
        return (after or utc_now()) + timedelta(seconds=int(text[:-1]) * UNITS[text[-1]])
    try:
        moment = parse_datetime(text)
    except ValueError:
        moment = None
    if moment is None:
        raise CommandError(f"{option}: write it as 30m, 2h or 2026-11-28T22:00.")
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
