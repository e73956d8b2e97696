"""What tests look at when all is done: the invariants of the whole table, once the worker has nothing left."""

from operations.invariants import Invariants
from socialsite.streams.worker import Worker
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
