"""Looking at the table after faults."""

from operations.invariants import Invariants
from socialsite.streams.worker import Worker
from socialsite.table.reading import scan


def broken_invariants() -> dict[str, list[str]]:
    invariants = Invariants()
    for raw in scan():
        invariants.add(raw)
    return {rule: breaks for rule, breaks in invariants.results().items() if breaks}


def drain(worker: Worker) -> None:
    """Until nothing is left; a step that only took a new iterator or lease reads nothing, and is no end."""
    quiet = 0
    while quiet < 2:
        quiet = 0 if worker.step() else quiet + 1
