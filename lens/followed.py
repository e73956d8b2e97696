"""What the worker did with a request's writes."""

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any

import orjson
from django.conf import settings

from lens.calls import OfType, kind_of
from lens.sight import MOST_CALLS, Sight
from socialsite.streams.dispatch import is_type_handled
from socialsite.streams.traces import Commit, Run, Sum, Trace, kept_traces
from socialsite.table import Call, Key, RawItem, ids, key_of

# `#0 = :0` sets what is known; `#0 = #0 + :0` does not.
SETS = re.compile(r"(#\w+) = (:\w+)(?= *(?:,|$|ADD|REMOVE|DELETE))")


@dataclass(frozen=True, slots=True)
class Written:
    """An item that the request put, changed or deleted. `values` are texts and numbers that it then has."""

    kind: str
    key: Key
    type: str
    values: Mapping[str, str]


def written_by(calls: Sequence[Call]) -> list[Written]:
    """Returns the items in the order of the writes. A write that was refused wrote none, and a condition alone writes
    nothing."""
    return [
        _written(kind, one)
        for call in calls
        if not call.is_read and "Error" not in (call.answer or {})
        for kind, one in _actions(call.operation, orjson.loads(call.asked))
        if kind in ("Put", "Update", "Delete")
    ]


def _actions(operation: str, request: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if operation == "TransactWriteItems":
        for entry in request["TransactItems"]:
            yield from entry.items()
    elif operation == "BatchWriteItem":
        for requests in request["RequestItems"].values():
            for entry in requests:
                yield from ((kind.removesuffix("Request"), one) for kind, one in entry.items())
    else:
        yield operation.removesuffix("Item"), request


def _written(kind: str, one: Mapping[str, Any]) -> Written:
    item: RawItem = one.get("Item") or {}
    key = key_of(item or one["Key"])
    values = texts_of(item) if kind == "Put" else _set_by(one)
    return Written(kind, key, values.get("type") or kind_of(*key), values)


def _set_by(update: Mapping[str, Any]) -> dict[str, str]:
    names = update.get("ExpressionAttributeNames", {})
    values = update.get("ExpressionAttributeValues", {})
    pairs = SETS.findall(update.get("UpdateExpression", ""))
    return texts_of({names[name]: values[value] for name, value in pairs})


def texts_of(item: RawItem) -> dict[str, str]:
    """Returns an item's texts and numbers: what the same item has alike in a request and in the stream."""
    return {
        name: str(text)
        for name, value in item.items()
        for kind, text in value.items()
        if kind in ("S", "N")
    }


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


LEASE = "Lease"


@dataclass(frozen=True, slots=True)
class Wrote:
    """Items of a type that were written in the same way."""

    kind: str
    items: OfType


@dataclass(frozen=True)
class Cost:
    """What calls took."""

    calls: Sequence[Call]

    @property
    def reads(self) -> float:
        return sum(call.units for call in self.calls if call.is_read)

    @property
    def writes(self) -> float:
        return sum(call.units for call in self.calls if not call.is_read)

    @property
    def milliseconds(self) -> float:
        return sum(call.milliseconds for call in self.calls)


@dataclass(frozen=True)
class SeenRun:
    """A handler's run, with where its code is."""

    run: Run

    @property
    def name(self) -> str:
        return self.run.handler.__name__

    @property
    def does(self) -> str:
        summary = (inspect.getdoc(self.run.handler) or "").partition("\n\n")[0]
        return summary.replace("\n", " ")

    @property
    def place(self) -> str:
        code = inspect.unwrap(self.run.handler).__code__
        file = Path(code.co_filename)
        inside = file.is_relative_to(settings.BASE_DIR)
        return f"{file.relative_to(settings.BASE_DIR) if inside else file}:{code.co_firstlineno}"

    @property
    def cost(self) -> Cost:
        return Cost(self.run.calls)

    @cached_property
    def wrote(self) -> list[Wrote]:
        """Returns what it wrote at once: what may be written twice, such as the entries of a fan-out."""
        return _by_type(written_by(self.run.calls))

    @property
    def sums(self) -> list[tuple[Sum, OfType]]:
        return [(one, OfType(one.type, 1, 0)) for one in self.run.sums]

    @property
    def created(self) -> list[OfType]:
        return [OfType(name, 1, 0) for name, _ in self.run.created]

    @property
    def is_idle(self) -> bool:
        """Whether the record was nothing to it."""
        return not (self.run.calls or self.run.had_effects or self.run.error)


@dataclass(frozen=True)
class SeenCommit:
    """A commit of the worker's ledger. Its lease is the line that makes all others count once."""

    commit: Commit

    @property
    def cost(self) -> Cost:
        return Cost(self.commit.calls)

    @cached_property
    def lines(self) -> list[Written]:
        """Returns the items that it wrote beside the lease."""
        return [one for one in written_by(self.commit.calls) if one.type != LEASE]


def _by_type(written: Sequence[Written]) -> list[Wrote]:
    keys: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for one in written:
        keys.setdefault((one.kind, one.type), set()).add(one.key)
    return [Wrote(kind, OfType(name, len(found), 0)) for (kind, name), found in keys.items()]


JOB = "Job"


class State(StrEnum):
    """How far a reading of a record came."""

    BUSY = "busy"  # handlers are at work
    HANDLED = "handled"  # the commit is still to come
    GIVEN_UP = "given_up"  # the worker stopped before the commit, and the record was read again
    REFUSED = "refused"  # another worker had committed it
    COMMITTED = "committed"
    NOTHING = "nothing"  # no handler changed anything, so nothing waits for a commit


@dataclass(frozen=True)
class Reading:
    """One reading of a record by a worker. `number` counts the readings of the same record."""

    trace: Trace
    number: int
    is_last: bool
    after: timedelta

    @cached_property
    def runs(self) -> list[SeenRun]:
        return [SeenRun(run) for run in self.trace.runs]

    @property
    def idle(self) -> list[SeenRun]:
        """Returns the handlers to which the record was nothing."""
        return [one for one in self.runs if one.is_idle]

    @property
    def state(self) -> State:
        commit = self.trace.commit
        if commit is not None:
            return State.REFUSED if commit.error else State.COMMITTED
        if not self.is_last:
            return State.GIVEN_UP
        if not self.trace.is_handled:
            return State.BUSY
        return State.HANDLED if self.trace.had_effects else State.NOTHING

    @property
    def is_finished(self) -> bool:
        return self.state in (State.COMMITTED, State.NOTHING)

    @property
    def milliseconds_after(self) -> float:
        """Returns how long after the request began the worker read the record."""
        return self.after / timedelta(milliseconds=1)


@dataclass(frozen=True)
class FollowedJob:
    """A job that the record began, with the records of its steps. Its last step deletes it."""

    key: Key
    readings: list[Reading]

    @property
    def steps(self) -> list[Reading]:
        return [one for one in self.readings if one.runs]

    @property
    def is_finished(self) -> bool:
        return any(one.trace.event == "REMOVE" for one in self.readings)


@dataclass(frozen=True)
class FollowedItem:
    """An item that the request wrote. `is_heard` says whether any handler hears of its type."""

    written: Written
    is_heard: bool
    readings: list[Reading]
    jobs: list[FollowedJob]

    @property
    def is_finished(self) -> bool:
        if not self.is_heard:
            return True
        read = bool(self.readings) and self.readings[-1].is_finished
        return read and all(job.is_finished for job in self.jobs)


@dataclass(frozen=True)
class Followed:
    """All that followed from a request, and the commits that finished it."""

    items: list[FollowedItem]

    @property
    def is_finished(self) -> bool:
        return all(item.is_finished for item in self.items)

    @property
    def heard(self) -> list[FollowedItem]:
        return [item for item in self.items if item.is_heard]

    @property
    def unheard(self) -> list[str]:
        """Returns the types of the items from which nothing follows."""
        return list(dict.fromkeys(item.written.type for item in self.items if not item.is_heard))

    @cached_property
    def readings(self) -> list[Reading]:
        of_jobs = (one for item in self.items for job in item.jobs for one in job.readings)
        return [*(one for item in self.items for one in item.readings), *of_jobs]

    @property
    def cost(self) -> Cost:
        """Returns what the handlers of its records took. Commits are shared with other requests."""
        runs = (run for one in self.readings for run in one.runs)
        return Cost([call for run in runs for call in run.run.calls])

    @cached_property
    def commits(self) -> list[SeenCommit]:
        found = (one.trace.commit for one in self.readings)
        return [SeenCommit(one) for one in {id(one): one for one in found if one}.values()]


def what_followed(sight: Sight) -> Followed:
    """Returns what this process's worker did with the items that a request wrote, as far as it is."""
    traces = kept_traces()
    written = written_by(sight.made[:MOST_CALLS])
    began = ids.time_of(sight.request_id)  # such an id alone has a page
    records = records_of(written, traces, began=began, ended=sight.moment)
    return Followed(
        [
            FollowedItem(
                item,
                not item.type or is_type_handled(item.type),
                _readings(found, began),
                _jobs(item, found, traces, began),
            )
            for item, found in zip(written, records, strict=True)
        ]
    )


def _readings(traces: Sequence[Trace], began: datetime) -> list[Reading]:
    places = [place_of(trace) for trace in traces]
    return [
        Reading(
            trace,
            number=places[: at + 1].count(place),
            is_last=place not in places[at + 1 :],
            after=trace.read_at - began,
        )
        for at, (trace, place) in enumerate(zip(traces, places, strict=True))
    ]


def _jobs(
    item: Written, found: Sequence[Trace], traces: Sequence[Trace], began: datetime
) -> list[FollowedJob]:
    keys = [
        key for trace in found for run in trace.runs for type, key in run.created if type == JOB
    ]
    # The first step of a job that the request itself began is already among its item's records.
    own = [item.key] if item.type == JOB else []
    known = {id(trace) for trace in found}
    return [
        FollowedJob(
            key,
            _readings(
                [
                    trace
                    for trace in traces
                    if trace.key == key
                    and trace.read_at >= found[0].read_at
                    and id(trace) not in known
                ],
                began,
            ),
        )
        for key in dict.fromkeys([*keys, *own])
        if found
    ]
