"""Bringing a file: its lines are left for the clock, then the file is written and its work planned together. Stopping
that, and deleting a report."""

from collections.abc import Sequence
from datetime import timedelta

from accounts.people.viewer import Viewer
from privacy.importing.lines import Line, pack, write_lines
from privacy.importing.models import Stage, Transfer, TransferLines
from privacy.importing.outcomes import FileKind
from privacy.importing.reads import get_transfer
from socialsite.clock import utc_now, utc_now_iso
from socialsite.due.work import plan
from socialsite.observing.logs import Event, note_event
from socialsite.table import (
    Change,
    Conflict,
    Create,
    access_pattern,
    ids,
    keys,
    transact,
    write_batch,
)
from socialsite.web.limits import Limit, count_hits

A_DAY = Limit("brought", 10, 86_400)  # forms of a person: each can have a file of each kind
TRIES = Limit("brought-tries", 30, 1800)  # also those with a file that is refused
REPORT_KEPT = timedelta(days=90)
LINES_KEPT = timedelta(days=7)


BRING = "bring"  # the kind of the due item


def do_part(user_id: str, transfer_id: str, number: int) -> Create:
    """Returns the action that plans a part of a file for now. 2 write units."""
    facts = {"user_id": user_id, "number": str(number)}
    return plan(BRING, moment=utc_now(), subject=transfer_id, **facts)


@access_pattern
def count_try(*, by: Viewer) -> None:
    """Counts a form before its files are read. Raises `Frozen` for people who may not speak now, and `LimitReached`
    after 30 in half an hour. One TransactWriteItems, 2 write units."""
    by.must_have_voice()
    count_hits((TRIES, by.user_id))


@access_pattern
def count_form(*, by: Viewer) -> None:
    """Counts a form with files. Raises `LimitReached` after ten a day. One TransactWriteItems, 2
    write units."""
    count_hits((A_DAY, by.user_id))


@access_pattern
def bring(*, by: Viewer, file_kind: FileKind, lines: Sequence[Line], host: str) -> str:
    """Leaves the lines of a file for the clock, and returns the id of the file. `host` is the address of this
    site. Raises `Frozen`.

    BatchWriteItems of the lines, 1 write unit for each KB of them, then one TransactWriteItems of the Transfer and
    its planned work, 4 write units. What a killed process left of the lines expires in a week.
    """
    by.must_have_voice()
    transfer_id, now = ids.new_id(), utc_now()
    parts = [write_lines(part) for part in pack(lines)]
    write_batch(
        puts=(
            TransferLines.new(
                user_id=by.user_id,
                transfer_id=transfer_id,
                number=number,
                waiting_lines=text,
                ttl=now + LINES_KEPT,
            )
            for number, text in enumerate(parts)
        )
    )
    transfer = Transfer.new(
        user_id=by.user_id,
        transfer_id=transfer_id,
        file_kind=file_kind,
        host=host,
        part_count=len(parts),
        total=len(lines),
        ttl=now + REPORT_KEPT,
    )
    transact(Create(transfer), do_part(by.user_id, transfer_id, 0))
    note_event(Event.BROUGHT, account=by.user_id, kind=str(file_kind), lines=len(lines))
    return transfer_id


class AlreadyEnded(Conflict):
    """The file is done, or was stopped."""


@access_pattern
def stop_bringing(*, by: Viewer, transfer_id: str) -> None:
    """Stops bringing a file: what was brought stays, and the step that is being made now changes nothing any more. Safe
    to repeat. Raises `NotFound`.

    A consistent BatchGetItem, 1 read unit, one UpdateItem, 1 write unit, and BatchWriteItems of the lines that are
    left. The planned work finds nothing to do.
    """
    found = get_transfer(by, transfer_id)
    if not found.is_working:
        return
    key = keys.transfer(by.user_id, transfer_id)
    stopped = [Transfer.stage.set(Stage.STOPPED), Transfer.ended_at.set(utc_now_iso())]
    try:
        transact(Change(Transfer, key, stopped, Transfer.stage == Stage.WORKING, AlreadyEnded))
    except AlreadyEnded:
        return
    write_batch(
        deletes=(keys.transfer_lines(by.user_id, transfer_id, n) for n in range(found.parts))
    )


@access_pattern
def delete_report(*, by: Viewer, transfer_id: str) -> None:
    """Deletes a file's report, and stops the file if it is not done. What was brought stays. Safe to repeat.

    What `stop_bringing` costs, and BatchWriteItems of the Transfer and its report, 1 write unit per KB.
    """
    stop_bringing(by=by, transfer_id=transfer_id)
    parts = get_transfer(by, transfer_id).parts
    reports = (keys.transfer_report(by.user_id, transfer_id, number) for number in range(parts))
    write_batch(deletes=reports)
    write_batch(deletes=[keys.transfer(by.user_id, transfer_id)])
