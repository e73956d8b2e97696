"""Does the lines of a file that a person brought, by a job, part by part."""

from collections import Counter

from pynamodb.expressions.update import Action

from accounts.people.reads import read_actor
from accounts.people.restrictions import Frozen, Unconfirmed
from accounts.people.viewer import Viewer
from privacy.importing.lines import read_lines, write_lines
from privacy.importing.models import Stage, Transfer, TransferLines, TransferReport
from privacy.importing.outcomes import FileKind
from privacy.importing.people import DO, do_people
from privacy.importing.posts import bring_posts
from socialsite.clock import utc_now_iso
from socialsite.streams import Job, JobKind, Step, job_step
from socialsite.table import (
    Change,
    Erase,
    Moved,
    Put,
    WriteAction,
    as_model,
    fetch,
    keys,
    row,
)


@job_step(JobKind.BRING)
def bring_step(job: Job) -> Step:
    """Does the next part of a file, at most ten lines that ask for something.

    A consistent BatchGetItem of the file and the part, 2 or 3 read units, one of the person, 2, and what `bring_posts`
    or `do_people` costs. The report, what is left and how far the file is are written with the cursor. Safe to run
    twice: posts are written in the transaction of the cursor, and people are followed, blocked and muted as a button
    does it twice. It ends with the file, if its person stopped it, is gone, or may not speak now.
    """
    user_id, transfer_id, number = job.subject_id, job.job_id, int(job.cursor or 0)
    key = keys.transfer(user_id, transfer_id)
    lines_key = keys.transfer_lines(user_id, transfer_id, number)
    found = fetch([key, lines_key], consistent=True)
    by = read_actor(user_id)
    if key not in found or by is None:
        return Step(0, None)
    transfer = as_model(Transfer, found[key])
    if transfer.stage != Stage.WORKING:
        return Step(0, None)
    if lines_key not in found or not _may_speak(by):
        return Step(0, None, [_change(transfer, Stage.STOPPED)])
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
    is_last = number + 1 >= int(transfer.parts)
    outcomes = Counter(transfer.outcomes or {}) + Counter(line.outcome for line in lines)
    changed = _change(
        transfer, Stage.DONE if is_last else Stage.WORKING, done=len(lines), outcomes=outcomes
    )
    return Step(
        len(lines),
        None if is_last else str(number + 1),
        [changed, Put(report), Erase(lines_key), *writes],
    )


def _may_speak(by: Viewer) -> bool:
    try:
        by.must_have_voice()
    except (Frozen, Unconfirmed):
        return False
    return True


def _change(
    transfer: Transfer, stage: Stage, *, done: int = 0, outcomes: Counter[str] | None = None
) -> Change:
    """Returns the change of the file, on condition that it is as it was read."""
    actions: list[Action] = [Transfer.stage.set(stage)]
    if done:
        actions.append(Transfer.done.add(done))
    if outcomes:
        actions.append(Transfer.outcomes.set(dict(outcomes)))
    if stage != Stage.WORKING:
        actions.append(Transfer.ended_at.set(utc_now_iso()))
    as_read = (Transfer.stage == Stage.WORKING) & (Transfer.done == int(transfer.done))
    return Change(Transfer, transfer.key, actions, as_read, Moved)
