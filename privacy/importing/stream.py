"""Does the lines of a file that a person brought, part by part, by the clock: as it publishes what was scheduled, it
may write posts, which the stream worker may not."""

import time
from collections import Counter, deque
from datetime import datetime, timedelta
from functools import partial

from pynamodb.expressions.update import Action

from accounts.people.reads import read_actor
from accounts.people.restrictions import Frozen, Unconfirmed
from accounts.people.viewer import Viewer
from privacy.importing.lines import read_lines, write_lines
from privacy.importing.models import Stage, Transfer, TransferLines, TransferReport
from privacy.importing.outcomes import FileKind
from privacy.importing.people import DO, do_people
from privacy.importing.posts import bring_posts
from privacy.importing.writes import BRING, do_part
from socialsite.clock import utc_now, utc_now_iso
from socialsite.due.models import Due
from socialsite.due.work import done, due_work
from socialsite.process_state import kept_by_process
from socialsite.table import (
    Change,
    Erase,
    Moved,
    Put,
    WriteAction,
    access_pattern,
    as_model,
    fetch,
    keys,
    row,
    transact,
    write_optimistically,
)

PARTS_A_LOOK = 20  # of a file
# The clock also sends letters and publishes what was scheduled: all files together get a share of its time.
SHARE, PERIOD = 2.0, 8.0  # seconds, and of how many
_busy: deque[tuple[float, float]] = deque()  # when a process was at it, and for how long


@kept_by_process
def _forget_share() -> None:
    _busy.clear()


def _share_is_spent() -> datetime | None:
    """Returns until when files wait if they have had their share of the clock."""
    now = time.monotonic()
    while _busy and _busy[0][0] < now - PERIOD:
        _busy.popleft()
    if sum(seconds for _, seconds in _busy) < SHARE:
        return None
    return utc_now() + timedelta(seconds=PERIOD)


@due_work(BRING, claims_itself=True, waits_until=_share_is_spent)
@access_pattern
def bring_parts(due: Due) -> None:
    """Does the next parts of a file, at most 20 and as many as begin within a second, and plans the one after them, to
    which the clock comes at its next look. As `do_next` for each."""
    began = time.monotonic()
    try:
        following: Due | None = due
        for _part in range(PARTS_A_LOOK):
            if following is None or time.monotonic() > began + 1:
                return
            following = write_optimistically(partial(do_next, following))
    finally:
        _busy.append((began, time.monotonic() - began))


def do_next(due: Due) -> Due | None:
    """Does a part of a file, at most ten lines that ask for something, and returns the next, which is planned by then;
    None after the last. Raises `AlreadyDone` if another clock did it.

    A consistent BatchGetItem of the file and the part, 2 or 3 read units, one of the person, 2, and what `bring_posts`
    or `do_people` costs. The report, what is left and how far the file is are written with the plan, 10 write units.
    Safe to run twice: posts are written in that transaction too, and people are followed, blocked and muted as a button
    does it twice. It ends with the file, if its person stopped it, is gone, or may not speak now.
    """
    user_id, transfer_id = due.facts["user_id"], due.subject
    number = int(due.facts["number"])
    key = keys.transfer(user_id, transfer_id)
    lines_key = keys.transfer_lines(user_id, transfer_id, number)
    found = fetch([key, lines_key], consistent=True)
    by = read_actor(user_id)
    if key not in found or by is None or row(Transfer, found[key]).stage != Stage.WORKING:
        transact(done(due))
        return None
    transfer = as_model(Transfer, found[key])
    if lines_key not in found or not _may_speak(by):
        transact(done(due), _change(transfer, Stage.STOPPED))
        return None
    lines = read_lines(row(TransferLines, found[lines_key]).waiting_lines)
    writes: list[WriteAction] = []
    if transfer.file_kind in DO:
        lines = do_people(by, transfer.file_kind, lines, host=transfer.host)
    elif transfer.file_kind == FileKind.POSTS:
        lines, writes = bring_posts(by, lines)
    report = TransferReport.new(
        user_id=user_id,
        transfer_id=transfer_id,
        number=number,
        done_lines=write_lines(lines),
        ttl=transfer.ttl,
    )
    is_last = number + 1 >= int(transfer.part_count)
    outcomes = Counter(transfer.outcomes or {}) + Counter(line.outcome for line in lines)
    stage = Stage.DONE if is_last else Stage.WORKING
    following = [] if is_last else [do_part(user_id, transfer_id, number + 1)]
    # Another clock may do the same, and what it has done is not this one's success.
    transact(
        done(due),
        *following,
        _change(transfer, stage, done_now=len(lines), outcomes=outcomes),
        Put(report),
        Erase(lines_key),
        *writes,
        may_be_own=False,
    )
    return next((one.item for one in following if isinstance(one.item, Due)), None)


def _may_speak(by: Viewer) -> bool:
    if by.card and by.card.is_secured:  # who sent the file may be who took the account
        return False
    try:
        by.must_have_voice()
    except (Frozen, Unconfirmed):
        return False
    return True


def _change(
    transfer: Transfer, stage: Stage, *, done_now: int = 0, outcomes: Counter[str] | None = None
) -> Change:
    """Returns the change of the file, on condition that it is as it was read."""
    actions: list[Action] = [Transfer.stage.set(stage)]
    if done_now:
        actions.append(Transfer.done.add(done_now))
    if outcomes:
        actions.append(Transfer.outcomes.set(dict(outcomes)))
    if stage != Stage.WORKING:
        actions.append(Transfer.ended_at.set(utc_now_iso()))
    as_read = (Transfer.stage == Stage.WORKING) & (Transfer.done == int(transfer.done))
    return Change(Transfer, transfer.key, actions, as_read, Moved)
