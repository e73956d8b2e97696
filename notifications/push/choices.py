"""How someone wants to be pushed to: of what, when not, and whether names are said. It stands in their bell as a short
text (`Bell.push_as`), so that the worker knows it with what waits."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from socialsite.telling import OptOut, kind_of
from socialsite.web.preferences import known_zones

MESSAGES = "messages"  # beside the kinds of the inbox
OTHER = "other"  # kinds that nobody switches off: decisions, posts that were not published
SWITCHES = (
    MESSAGES,
    OptOut.REPLIES,
    OptOut.MENTIONS,
    OptOut.REQUESTS,
    OptOut.FOLLOWS,
    OptOut.POSTS,
    OptOut.LIKES,
    OptOut.REPOSTS,
    OptOut.POLLS,
    OptOut.CASES,
    OTHER,
)
OFF_AT_FIRST = (OptOut.LIKES, OptOut.REPOSTS)  # which come often and ask for nothing
HOURS = 24
TEXT = re.compile(
    r"off:([a-z ]*)\.names:(on|off)(?:\.quiet:([0-9]{1,2})-([0-9]{1,2})\.zone:([A-Za-z0-9_+/-]+))?"
)


@dataclass(frozen=True, slots=True)
class PushChoices:
    """`off` holds the switches that are off. Quiet hours are from one whole hour to another in a zone, none where both
    are the same."""

    off: frozenset[str] = frozenset(OFF_AT_FIRST)
    names: bool = True
    quiet_from: int = 0
    quiet_to: int = 0
    zone: str = "UTC"

    def __str__(self) -> str:
        """Returns the text that the bell keeps. `read_choices` reads it."""
        quiet = f".quiet:{self.quiet_from}-{self.quiet_to}.zone:{self.zone}"
        names = "on" if self.names else "off"
        return f"off:{' '.join(sorted(self.off))}.names:{names}{quiet if self.has_quiet else ''}"

    def in_words(self) -> dict[str, str]:
        """Returns the choices as a person may read them."""
        quiet = {"quiet_hours": f"{self.quiet_from}-{self.quiet_to}", "time_zone": self.zone}
        shown = {"off": ", ".join(sorted(self.off)), "names": "shown" if self.names else "hidden"}
        return shown | (quiet if self.has_quiet else {})

    @property
    def has_quiet(self) -> bool:
        return self.quiet_from != self.quiet_to

    def wants(self, switch: str) -> bool:
        return switch not in self.off

    def quiet_around(self, moment: datetime) -> tuple[datetime, datetime] | None:
        """Returns between which moments the quiet hours last in which this one falls, None if it does not."""
        if not self.has_quiet:
            return None
        local = moment.astimezone(ZoneInfo(self.zone))
        for days in (0, 1):
            began = (local - timedelta(days=days)).replace(
                hour=self.quiet_from, minute=0, second=0, microsecond=0
            )
            ends = began.replace(hour=self.quiet_to)
            if self.quiet_to < self.quiet_from:
                ends += timedelta(days=1)
            if began <= local < ends:
                return began.astimezone(moment.tzinfo), ends.astimezone(moment.tzinfo)
        return None


def read_choices(text: str) -> PushChoices:
    """Returns the choices in the text, those of the beginning for any text that this site would not have written."""
    match = TEXT.fullmatch(text)
    if match is None:
        return PushChoices()
    off, names, began, ends, zone = match.groups(default="")
    known = frozenset(off.split()) & frozenset(SWITCHES)
    if zone not in known_zones():
        return PushChoices(known, names == "on")
    return PushChoices(known, names == "on", int(began) % HOURS, int(ends) % HOURS, zone)


def switch_of(code: str) -> str:
    """Returns what someone switches off to get no push of a kind of the inbox."""
    return kind_of(code).switch or OTHER


def wanted(groups: Collection[str], choices: PushChoices) -> list[str]:
    """Returns the groups of a bell of which the person wants pushes."""
    return [group for group in groups if choices.wants(switch_of(group[0]))]
