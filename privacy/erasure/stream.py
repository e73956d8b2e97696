"""Erases closed accounts: begins when the grace is over, of which a letter tells, then a job takes one phase after the
other, step by step. In the end the profile goes, and the receipt is written. In the nights after, the whole table and
the archive are searched for people who were erased."""

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.erasing import Handled, Leaver
from accounts.mail.letters import Facts, Letter, Recipient, letter
from privacy.erasure.phases import NAMES, Progress, phase_of, read_leaver
from privacy.erasure.search import SEARCH, search_further
from privacy.erasure.writes import (
    ACCOUNT_CLOSING,
    BACKUPS_KEPT,
    ERASE,
    ERASURE_WAITS,
    HANDLE_KEPT,
    RECEIPT_KEPT,
    RESUME,
    Kept,
    begin_erasure,
    moment_of,
    next_search,
    resume_erasure,
)
from privacy.models import Erasure, Receipt, State
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import due_work, plan
from socialsite.observing.logs import Event, note_event
from socialsite.streams import Job, JobKind, Step, job_step
from socialsite.table import Change, Erase, Put, WriteAction, keys, measure, reading
from socialsite.web.preferences import full_date


@letter(ACCOUNT_CLOSING)
def account_closing(to: Recipient, facts: Facts) -> Letter:
    """Tells when the account will be deleted, and how to keep it."""
    known = {"handle": to.handle, "time": full_date(datetime.fromisoformat(facts["closing"]))}
    held = facts.get("held_until", "")
    return Letter(
        _("Your account will be deleted"),
        (
            _("@%(handle)s is closed. Nobody sees it any more.") % known
            if held
            else _("@%(handle)s is closed and will be deleted on %(time)s.") % known,
            *([_kept_by_law(held)] if held else []),
            _("To keep your account, or if it wasn’t you who closed it, sign in before then:"),
        ),
        button=_("Keep my account"),
        path="/login",
    )


@letter(ERASURE_WAITS)
def erasure_waits(to: Recipient, facts: Facts) -> Letter:
    """Tells that the erasure waits for the end of a legal hold, without saying what it is about."""
    return Letter(
        _("Your account can’t be deleted yet"),
        (
            _("@%(handle)s is closed, and nobody sees it.") % {"handle": to.handle},
            _kept_by_law(facts["until"]),
        ),
    )


def _kept_by_law(until: str) -> str:
    time = full_date(datetime.fromisoformat(until))
    return _("The law asks us to keep parts of it until %(time)s. Then we delete it.") % {
        "time": time
    }


def ending(leaver: Leaver, counts: Handled, reads: float, writes: float) -> Sequence[WriteAction]:
    """Returns what is written with the end of the job, or not at all. One consistent GetItem of the receipt, 1 read
    unit; 16 write units with the job."""
    now = utc_now()
    receipt = reading.get(Receipt, keys.receipt(leaver.receipt_id), consistent=True)
    receipt.state, receipt.held_until = State.ERASED, None
    receipt.erased_at = now.isoformat(timespec="seconds")
    receipt.counts = {**counts, "pictures": leaver.pictures}
    receipt.kept = [*(receipt.kept or ()), *_kept(leaver, counts, now)]
    receipt.reads, receipt.writes = round(reads), round(writes)
    receipt.ttl = now + RECEIPT_KEPT
    erasure = Erasure.new(user_id=leaver.user_id, receipt_id=leaver.receipt_id)
    erasure.erased_at = receipt.erased_at
    return [
        Erase(keys.user_info(leaver.user_id)),
        Erase(keys.user_count(leaver.user_id)),
        Erase(keys.user_settings(leaver.user_id)),
        Erase(keys.bell(leaver.user_id)),
        Put(receipt),
        Put(erasure),
        plan(SEARCH, moment=next_search(now), subject=leaver.receipt_id),
    ]


def _kept(leaver: Leaver, counts: Handled, now: datetime) -> Kept:
    kept: Kept = [("handle", (now + HANDLE_KEPT).isoformat(timespec="seconds"))]
    if counts["evidence"]:
        kept.append(("evidence", leaver.evidence_until.isoformat(timespec="seconds")))
    if counts["evidence"] or leaver.role:
        kept.append(("log", ""))
    if leaver.role:
        kept.append(("decisions", ""))
    if counts["reports"]:
        kept.append(("reports", ""))
    if counts["posts"]:
        kept.append(("places", ""))
    night = next_search(now)
    kept.append(("copies", night.isoformat(timespec="seconds")))
    kept.append(("backups", (night + BACKUPS_KEPT).isoformat(timespec="seconds")))
    return kept


def take_step(job: Job) -> Step:
    """Takes the next step of the phase that the job is in. A phase that finds nothing leads to the next one. After the
    last, all phases are gone through again, until none of them finds anything: what came in between is found then."""
    leaver = read_leaver(job)
    if leaver is None:
        return Step(0, None)
    progress = Progress.from_cursor(str(job.cursor))
    if leaver.held_until:
        return _resting(leaver, job, progress)
    if progress.phase < len(NAMES):
        further = _further(leaver, progress)
        return Step(further.counts.total() - progress.counts.total(), further.to_cursor())
    if not progress.was_empty:
        again = Progress(0, True, progress.counts, progress.reads, progress.writes)
        return Step(0, again.to_cursor())
    note_event(Event.ACCOUNT_ERASED)
    return Step(0, None, ending(leaver, progress.counts, progress.reads, progress.writes))


def _resting(leaver: Leaver, job: Job, progress: Progress) -> Step:
    """Ends the job where it is, and plans it anew for the end of the legal hold. What was deleted stays so."""
    waits = plan(
        RESUME,
        moment=moment_of(leaver.held_until),
        subject=leaver.user_id,
        receipt=leaver.receipt_id,
        cursor=str(job.cursor),
    )
    said = [Receipt.held_until.set(leaver.held_until), Receipt.counts.set(dict(progress.counts))]
    return Step(0, None, [waits, Change(Receipt, keys.receipt(leaver.receipt_id), said)])


def _further(leaver: Leaver, progress: Progress) -> Progress:
    with measure() as meter:
        handled = phase_of(NAMES[progress.phase])(leaver)
    found = handled.total() > 0
    return Progress(
        phase=progress.phase if found else progress.phase + 1,
        was_empty=progress.was_empty and not found,
        counts=progress.counts + handled,
        reads=progress.reads + meter.read_units,
        writes=progress.writes + meter.write_units,
    )


@due_work(RESUME)
def resume_when_due(due: Due) -> None:
    """Goes on with an erasure that waited for the end of a legal hold. As `resume_erasure`. Safe to run twice: a job
    that is there, or done, is left alone."""
    resume_erasure(due)


@due_work(ERASE)
def begin_when_due(due: Due) -> None:
    """Begins the erasure unless the owner kept the account. As `begin_erasure`. Safe to run twice: it begins by
    deleting the credentials."""
    begin_erasure(due)


@job_step(JobKind.ERASE)
def erase_step(job: Job) -> Step:
    """Takes the next step of the phase that the job is in: 25 to 100 items, 8 write units for a post, a follow or a
    friend, 4 for a like, 1 for the rest. Safe to run twice: a phase deletes what it still finds."""
    return take_step(job)


@due_work(SEARCH)
def search_when_due(due: Due) -> None:
    """Looks through the next part of the table and the archive. As `search_further`. Safe to run twice: it clears what
    is still there, and each part plans the next once."""
    search_further(due)
