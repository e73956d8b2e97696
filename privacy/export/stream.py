"""Gathers what a person asked to take with them, by a job, makes the zip of it in the clock's thread, so that the
stream does not wait for it, says by letter that it is ready, and deletes its files two days after it was asked for."""

from contextlib import suppress
from datetime import timedelta
from tempfile import TemporaryFile

from django.utils.translation import gettext as _

from accounts.mail.letters import Facts, Letter, Recipient, letter
from privacy.export.by_letter import DATA_GIVEN
from privacy.export.kinds import find_owner
from privacy.export.parts import delete_files, save_part, save_zip
from privacy.export.sources import SOURCES, Place
from privacy.export.writes import DELETE_EXPORT, MAKE_EXPORT, make_from
from privacy.export.zip_file import write_export
from privacy.models import Export
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import due_work
from socialsite.streams import Job, JobKind, Step, job_step
from socialsite.table import Change, NotFound, access_pattern, keys, transact
from socialsite.telling import kind, tell

EXPORT_READY = kind("export-ready", by_letter=True)


@letter(EXPORT_READY)
def export_ready(to: Recipient, facts: Facts) -> Letter:
    """Tells that the copy of a person's data can be downloaded, and for how long."""
    return Letter(
        _("Your copy is ready"),
        (
            _(
                "The copy of your data that you asked for is ready. You can download it for 24 hours."
            ),
            _("If you didn’t ask for it, change your password and sign out of other browsers."),
        ),
        button=_("Download your copy"),
        path="/settings/export",
    )


@letter(DATA_GIVEN)
def data_given(to: Recipient, facts: Facts) -> Letter:
    """Tells that the site gave a copy of a person's data away at a request by letter."""
    return Letter(
        _("We made a copy of your data"),
        (
            _(
                "We made a copy of the data of @%(handle)s because someone asked for it by letter: you, or an "
                "authority that may."
            )
            % {"handle": to.handle},
            _("If it wasn’t you, ask the operator of this site who it was."),
        ),
    )


@job_step(JobKind.EXPORT)
def export_step(job: Job) -> Step:
    """Leaves a part with the next items of a source. Behind the last source it plans the zip, in the transaction that
    ends the job.

    One BatchGetItem of 4 read units, and what the source costs: a Query of 200 items, and 0.5 read units for each
    person whom they name and each edited post, 1 write unit for the cursor. Safe to run twice: the part is named after
    its content, and only the job's cursor makes it count.
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
        return Step(len(piece.lines), None, [make_from(user_id, export_id, part=part)])
    return Step(len(piece.lines), str(further))


OFFERED_FOR = timedelta(hours=24)


@due_work(MAKE_EXPORT)
@access_pattern
def make_export(due: Due) -> None:
    """Makes the zip from the parts that the job left, keeps it, and says that it is ready, for 24 hours.

    One BatchGetItem of 4 read units, what `read_account` costs, and 4 write units. In all 4 write units and 6.5 read
    units. Safe to run twice: the zip of the same parts takes the place of the first. If the export is no longer wanted,
    its files go.
    """
    user_id, export_id = due.facts["user_id"], due.subject
    owner = find_owner(user_id, export_id)
    if owner is None:
        delete_files(user_id, export_id)
        return
    if owner.export.ready_at:
        return
    with TemporaryFile() as target:
        write_export(owner, part=due.facts["part"], target=target)
        size = target.tell()
        target.seek(0)
        save_zip(user_id, export_id, target)
    now = utc_now()
    ready = [
        Export.ready_at.set(now.isoformat()),
        Export.size.set(size),
        Export.ttl.set(now + OFFERED_FOR),
    ]
    with suppress(NotFound):  # deleted meanwhile; its files go with it at the latest in two days
        transact(
            Change(Export, keys.export(user_id), ready, Export.export_id == export_id),
            *tell(user_id, EXPORT_READY).actions(),
        )


@due_work(DELETE_EXPORT)
def delete_export(due: Due) -> None:
    """Deletes the files of an export at its end. Safe to run twice: files that are gone stay gone. The item of the
    export is past its `ttl` by then."""
    delete_files(due.facts["user_id"], due.subject)
