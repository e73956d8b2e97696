"""How far the steps of an export have got: what its job's cursor says."""

import json
from dataclasses import asdict, dataclass
from typing import Self

from privacy.export.sources import NAMES


@dataclass(frozen=True, slots=True)
class Place:
    """The source that is read next and the sort key after which, and the name of the last part."""

    source: str
    after: str = ""
    part: str = ""

    @classmethod
    def from_cursor(cls, cursor: str) -> Self:
        return cls(**json.loads(cursor)) if cursor else cls(NAMES[0])

    def __str__(self) -> str:
        return json.dumps(asdict(self))

    @property
    def number(self) -> int:
        """Returns how many sources are done."""
        return NAMES.index(self.source)

    def further(self, *, after: str, part: str) -> "Place | None":
        """Returns where the next step begins, None behind the last source."""
        if after:
            return Place(self.source, after, part)
        rest = NAMES[self.number + 1 :]
        return Place(rest[0], "", part) if rest else None
