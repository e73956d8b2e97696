"""How does the write-ahead log of DynamoDB Local stay short? The engine itself moves it into the file too seldom."""

from pathlib import Path

from socialsite.engine.database import open_for_writing

PASSES = 10


def move_into_file(database: Path) -> None:
    """Moves what was committed from the log into the file, so that the engine writes the log from its beginning again.

    Waits for nobody, and nobody waits for it. The engine begins anew only if it wrote nothing meanwhile, so further
    passes follow at once, which have next to nothing left to move.
    """
    with open_for_writing(database) as connection:
        for _ in range(PASSES):
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
