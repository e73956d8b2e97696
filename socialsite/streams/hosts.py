"""Says whether our own workers or Lambda read the stream. One item names the host, and the other does not begin.

Each keeps its place in its own way, so together they would count records twice. `manage.py hand_over` lets one go on
where the other stopped.
"""

from datetime import datetime
from enum import StrEnum

from socialsite.clock import utc_now
from socialsite.due.models import StreamHost
from socialsite.table import (
    AlreadyExists,
    Create,
    NotFound,
    TableError,
    access_pattern,
    change,
    get,
    keys,
    transact,
)


class Host(StrEnum):
    WORKER = "worker"
    LAMBDA = "lambda"


class WorksElsewhere(TableError):
    """The other host has the stream. Run `manage.py hand_over` first."""


@access_pattern
def claim_stream(host: Host) -> None:
    """Makes sure that this host has the stream. The first to ask gets it. Raises `WorksElsewhere`.

    One GetItem, consistent, 1 read unit, every 10 seconds.
    """
    try:
        found = get(StreamHost, keys.stream_host(), consistent=True).host
    except NotFound:
        try:
            transact(Create(StreamHost.new(host=host)))
            return
        except AlreadyExists:
            found = get(StreamHost, keys.stream_host(), consistent=True).host
    if found != host:
        raise WorksElsewhere(
            f"The stream of this table is worked on by {found}: stop that, then run "
            f"`manage.py hand_over {host}`."
        )


@access_pattern
def beat_of_lambda(lag: float) -> None:
    """Notes that Lambda is at work, and how far behind it is. Raises `WorksElsewhere`. One UpdateItem, 1 write unit, at
    most every 10 seconds; a GetItem before the first."""
    beat = [
        StreamHost.beaten_at.set(utc_now().isoformat(timespec="seconds")),
        StreamHost.lag.set(round(lag)),
    ]
    mine = StreamHost.host == Host.LAMBDA
    try:
        change(StreamHost, keys.stream_host(), beat, condition=mine)
    except NotFound:
        claim_stream(Host.LAMBDA)
        change(StreamHost, keys.stream_host(), beat, condition=mine)


def last_beat_of_lambda() -> datetime | None:
    """Returns when Lambda was last at work here, None if never."""
    try:
        beaten = get(StreamHost, keys.stream_host(), consistent=True).beaten_at
    except NotFound:
        return None
    return datetime.fromisoformat(beaten) if beaten else None


def give_stream_to(host: Host) -> None:
    """Lets the other host begin. Call it after stopping the first one and noting its place."""
    change(StreamHost, keys.stream_host(), [StreamHost.host.set(host)])
