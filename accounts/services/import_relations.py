"""Importing an uploaded list: keeps its rows; the stream worker goes through them."""

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta

from accounts.csv_files import FileKind, Row
from accounts.imports import ImportedRow, Result, understand
from accounts.viewer import Viewer
from socialsite.models import Import, ImportRows, Job, JobKind
from socialsite.table import ids
from socialsite.table.actions import Create
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact, write_batch

KEPT_FOR = timedelta(days=7)
ROWS_AN_ITEM = 20
BYTES_AN_ITEM = 3_000
LONGEST_SHOWN = 64  # characters of what leads nowhere


@access_pattern
def import_relations(*, by: Viewer, kind: FileKind, rows: Iterable[Row], host: str) -> str:
    """Starts an import and returns its id; doing so again starts another, which finds all done already.

    BatchWriteItems of at most 20 rows an item, 25 items a call, 2 or 3 write units an item, then one TransactWriteItems
    of the Import and its Job, 4 write units: 5,000 rows are 10 calls and 750 write units. The stream worker does the
    rest (`stream_handlers/import_relations.py`).
    """
    import_id, ttl = ids.new_id(), datetime.now(UTC) + KEPT_FOR
    items: list[ImportRows] = []
    total = 0
    for part in _parts(_understood(kind, rows, host)):
        items.append(
            ImportRows.new(
                user_id=by.user_id,
                import_id=import_id,
                number=len(items),
                first=total,
                rows=part,
                ttl=ttl,
            )
        )
        total += len(part)
    write_batch(puts=items)
    started = Import.new(user_id=by.user_id, import_id=import_id, kind=kind, total=total, ttl=ttl)
    job = Job.new(kind=JobKind.IMPORT, job_id=import_id, subject_id=by.user_id, total=total)
    transact(Create(started), Create(job))
    return import_id


def _understood(kind: FileKind, rows: Iterable[Row], host: str) -> Iterator[ImportedRow]:
    """What each row means; what a row above said already is not tried again."""
    seen: set[tuple[str, str]] = set()
    for row in rows:
        found = understand(kind, row, host=host)
        if not found.handle:
            yield found._replace(account=_cut(row.account), circle=_cut(row.circle))
        elif (found.handle, found.circle) in seen:
            yield found._replace(handle="", result=Result.REPEATED)
        else:
            seen.add((found.handle, found.circle))
            yield found


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"


def _parts(rows: Iterable[ImportedRow]) -> Iterator[list[ImportedRow]]:
    part: list[ImportedRow] = []
    size = 0
    for row in rows:
        length = len(json.dumps(row))
        if part and (len(part) == ROWS_AN_ITEM or size + length > BYTES_AN_ITEM):
            yield part
            part, size = [], 0
        part.append(row)
        size += length
    if part:
        yield part
