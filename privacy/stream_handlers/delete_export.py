"""Deletes the files of an export two days after it was asked for."""

from privacy.export import due as planned
from privacy.export.parts import delete_files
from socialsite.due.work import due_work
from socialsite.models import Due


@due_work(planned.DELETE)
def delete_export(due: Due) -> None:
    """Safe to run twice: files that are gone stay gone. The item of the export is past its `ttl` by then."""
    delete_files(due.facts["user_id"], due.subject)
