"""`manage.py hold`: legal holds from the command line, where the operator counts as one of the two people that each
needs."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from moderation.log.writes import OPERATOR
from operations.management.command_errors import command_errors
from privacy.holds import writes
from privacy.holds.reads import find_target, list_holds
from privacy.holds.writes import LONGEST_REASON, Target
from socialsite.table import NotFound


class Command(BaseCommand):
    help = (
        "Asks that an account or a case is kept by law until a day, which an administrator then confirms at "
        "/moderation/holds, or confirms what an administrator asked for. Two different people have to want it; the "
        "operator is one. Without arguments it lists all."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("what", nargs="?", help="a handle, or the address of a case")
        parser.add_argument("--until", help="the last day, as 2027-03-31, at most a year from now")
        parser.add_argument("--reason", help="who asks, on what ground, under which number")
        act = parser.add_mutually_exclusive_group()
        act.add_argument("--confirm", action="store_true", help="confirm what an admin asked for")
        act.add_argument("--renew", action="store_true", help="ask for a later --until")
        act.add_argument("--release", action="store_true", help="end it, or take it back")
        act.add_argument("--list", action="store_true", help="list all")

    def handle(self, *args: Any, **options: Any) -> None:
        with command_errors():
            if options["list"] or not options["what"]:
                self._list()
                return
            try:
                self._act(find_target(options["what"]), options)
            except NotFound as error:
                raise CommandError(
                    f"There is no such account, case or hold: {options['what']}. Of an account that was erased, name "
                    "a case."
                ) from error

    def _act(self, target: Target, options: dict[str, Any]) -> None:
        if options["release"] or options["confirm"] or options["renew"]:
            hold = writes.get_hold(target.kind, target.subject_id)
            if options["release"]:
                writes.release_hold(by=OPERATOR, hold=hold)
                said = "Released."
            elif options["confirm"]:
                writes.confirm_hold(by=OPERATOR, hold=hold)
                said = "Confirmed. It is kept from now on."
            else:
                writes.ask_renewal(by=OPERATOR, hold=hold, until=_day(options["until"]))
                said = "Asked for. An administrator has to confirm it at /moderation/holds."
            self.stdout.write(said)
            return
        reason = (options["reason"] or "").strip()
        if not reason or len(reason) > LONGEST_REASON:
            raise CommandError(f"--reason: say why, in at most {LONGEST_REASON} characters.")
        writes.ask_hold(by=OPERATOR, target=target, until=_day(options["until"]), reason=reason)
        self.stdout.write(
            "Asked for. Nothing is kept until an administrator confirms it at /moderation/holds."
        )

    def _list(self) -> None:
        found = list_holds("")
        for one in found:
            name = f"@{one.person.handle}" if one.person else one.hold.person_id
            state = "kept" if one.is_in_force else "asked for"
            waits = " (a second person has to confirm)" if one.waits_for_second else ""
            self.stdout.write(
                f"{name}  {one.kind}  {state} until {one.hold.until[:10]}{waits}  {one.hold.reason}"
            )
        if not found:
            self.stdout.write("No legal holds.")


def _day(text: str | None) -> datetime:
    """Returns the end of a day in UTC."""
    try:
        day = date.fromisoformat(text or "")
    except ValueError:
        raise CommandError("--until: name the last day, as 2027-03-31.") from None
    return datetime.combine(day + timedelta(days=1), time(tzinfo=UTC))
