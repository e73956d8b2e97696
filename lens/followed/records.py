"""The record of the stream that a write led to."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from lens.followed.written import Written
from socialsite.streams.traces import Trace

EVENTS = {"Put": {"INSERT", "MODIFY"}, "Update": {"INSERT", "MODIFY"}, "Delete": {"REMOVE"}}
ROUNDED = timedelta(seconds=1)  # the engine tells times to the second

Place = tuple[str, str]  # a record's shard and sequence number


def records_of(
    written: Sequence[Written], traces: Sequence[Trace], *, began: datetime, ended: datetime
) -> list[list[Trace]]:
    """Returns for each item the traces of its record: one for each time that a worker read it, none while no worker
    has.

    An item may be written again at any time, so the key alone does not tell the record. The write made it if the worker
    read it after the request began, the engine dates it no later than the request's end, and its image has all that
    the request set. Of several that fit the first is taken, because one item's records come in the order of its writes.
    Only another request that began a moment before, and set the same on the same item, could be taken for this one.
    """
    taken: set[Place] = set()
    found = []
    for item in written:
        place = next(
            (
                place_of(trace)
                for trace in traces
                if place_of(trace) not in taken and _is_of(trace, item, began, ended)
            ),
            None,
        )
        if place is not None:
            taken.add(place)
        found.append([trace for trace in traces if place_of(trace) == place])
    return found


def place_of(trace: Trace) -> Place:
    return trace.shard_id, trace.sequence


def _is_of(trace: Trace, item: Written, began: datetime, ended: datetime) -> bool:
    return (
        trace.key == item.key
        and trace.event in EVENTS[item.kind]
        and trace.read_at >= began
        and trace.moment <= ended + ROUNDED
        and item.values.items() <= trace.image.items()
    )
