"""Gathers what a person asked to take with them (`privacy/services/ask_for_export.py`), by a job."""

from privacy.export.due import make
from privacy.export.owner import find_owner
from privacy.export.parts import save_part
from privacy.export.place import Place
from privacy.export.sources import SOURCES
from socialsite.models import Job, JobKind
from socialsite.streams.jobs import Step, job_step


@job_step(JobKind.EXPORT)
def export_step(job: Job) -> Step:
    """Leaves a part with the next items of a source. Behind the last source it plans the zip, in the transaction that
    ends the job.

    One BatchGetItem of 4 units, and what the source costs: a Query of 200 items, and 0.5 read units for each person
    whom they name. Safe to run twice: the part is named after its content, and only the job's cursor makes it count.
    """
    user_id, export_id = job.subject_id, job.job_id
    owner = find_owner(user_id, export_id)
    if owner is None:
        return Step(0, None)
    place = Place.from_cursor(job.cursor)
    piece = SOURCES[place.number].read(owner, place.after)
    part = place.part
    if piece.lines or not part:
        part = save_part(user_id, export_id, piece.lines, before=part)
    further = place.further(after=piece.following, part=part)
    if further is None:
        return Step(len(piece.lines), None, [make(user_id, export_id, part=part)])
    return Step(len(piece.lines), str(further))
