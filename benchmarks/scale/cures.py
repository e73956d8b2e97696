"""What is to be done about each partition that takes more than it can, and each item that too many transactions meet.

A test holds the replay to this list: whatever it finds stands here, and what stands here is found.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cure:
    """For partitions that are called so (a pattern): why it is so hot, and what to do."""

    partition: str
    why: str
    cure: str


CURES: tuple[Cure, ...] = ()


def cure_of(partition: str) -> Cure | None:
    """Returns what to do about a partition, None if nobody has said."""
    return next((one for one in CURES if re.fullmatch(one.partition, partition)), None)
