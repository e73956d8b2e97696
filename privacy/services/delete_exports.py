"""Deleting all exports of a person: what is left of them once their account goes."""

from privacy.export.parts import delete_files, exports_with_files
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.writing import write_batch


@access_pattern
def delete_exports(user_id: str) -> None:
    """Ends the person's export, ready or not, and deletes the files of every one. Safe to repeat. The job of one that
    is being made ends at its next step, and what that step still leaves goes at the planned time.

    One BatchWriteItem of one item, 1 write unit. Raises `Unavailable`, also while the storage is.
    """
    write_batch(deletes=[keys.export(user_id)])
    for export_id in exports_with_files(user_id):
        delete_files(user_id, export_id)
