"""The job of an erasure, step by step: the phase that it is in, and what it has done so far."""

import json
from dataclasses import dataclass, field
from typing import Self

from privacy.erasure.ending import ending
from privacy.erasure.leaver import Handled, Leaver, read_leaver
from privacy.erasure.phases import PHASES
from socialsite.models import Job
from socialsite.streams.jobs import Step
from socialsite.table.meter import measure
from socialsite.web.observing.security_log import Event, note_event

NAMES = tuple(PHASES)


@dataclass(frozen=True, slots=True)
class Progress:
    """The cursor of the job. `was_empty` says that no phase of this round has found anything."""

    phase: int = 0
    was_empty: bool = True
    counts: Handled = field(default_factory=Handled)
    reads: float = 0
    writes: float = 0

    @classmethod
    def from_cursor(cls, cursor: str) -> Self:
        if not cursor:
            return cls()
        phase, was_empty, counts, reads, writes = json.loads(cursor)
        return cls(phase, was_empty, Handled(counts), reads, writes)

    def to_cursor(self) -> str:
        return json.dumps([self.phase, self.was_empty, self.counts, self.reads, self.writes])


def take_step(job: Job) -> Step:
    """Takes the next step of the phase that the job is in. A phase that finds nothing leads to the next one. After the
    last, all phases are gone through again, until none of them finds anything: what came in between is found then."""
    leaver = read_leaver(job)
    if leaver is None:
        return Step(0, None)
    progress = Progress.from_cursor(str(job.cursor))
    if progress.phase < len(NAMES):
        further = _further(leaver, progress)
        return Step(further.counts.total() - progress.counts.total(), further.to_cursor())
    if not progress.was_empty:
        again = Progress(0, True, progress.counts, progress.reads, progress.writes)
        return Step(0, again.to_cursor())
    note_event(Event.ACCOUNT_ERASED)
    return Step(0, None, ending(leaver, progress.counts, progress.reads, progress.writes))


def _further(leaver: Leaver, progress: Progress) -> Progress:
    with measure() as meter:
        handled = PHASES[NAMES[progress.phase]](leaver)
    found = handled.total() > 0
    return Progress(
        phase=progress.phase if found else progress.phase + 1,
        was_empty=progress.was_empty and not found,
        counts=progress.counts + handled,
        reads=progress.reads + meter.read_units,
        writes=progress.writes + meter.write_units,
    )
