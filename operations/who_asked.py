"""Who asks for an address: counts the lines of `requests` in a log by network, account, route and status.

It reads what the site wrote (`socialsite/web/asked.py`), line by line, so a log may be of any size. Lines that
stand for several reads (`LOG_READS`) count as many.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from typing import Any
from urllib.parse import unquote, urlsplit

from socialsite.web.asked import target_of

GROUPS = ("network", "account", "route", "status", "method")
NONE = "none"
MOST_KINDS = 100_000  # of one group; a flood can come from very many networks
OTHERS = "others"
MOST_CHARACTERS = 20_000  # of a line that is read; those of requests have a few hundred


class NoSuchTime(ValueError):
    """It is no time of the day and no moment."""


class NoAddress(ValueError):
    """No path can be read from it."""


@dataclass
class Asked:
    """What was found: how many requests, how many lines these are, and each group's counts."""

    requests: int = 0
    lines: int = 0
    others: int = 0  # lines of requests that were about something else, or at another time
    unreadable: int = 0
    first: str = ""
    last: str = ""
    groups: dict[str, Counter[str]] = field(
        default_factory=lambda: {name: Counter() for name in GROUPS}
    )

    def add(self, line: Mapping[str, Any], at: str) -> None:
        times = _times_of(line)
        self.lines += 1
        self.requests += times
        self.first, self.last = min(self.first or at, at), max(self.last, at)
        for name, counts in self.groups.items():
            value = str(line.get(name, NONE))[:200]
            is_known = value in counts or len(counts) < MOST_KINDS
            counts[value if is_known else OTHERS] += times


def moment_of(text: str, now: datetime) -> datetime:
    """Returns the moment that a time of the day (the last one before now) or an ISO date means, in UTC. Raises
    `NoSuchTime`."""
    try:
        if len(text) <= len("15:00:00"):
            asked = datetime.combine(now.date(), time.fromisoformat(text), UTC)
            return asked if asked <= now else asked - timedelta(days=1)
        moment = datetime.fromisoformat(text)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise NoSuchTime(f"{text} is no time such as 15:00 or 2026-11-28T15:00") from error


def count_asked(
    log: Iterable[str], *, address: str = "", since: datetime, until: datetime | None = None
) -> Asked:
    """Counts the requests for an address (a path, or a route as the log has it; empty for all) between two moments.
    Raises `NoAddress`."""
    try:
        path = unquote(urlsplit(address).path) if address else ""
    except ValueError as error:
        raise NoAddress(f"{address} is no address such as /@alice") from error
    target = target_of(path) if path else ""
    earliest, latest = _text(since), _text(until) if until else ""
    found = Asked()
    for text in log:
        line = _line(text, found)
        if line is None:
            continue
        at = str(line.get("time", ""))
        is_then = at >= earliest and (not latest or at < latest)
        if is_then and (not path or _is_about(line, path, target)):
            found.add(line, at)
        else:
            found.others += 1
    return found


def _line(text: str, found: Asked) -> Mapping[str, Any] | None:
    """Returns the line of a request, None for any other. What journald or Docker wrote before it is left out."""
    begin = text.find("{")
    if begin < 0 or '"requests"' not in text[:MOST_CHARACTERS]:
        return None
    try:
        line = json.loads(text[begin:MOST_CHARACTERS])
    except ValueError:
        found.unreadable += 1
        return None
    return line if isinstance(line, dict) and line.get("logger") == "requests" else None


def _is_about(line: Mapping[str, Any], path: str, target: str) -> bool:
    if target and line.get("target") == target:
        return True
    return path in (line.get("path"), line.get("route"), f"/{line.get('route')}")


def _times_of(line: Mapping[str, Any]) -> int:
    times = line.get("stands_for", 1)
    return times if isinstance(times, int) and times > 0 else 1


def _text(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds")
