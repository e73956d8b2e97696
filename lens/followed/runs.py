"""What a handler did with a record, and what a commit wrote."""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from django.conf import settings

from lens.followed.written import Written, written_by
from lens.items import OfType
from socialsite.streams.traces import Commit, Run, Sum
from socialsite.table.meter import Call

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
