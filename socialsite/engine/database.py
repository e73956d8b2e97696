"""How is the SQLite file of a running engine opened beside it? Where it is: `Program.database`."""

import sqlite3
from contextlib import closing
from pathlib import Path

# The engine waits for a lock without complaint; this side must not fail sooner than it would.
BUSY_SECONDS = 30


def open_for_writing(database: Path) -> closing[sqlite3.Connection]:
    """Open the live file for upkeep; each statement commits by itself, so locks stay short."""
    connection = sqlite3.connect(
        f"{database.as_uri()}?mode=rw", uri=True, timeout=BUSY_SECONDS, isolation_level=None
    )
    # A commit here moves no log into the file: one process fewer to race with.
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    return closing(connection)


def open_for_reading(database: Path) -> closing[sqlite3.Connection]:
    """Open the live file so that nothing can be written through this connection."""
    return closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True, timeout=BUSY_SECONDS))


def has_table(connection: sqlite3.Connection, table_name: str) -> bool:
    """Tell whether the DynamoDB table exists; every engine gives each its own SQLite table."""
    found = connection.execute(
        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table_name,)
    )
    return found.fetchone() is not None
