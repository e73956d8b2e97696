"""Asking for a copy of all data of an account, opening its download, once for each proof of identity, and deleting all
exports of a person. What is planned for an export: that the zip is made, and that its files are deleted. And how it
stands: nothing asked for, being made, or ready."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from accounts.people.cards import moment_text
from accounts.people.viewer import Viewer
from privacy.export.parts import delete_files, exports_with_files
from privacy.export.sources import NAMES, Place
from privacy.models import Export
from socialsite.clock import utc_now, utc_now_iso
from socialsite.due.work import plan
from socialsite.observing.logs import Event, note_event
from socialsite.streams import Job, JobKind
from socialsite.table import (
    AlreadyExists,
    Conflict,
    Create,
    NotFound,
    access_pattern,
    change,
    fetch,
    ids,
    keys,
    row,
    transact,
    write_batch,
)

MAKE_EXPORT, DELETE_EXPORT = "make-export", "delete-export"
FILES_KEPT_FOR = timedelta(days=2)


def make_from(user_id: str, export_id: str, *, part: str) -> Create:
    """Returns the action that plans the zip at once, from the parts up to this one."""
    return plan(MAKE_EXPORT, moment=utc_now(), subject=export_id, user_id=user_id, part=part)


def delete_later(user_id: str, export_id: str, *, asked_at: datetime) -> Create:
    """Returns the action that plans the end of the files, whatever becomes of the export."""
    return plan(DELETE_EXPORT, moment=asked_at + FILES_KEPT_FOR, subject=export_id, user_id=user_id)


@dataclass(frozen=True, slots=True)
class State:
    """An export as its page shows it. `gathered` is how many entries the steps have read, `percent` how far they are:
    by lists, as their lengths are not known."""

    user_id: str
    export_id: str
    site: str
    asked_at: str
    ready_at: str
    size: int
    until: str
    gathered: int = 0
    percent: int = 0
    granted_to: str = ""
    granted_until: str = ""

    @property
    def is_ready(self) -> bool:
        return bool(self.ready_at)

    @property
    def until_text(self) -> str:
        return moment_text(self.until)

    def is_open_to(self, secret_hash: str) -> bool:
        """Whether this sign-in may download it now."""
        is_granted = bool(secret_hash) and self.granted_to == secret_hash
        return self.is_ready and is_granted and self.granted_until > utc_now_iso()


@access_pattern
def get_export(user_id: str) -> State | None:
    """Returns how a person's export stands, None if they have asked for none in the last day.

    A consistent BatchGetItem, 1 read unit, and while it is being made another one of its job.
    """
    key = keys.export(user_id)
    found = fetch([key], consistent=True).get(key)
    if found is None:
        return None
    export = row(Export, found)
    gathered, percent = (0, 100) if export.ready_at else _progress(export.export_id)
    return State(
        user_id=user_id,
        export_id=export.export_id,
        site=export.site,
        asked_at=export.asked_at,
        ready_at=str(export.ready_at),
        size=int(export.size or 0),
        until=_moment(int(found["ttl"]["N"])),
        gathered=gathered,
        percent=percent,
        granted_to=str(export.granted_to),
        granted_until=str(export.granted_until),
    )


def _progress(export_id: str) -> tuple[int, int]:
    """Returns how many entries the job has read and how far it is. Behind its end the zip is made."""
    key = keys.job(JobKind.EXPORT, export_id)
    found = fetch([key], consistent=True).get(key)
    if found is None:
        return 0, 99
    job = row(Job, found)
    return int(job.done), 98 * Place.from_cursor(job.cursor).number // len(NAMES)


def _moment(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()


ONE_EVERY = timedelta(hours=24)


class AlreadyExported(AlreadyExists):
    """An export is being made, or was ready in the last 24 hours."""


@access_pattern
def ask_for_export(*, by: Viewer, site: str, language: str, zone: str) -> None:
    """Asks for everything that the site knows of the signed-in account, locked out or not. `site` is the address of the
    site in links; pages are in the language and time zone.

    One TransactWriteItems of export, job and the planned end of its files, 6 write units. One at a time, and one in 24
    hours: raises `AlreadyExported`.
    """
    now = utc_now()
    export_id = ids.new_id()
    export = Export.new(
        user_id=by.account_id,
        export_id=export_id,
        asked_at=now.isoformat(),
        site=site,
        language=language,
        zone=zone,
        ttl=now + ONE_EVERY,
    )
    transact(
        Create(export, otherwise=AlreadyExported, over_expired=True),
        Create(Job.new(kind=JobKind.EXPORT, job_id=export_id, subject_id=by.account_id)),
        delete_later(by.account_id, export_id, asked_at=now),
    )
    note_event(Event.EXPORT_ASKED, account=by.account_id)


OPEN_FOR = timedelta(minutes=10)


class UsedProof(Conflict):
    """This proof of identity has opened the download before."""


@access_pattern
def open_download(*, by: Viewer, export: State) -> None:
    """Lets this sign-in download the export for ten minutes, so that a download that breaks off can go on.

    One UpdateItem, 1 write unit. A press that is repeated finds the download open and does not prolong it: each time
    takes a proof of its own. Raises `NotFound` if there is no such export.
    """
    if not export.is_ready:
        raise NotFound("no export to download")
    granted = [
        Export.granted_to.set(by.secret_hash),
        Export.granted_until.set((utc_now() + OPEN_FOR).isoformat()),
        Export.used_proof.set(by.proved_at),
    ]
    is_it = Export.export_id == export.export_id
    is_unused = Export.used_proof.does_not_exist() | (Export.used_proof != by.proved_at)
    with suppress(UsedProof):
        change(
            Export,
            keys.export(by.account_id),
            granted,
            condition=is_it & is_unused,
            otherwise=UsedProof,
        )
        note_event(Event.EXPORT_DOWNLOADED, account=by.account_id)


@access_pattern
def delete_exports(user_id: str) -> None:
    """Ends the person's export, ready or not, and deletes the files of every one. Safe to repeat. The job of one that
    is being made ends at its next step, and what that step still leaves goes at the planned time.

    One BatchWriteItem of one item, 1 write unit. Raises `Unavailable`, also while the storage is.
    """
    write_batch(deletes=[keys.export(user_id)])
    for export_id in exports_with_files(user_id):
        delete_files(user_id, export_id)
