"""A line of a file on its way: read, waiting for the clock, done. What waits is packed into items, and so is what is
done."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from privacy.importing.outcomes import Outcome
from socialsite.texts import shortened, shortened_to_bytes, without_unseen

SAID_CHARACTERS, SAID_BYTES = 80, 160  # of what a report repeats of a line


@dataclass(frozen=True, slots=True)
class Line:
    """`task` is what the clock does with it, empty if that is decided: then `outcome` says what became of it, with
    `remarks`, and `post_id` names the post that it made."""

    number: int
    said: str
    outcome: str = ""
    task: dict[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    post_id: str = ""

    def became(self, outcome: Outcome, *, post_id: str = "") -> Self:
        return replace(self, outcome=outcome, task={}, post_id=post_id)

    @property
    def as_list(self) -> list[Any]:
        return [self.number, self.said, self.outcome, self.task, list(self.remarks), self.post_id]

    @classmethod
    def of_list(cls, values: Sequence[Any]) -> Self:
        number, said, outcome, task, remarks, post_id = values
        return cls(number, said, outcome, task, tuple(remarks), post_id)


def line_of(number: int, said: str, outcome: str = "", **task: Any) -> Line:
    """Returns a line with as much of what it says as a report repeats."""
    short = shortened(without_unseen(said[: SAID_CHARACTERS * 4], multiline=False), SAID_CHARACTERS)
    return Line(number, shortened_to_bytes(short, SAID_BYTES), outcome, task)


def write_lines(lines: Iterable[Line]) -> str:
    return json.dumps([one.as_list for one in lines], ensure_ascii=False, separators=(",", ":"))


def read_lines(text: str) -> list[Line]:
    return [Line.of_list(one) for one in json.loads(text)]


TASKS_A_PART = 10  # a post takes 3 of the 100 actions of a transaction, a follow is a transaction
BYTES_A_PART = 3_400
BYTES_OF_REPORT = 280  # at most, of a line


def pack(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Yields the lines in parts: each fits into an item, and so does what became of it."""
    part: list[Line] = []
    size = tasks = 0
    for line in lines:
        bytes_of_line = max(len(write_lines([line]).encode()), BYTES_OF_REPORT if line.task else 0)
        is_full = size + bytes_of_line > BYTES_A_PART or tasks == TASKS_A_PART
        if part and is_full:
            yield part
            part, size, tasks = [], 0, 0
        part.append(line)
        size += bytes_of_line
        tasks += bool(line.task)
    if part:
        yield part
