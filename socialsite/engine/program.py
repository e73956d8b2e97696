"""What does the site ask of a program that is its embedded engine? Each program answers in a folder of its own."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from socialsite.engine.upkeep import Task


@dataclass(frozen=True)
class Program:
    """One program that can be the embedded engine. All else about engines is the same for each.

    It answers over HTTP at an address that it is told, and keeps its tables in one SQLite file of the data folder.
    """

    name: str  # as ENGINE chooses it
    server: str  # begins its `Server` header, in lower case
    start_seconds: float  # in which it answers, or never will
    least_free_bytes: int  # of the disk, with less of which it would lose what it acknowledged

    # Whether there is one for a platform such as `linux-x64`; the command that starts it here, or one sentence that
    # says how to get it; and getting it.
    runs_on: Callable[[str], bool]
    find: Callable[[Path], list[str]]
    install: Callable[[Path], None]

    # In a data folder: whether it was made with this program; the database, its name in a backup, and the access key
    # under which it answers with that database.
    made: Callable[[Path], bool]
    database: Callable[[Path], Path]
    database_name: str
    access_key: Callable[[Path], str]

    # Starting: what is done before; what the command needs to know of data folder and address; by which part of its
    # command it is recognised; what its log says once it listens there; and what is done then.
    prepare: Callable[[Path], None]
    arguments: Callable[[Path, str], list[str]]
    recognised_by: Callable[[Path], str]
    says_when_ready: Callable[[str], str]
    complete: Callable[[Path], None]

    # What each botocore client of the site does beside its calls.
    fit: Callable[[Any], None]

    # What it lacks and the owner does in its place, given database, address and table name.
    upkeep: Callable[[Path, Callable[[], str], str], list[Task]]
