"""The books of one batch: counter sums and the shard's checkpoint, committed in one transaction.

Handlers do what may be repeated at once (put with a fixed key, delete) and enter into the ledger what may not: a
counter's change. The commit adds every sum and moves the checkpoint from the record before the batch to its last, on
the condition that the lease is still ours and the checkpoint where we found it. For each place of the checkpoint at
most one such transaction commits, and every record up to the new place is in its sums: each counts once, whatever
dies in between.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from pynamodb.attributes import NumberAttribute
from pynamodb.expressions.update import Action

from socialsite.models import Lease
from socialsite.table import keys
from socialsite.table.actions import Change
from socialsite.table.errors import Conflict, NotFound, Unavailable
from socialsite.table.item import Item
from socialsite.table.keys import Key
from socialsite.table.reading import get
from socialsite.table.writing import TRANSACTION_LIMIT, transact

MOST_COUNTERS = TRANSACTION_LIMIT - 1  # one action is the checkpoint


class LeaseLost(Conflict):
    """Somebody else works on this shard now, or already committed these records."""


class CounterGone(NotFound):
    """The counter went with the thing it counted."""


@dataclass(slots=True)
class Entry:
    """What is to be added to the counters of one item."""

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
    had_effects: bool = False

    @property
    def is_full(self) -> bool:
        return len(self.entries) >= MOST_COUNTERS

    def add(
        self,
        model: type[Item],
        key: Key,
        attribute: NumberAttribute,
        change: int,
        *,
        if_gone: Callable[[], None],
    ) -> None:
        """Enters a change of a counter; `if_gone` runs after the commit if the counter's item is not there.

        A handler calls this at most once for each record, as its last step, so that a failed handler enters nothing.
        """
        entry = self.entries.setdefault(key, Entry(model))
        entry.add(attribute, change)
        entry.if_gone.append(if_gone)
        self.had_effects = True

    def note_effect(self) -> None:
        """Says that a handler did something: only then is a checkpoint worth a write of its own."""
        self.had_effects = True

    def commit(self, *, shard_id: str, epoch: int, before: str, checkpoint: str) -> None:
        """Adds all sums and moves the checkpoint, or nothing. Raises `LeaseLost`.

        One TransactWriteItems: 2 write units for the lease and for each counter. Counters that are gone are left
        out, and their `if_gone` runs.
        """
        move = _move_checkpoint(shard_id, epoch, before, checkpoint)
        additions = [
            Change(entry.model, key, actions, otherwise=CounterGone)
            for key, entry in self.entries.items()
            if (actions := entry.actions())
        ]
        gone: set[Key] = set()
        while True:
            try:
                transact(move, *(change for change in additions if change.key not in gone))
                break
            except CounterGone as error:
                gone |= {change.key for change in error.failed if isinstance(change, Change)}
            except Unavailable:
                if _is_committed(shard_id, epoch, checkpoint):
                    break
                raise
        for key in gone:
            for callback in self.entries[key].if_gone:
                callback()


def _move_checkpoint(shard_id: str, epoch: int, before: str, checkpoint: str) -> Change:
    mine = (Lease.epoch == epoch) & (Lease.checkpoint == before)
    return Change(
        Lease,
        keys.lease(shard_id),
        [Lease.checkpoint.set(checkpoint)],
        condition=mine,
        otherwise=LeaseLost,
    )


def _is_committed(shard_id: str, epoch: int, checkpoint: str) -> bool:
    lease = get(Lease, keys.lease(shard_id), consistent=True)
    return lease.epoch == epoch and lease.checkpoint == checkpoint
