"""How is DynamoDB Local's SQLite file made safe to use? Before each start: beside it nothing may write there."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

from socialsite.private_files import FILE_MODE

LONGEST_STOP_MS = 3_600_000  # of a stop that the stream's day may go on in


def prepare_file(database: Path, *, now: float | None = None) -> None:
    """Gives the file a write-ahead log, and its stream the time that passed since the last record.

    Creates the file if it is missing. The engine must be stopped.
    """
    database.touch(mode=FILE_MODE)
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        _hold_clock(connection, int((time.time() if now is None else now) * 1000))


def _hold_clock(connection: sqlite3.Connection, now_ms: int) -> None:
    """Make the stream as old as it was when the engine stopped.

    The engine deletes records older than a day when it opens the file, read or unread, and numbers on from the rest.
    """
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'us'").fetchone():
        return
    newest = connection.execute("SELECT MAX(CreationDateTime) FROM us").fetchone()[0]
    if newest is None or now_ms - newest < LONGEST_STOP_MS:
        return
    passed = {"passed": now_ms - newest}
    connection.execute("BEGIN")
    connection.execute("UPDATE us SET CreationDateTime = CreationDateTime + :passed", passed)
    connection.execute(
        "UPDATE ss SET CreationDateTime = CreationDateTime + :passed, "
        "DeletionDateTime = DeletionDateTime + :passed",
        passed,
    )
    connection.execute("COMMIT")
