"""One line of the doctor's answer."""

from __future__ import annotations

from dataclasses import dataclass

OK = "ok"
NOTE = "note"  # the site starts without it
STOP = "stop"  # the site cannot start


@dataclass(frozen=True)
class Finding:
    """What was looked at, what was found, and the one command that mends it."""

    name: str
    mark: str
    text: str
    command: str = ""

    def line(self) -> str:
        mark = {OK: "[ok]", NOTE: "[--]", STOP: "[!!]"}[self.mark]
        mend = f" Run `{self.command}`." if self.command else ""
        return f"{mark} {self.name:<12} {self.text}{mend}"
