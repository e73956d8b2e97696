"""Counting what became of someone's reports, and muting their reports for a time.

A muted reporter is told nothing and sees the same pages. Their reports go in: they wait in a case that no queue lists
until another person reports the same, or a moderator takes it. What they report of danger, and of a sexual picture of a
child, is heard as ever.
"""

from contextlib import suppress
from datetime import datetime

from accounts.models import UserInfo
from accounts.people.viewer import Viewer
from accounts.permissions import is_junior
from moderation.cases.decisions import IsStaff
from moderation.cases.limits import must_be_within_person, must_end_within
from moderation.cases.reads import OwnCase, must_outrank
from moderation.cases.reporters import count_reports
from moderation.log.writes import record_made
from moderation.models import ReporterRecord
from socialsite.table import (
    Check,
    Moved,
    NotFound,
    TableError,
    Upsert,
    WriteAction,
    access_pattern,
    fetch,
    keys,
    reading,
    row,
    transact,
    write_optimistically,
)


@access_pattern
def count_again(user_id: str) -> None:
    """Writes down what became of someone's reports, as it is now, if that is another number. Safe to repeat and in any
    order: who counts at the same moment counts again. Nothing for someone who was erased.

    A consistent BatchGetItem, 1 read unit, and what `count_reports` reads; if the numbers changed one
    TransactWriteItems, 4 write units.
    """

    def attempt() -> None:
        key = keys.reporter_record(user_id)
        stored = row(ReporterRecord, fetch([key], consistent=True).get(key, {}))
        now = count_reports(user_id, consistent=True)
        before = int(stored.upheld), int(stored.rejected), int(stored.waiting)
        if before == (now.upheld, now.rejected, now.waiting):
            return
        counted = ReporterRecord.counted
        number = int(stored.counted)
        as_read = counted == number if number else counted.does_not_exist()
        actions = [
            ReporterRecord.user_id.set(user_id),
            ReporterRecord.upheld.set(now.upheld),
            ReporterRecord.rejected.set(now.rejected),
            ReporterRecord.waiting.set(now.waiting),
            counted.set(number + 1),
        ]
        transact(
            Upsert(ReporterRecord, key, actions, as_read, Moved),
            Check(keys.user_info(user_id), UserInfo.pk.exists()),
        )

    with suppress(NotFound):
        write_optimistically(attempt)


@access_pattern
def mute_reporter(*, by: Viewer, user_id: str, until: datetime) -> None:
    """Mutes someone's reports until a moment, in place of an earlier one. They are not told. Safe to repeat.

    Two consistent GetItems, of the person and the log's head, then one TransactWriteItems, 8 write units. In all 8
    write units and 2 read units. Raises `NotFound`, `OwnCase`, `Outranked`, `IsStaff`, `BeyondLimits`.
    """
    end = until.isoformat(timespec="seconds")
    _record(by, user_id, end, action="mute reports")


@access_pattern
def unmute_reporter(*, by: Viewer, user_id: str) -> None:
    """Hears someone's reports again. Cases to which they alone reported meanwhile stay as they are. Costs and raises as
    `mute_reporter`."""
    _record(by, user_id, "", action="unmute reports")


class NothingNew(TableError):
    """They are muted, or heard, as asked."""


def _muted_until(user_id: str) -> str:
    """Returns until when their reports are muted, empty for not at all. One consistent BatchGetItem, 1 read unit."""
    key = keys.reporter_record(user_id)
    return row(ReporterRecord, fetch([key], consistent=True).get(key, {})).muted_until or ""


def _record(by: Viewer, user_id: str, end: str, *, action: str) -> None:
    if user_id == by.user_id:
        raise OwnCase
    must_be_within_person(by, user_id)
    if is_junior(by) and (lasts := end or _muted_until(user_id)):
        must_end_within(by, lasts)

    def actions() -> list[WriteAction]:
        role = reading.get(UserInfo, keys.user_info(user_id), consistent=True).role or ""
        must_outrank(by, role)
        if role and end:
            raise IsStaff
        muted = ReporterRecord.muted_until
        changed = [
            ReporterRecord.user_id.set(user_id),
            muted.set(end) if end else muted.remove(),
        ]
        news = muted.does_not_exist() | (muted != end) if end else muted.exists()
        return [
            Upsert(ReporterRecord, keys.reporter_record(user_id), changed, news, NothingNew),
            Check(keys.user_info(user_id), UserInfo.pk.exists()),
        ]

    detail = {"until": end} if end else None
    with suppress(NothingNew):
        record_made(actions, by=by.user_id, action=action, person_id=user_id, detail=detail)
