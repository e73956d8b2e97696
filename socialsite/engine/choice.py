"""Which program is the embedded engine? The one that ENGINE names, else the data folder's, else the machine's."""

from pathlib import Path

from socialsite.engine.dynoxide.program import DYNOXIDE
from socialsite.engine.program import Program

PROGRAMS = (DYNOXIDE,)


def choose(data_dir: Path) -> Program:
    """Return the program for a data folder."""
    return DYNOXIDE
