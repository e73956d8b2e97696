"""What the worker did with everything that a request wrote."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property

from lens.followed.records import place_of, records_of
from lens.followed.runs import Cost, SeenCommit, SeenRun
from lens.followed.written import Written, written_by
from lens.sight import MOST_CALLS, Sight
from socialsite.streams.dispatch import is_type_handled
from socialsite.streams.traces import Trace, kept_traces
from socialsite.table import ids
from socialsite.table.keys import Key

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
