"""The records of an export, kind by kind, on disk: so that nothing but one record has to be in memory."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from tempfile import TemporaryFile
from typing import IO, Any

import orjson

from privacy.export.parts import read_part
from socialsite.table.errors import Unavailable


@dataclass(slots=True)
class Spool:
    """The records of one kind, each a line of JSON. The file has no name, so nothing of it outlives the process."""

    file: IO[bytes]
    count: int = 0

    def add(self, text: str) -> None:
        self.file.write(text.encode() + b"\n")
        self.count += 1

    def lines(self) -> Iterator[str]:
        self.file.seek(0)
        for text in self.file:
            yield text.decode().removesuffix("\n")

    def records(self) -> Iterator[Any]:
        return map(orjson.loads, self.lines())


@dataclass
class Spools(ExitStack):
    """A spool for each kind of which there are records."""

    of: dict[str, Spool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__()

    def spool(self, name: str) -> Spool:
        if name not in self.of:
            self.of[name] = Spool(self.enter_context(TemporaryFile()))  # noqa: SIM115 - the stack closes it
        return self.of[name]

    def add(self, line: str) -> None:
        name, _, text = line.partition("\t")
        self.spool(name).add(text)


def gather(spools: Spools, user_id: str, export_id: str, *, part: str) -> None:
    """Sorts the records of all parts up to this one into spools, in their order. Raises `Unavailable` if a part cannot
    be read."""
    parts = spools.enter_context(TemporaryFile())  # noqa: SIM115 - the stack closes it
    ends = []
    while part:
        try:
            lines, before = read_part(user_id, export_id, part)
        except FileNotFoundError as error:
            raise Unavailable(f"a part of export {export_id} is gone") from error
        parts.write("\n".join(lines).encode())
        ends.append(parts.tell())
        part = before
    for start, end in reversed(
        list(zip([0, *ends], ends, strict=False))
    ):  # the last was read first
        parts.seek(start)
        for line in parts.read(end - start).decode().split("\n"):
            if line:
                spools.add(line)
