"""Does a worker do nothing, though its process runs and the table answers? The site itself says so, at /readyz.

A worker that hangs has lost its lease, or its claim, long before it is ended, and what it had not committed is done
again by the next one: as if it had been killed (docs/adr/0008-jobs-without-a-queue.md).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

# Seconds. The stream beats with each record. The clock beats between two pieces of work, and one that searches the
# whole table, or packs a large export, takes minutes, and would never be done if it were ended each time.
PATIENCE = {"worker": 60.0, "clock": 1800.0}
ASK_EVERY = 30.0


@dataclass
class Standing:
    """Since when the site has said of a part of the worker that it does nothing. An answer that says nothing of it, as
    the table or the site does not answer, or the disk is full, says that nobody could do more. While the site is only
    read on purpose they rest."""

    asked_at: float = field(default=float("-inf"))
    since: dict[str, float] = field(default_factory=dict)

    def is_time(self, now: float) -> bool:
        if now - self.asked_at < ASK_EVERY:
            return False
        self.asked_at = now
        return True

    def hangs(self, told: Mapping[str, Any], now: float) -> bool:
        """Whether a part has done nothing for longer than it may. It is counted anew after that."""
        silent = [
            part
            for part in PATIENCE
            if "disk" not in told
            and told.get("status") != "read-only"
            and not told.get(part, {}).get("working", True)
        ]
        self.since = {part: self.since.get(part, now) for part in silent}
        if any(now - began >= PATIENCE[part] for part, began in self.since.items()):
            self.since.clear()
            return True
        return False
