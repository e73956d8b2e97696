"""What tests look at when all is done: the invariants of the whole table, once the worker has nothing left, and the
work that waits for its moment."""

from operations.invariants import Invariants
from socialsite.due.models import Due
from socialsite.streams.worker import Worker
from socialsite.table import as_model, keys, query
from socialsite.table.reading import scan


def broken_invariants() -> dict[str, list[str]]:
    """What `manage.py audit` would report."""
    invariants = Invariants()
    for raw in scan():
        invariants.add(raw)
    return {rule: breaks for rule, breaks in invariants.results().items() if breaks}


def drain(worker: Worker) -> None:
    """Until nothing is left; a step that only took a new iterator or lease reads nothing, and is no end."""
    quiet = 0
    while quiet < 2:
        quiet = 0 if worker.step() else quiet + 1


def due_items(*kinds: str) -> list[Due]:
    """The work that waits for its moment, the earliest first: of these kinds, or all of it."""
    shards = map(keys.due_shard, range(keys.DUE_SHARDS))
    found = [as_model(Due, raw) for shard in shards for raw in query(shard, consistent=True)]
    wanted = [due for due in found if not kinds or due.kind in kinds]
    return sorted(wanted, key=lambda due: due.moment)
