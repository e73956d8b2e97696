"""How does the write-ahead log of DynamoDB Local stay short? The engine never moves it into the file while it runs."""

from pathlib import Path

from socialsite.engine.database import open_for_writing


def move_into_file(database: Path) -> None:
    """Moves what was committed from the log into the file, so that the engine writes the log from its beginning again.

    Waits for nobody, and nobody waits for it: what a reader still needs stays in the log until the next time.
    """
    with open_for_writing(database) as connection:
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
