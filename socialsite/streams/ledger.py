"""The books of one batch: counter sums, jobs and dead letters, committed in one transaction with a proof.

Handlers do repeatable work at once (put with a fixed key, delete). Work that must not be repeated they enter in the
ledger: a counter's change, a job, a dead letter, a notification. The commit writes all entries together with the proof
that these records are now applied: for a worker the shard's checkpoint (`CheckpointProof`), under Lambda a marker for
each record (`lambda_handler.py`). The proof can be given only once, so each record counts once, whatever dies in
between.
"""

import logging
import secrets
import threading
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Protocol

from pynamodb.attributes import NumberAttribute
from pynamodb.expressions.update import Action

from socialsite.keys.key import Key
from socialsite.streams.models import Lease
from socialsite.table import (
    AlreadyExists,
    Change,
    Check,
    Conflict,
    Create,
    Item,
    Moved,
    NotFound,
    Unavailable,
    WriteAction,
    access_pattern,
    get,
    keys,
    name_of,
    transact,
)
from socialsite.table.errors import Fenced

# A batch is committed as soon as it has so many lines. One record adds at most 35 more, and the proof takes the rest.
MOST_LINES = 60
PLANNED_AT_MOST = 10

log = logging.getLogger(__name__)


class LeaseLost(Fenced):
    """Another worker owns this shard now, or has already committed these records."""


class CounterGone(NotFound):
    """The counter was deleted together with the thing it counted."""


class AlreadyEntered(AlreadyExists):
    """The job or dead letter already exists."""


class PlanMoved(Moved):
    """An item is not as it was when the plan was made."""


class Plan(Protocol):
    """Lines that depend on items which others change too. They are written down at the commit, and anew if one of them
    has changed meanwhile."""

    @property
    def size(self) -> int:
        """The largest number of lines that it can become."""

    def merge(self, other: Any) -> None:
        """Takes over what another plan of the same type holds."""

    def actions(self) -> Sequence[WriteAction]:
        """Reads what it depends on. Each action's `otherwise` is `PlanMoved`."""


class Proof(Protocol):
    """What makes a commit happen once."""

    def actions(self) -> Sequence[WriteAction]: ...

    def is_given(self) -> bool:
        """Whether this very commit gave the proof, and only its answer was lost."""


_drawn = secrets.randbelow(2**16)  # of this process, so that others add to other parts


def own_part(count: int) -> int:
    """Returns to which of so many parts of a counter this thread adds. It stays the same within a batch, which so has
    one line for each counter; workers of other shards mostly add to others, and their commits do not meet."""
    return zlib.crc32(f"{_drawn} {threading.get_ident()}".encode()) % count


@dataclass(slots=True)
class Entry:
    """The sums for the counters of one item."""

    model: type[Item]
    sums: dict[str, tuple[NumberAttribute, int]] = field(default_factory=dict)
    if_gone: list[Callable[[], None]] = field(default_factory=list)

    def add(self, attribute: NumberAttribute, change: int) -> None:
        name = str(attribute.attr_name)
        self.sums[name] = attribute, self.sums.get(name, (attribute, 0))[1] + change

    def actions(self) -> list[Action]:
        return [attribute.add(change) for attribute, change in self.sums.values() if change]


@dataclass(slots=True)
class Ledger:
    entries: dict[Key, Entry] = field(default_factory=dict)
    new_items: dict[Key, Item] = field(default_factory=dict)
    plans: dict[type[Plan], Plan] = field(default_factory=dict)
    had_effects: bool = False
    most_lines: int = field(default_factory=lambda: MOST_LINES)

    @property
    def is_full(self) -> bool:
        planned = sum(plan.size for plan in self.plans.values())
        return len(self.entries) + len(self.new_items) + planned >= self.most_lines

    @property
    def lines(self) -> Counter[str]:
        """How many lines there are for each type of item or plan, by names that begin with its room. One is the
        proof's."""
        models = [
            *(entry.model for entry in self.entries.values()),
            *map(type, self.new_items.values()),
        ]
        planned = Counter({name_of(type(plan)): plan.size for plan in self.plans.values()})
        return Counter({"socialsite:commit": 1}) + Counter(map(name_of, models)) + planned

    def add(
        self,
        model: type[Item],
        key: Key,
        attribute: NumberAttribute,
        change: int,
        *,
        if_gone: Callable[[], None],
    ) -> None:
        """Enters a change of a counter. If the counter's item is missing, `if_gone` runs before the commit, and may run
        again after a crash.

        A handler calls this or `add_all` at most once for each record, as its last step, so that a failed handler
        enters nothing.
        """
        self.add_all(model, key, [(attribute, change)], if_gone=if_gone)

    def add_all(
        self,
        model: type[Item],
        key: Key,
        changes: Iterable[tuple[NumberAttribute, int]],
        *,
        if_gone: Callable[[], None],
    ) -> None:
        """Enters changes of several counters of one item, as `add` does."""
        entry = self.entries.setdefault(key, Entry(model))
        for attribute, change in changes:
            entry.add(attribute, change)
        entry.if_gone.append(if_gone)
        self.had_effects = True

    def create(self, item: Item) -> None:
        """Enters an item to create (a job, a dead letter), unless one with its key exists."""
        self.new_items[item.key] = item
        self.had_effects = True

    def enter(self, plan: Plan) -> None:
        """Enters a plan, which joins what was entered before."""
        if plan.size:
            self.plans.setdefault(type(plan), type(plan)()).merge(plan)
            self.had_effects = True

    def merge(self, other: "Ledger") -> None:
        """Takes over the entries of one record."""
        for key, entry in other.entries.items():
            mine = self.entries.setdefault(key, Entry(entry.model))
            for attribute, change in entry.sums.values():
                mine.add(attribute, change)
            mine.if_gone += entry.if_gone
        self.new_items |= other.new_items
        for plan in other.plans.values():
            self.enter(plan)
        self.had_effects = self.had_effects or other.had_effects

    def note_effect(self) -> None:
        """Notes that a handler did something. Only then is the checkpoint worth a write of its own."""
        self.had_effects = True

    @access_pattern
    def commit(self, proof: Proof) -> None:
        """Writes all sums, jobs and dead letters of a batch with its proof, or nothing. Raises what the proof's actions
        raise.

        One TransactWriteItems: 2 write units for each line and each action of the proof. Missing counters and existing
        items are left out, after `if_gone` of the counters has run. If it waited for the commit, a crash in between
        would lose it. Plans are made again as long as others change what they depend on, at most `PLANNED_AT_MOST`
        times. After that the commit goes without them, so that nobody can hold up the stream.
        """
        lines: dict[Key, WriteAction] = {
            key: Change(entry.model, key, actions, otherwise=CounterGone)
            if (actions := entry.actions())
            else Check(key, otherwise=CounterGone)
            for key, entry in self.entries.items()
        }
        lines |= {
            key: Create(item, otherwise=AlreadyEntered) for key, item in self.new_items.items()
        }
        for planned in count(1):
            plans = self._planned() if planned <= PLANNED_AT_MOST else []
            try:
                transact(*proof.actions(), *lines.values(), *plans, may_be_own=False)
                return
            except (CounterGone, AlreadyEntered, PlanMoved) as error:
                failed = {key for key, action in lines.items() if action in error.failed}
                for key in failed & self.entries.keys():
                    for callback in self.entries[key].if_gone:
                        callback()
                lines = {key: action for key, action in lines.items() if key not in failed}
            except Unavailable:
                if proof.is_given():
                    return
                raise

    def _planned(self) -> list[WriteAction]:
        actions: list[WriteAction] = []
        for plan in self.plans.values():
            try:
                actions += plan.actions()
            except (Unavailable, Conflict, Fenced):
                raise
            except Exception:
                log.exception("%s cannot be written and is left out", type(plan).__name__)
        return actions


@dataclass(frozen=True, slots=True)
class CheckpointProof:
    """Moves the shard's checkpoint from where this owner found it. Raises `LeaseLost`.

    At most one such transaction commits for each place of the checkpoint, and its sums hold every record up to the new
    place.
    """

    shard_id: str
    epoch: int
    before: str
    checkpoint: str

    def actions(self) -> Sequence[WriteAction]:
        mine = (Lease.epoch == self.epoch) & (Lease.checkpoint == self.before)
        key = keys.lease(self.shard_id)
        move = [Lease.checkpoint.set(self.checkpoint)]
        return [Change(Lease, key, move, condition=mine, otherwise=LeaseLost)]

    def is_given(self) -> bool:
        lease = get(Lease, keys.lease(self.shard_id), consistent=True)
        return lease.epoch == self.epoch and lease.checkpoint == self.checkpoint
