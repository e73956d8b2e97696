"""Which program is the embedded engine? The data folder's own, else the one that ENGINE names, else the machine's."""

import os
from pathlib import Path

from socialsite.engine.dynamodb_local import DYNAMODB_LOCAL
from socialsite.engine.dynoxide import DYNOXIDE
from socialsite.engine.program import EngineError, Program, platform_name

PROGRAMS = (DYNOXIDE, DYNAMODB_LOCAL)  # the first that runs on a machine is taken there


def choose(data_dir: Path) -> Program:
    """Return the program for a data folder. It writes nothing.

    Raises `EngineError` if ENGINE names none, or another one than the folder was made with.
    """
    named = _named()
    made_with = next((program for program in PROGRAMS if program.made(data_dir)), None)
    if made_with and named and named != made_with:
        raise EngineError(
            f"The data in {data_dir} were made with {made_with.name}, and ENGINE is {named.name}: "
            "unset ENGINE, or set DATA_DIR to another folder."
        )
    return made_with or named or _of_machine()


def _named() -> Program | None:
    name = os.environ.get("ENGINE")
    found = next((program for program in PROGRAMS if program.name == name), None)
    if name and not found:
        names = " or ".join(program.name for program in PROGRAMS)
        raise EngineError(f"ENGINE is {name!r}: set it to {names}, or unset it.")
    return found


def _of_machine() -> Program:
    name = platform_name()
    return next((program for program in PROGRAMS if program.runs_on(name)), DYNAMODB_LOCAL)
