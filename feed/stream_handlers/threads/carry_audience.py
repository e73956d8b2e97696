"""Carries a new audience of a root into its thread: from then on its replies are counted, and the parts of its story
listed, as if they had been written for it."""

from itertools import islice

from feed.models import Post, Reply
from feed.pointers import Pointer
from feed.threads.in_line import bring_in_line
from feed.threads.places import path_of
from socialsite.models import Job, JobKind
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.jobs import Step, job_step
from socialsite.streams.ledger import Ledger
from socialsite.table import keys
from socialsite.table.reading import query
from socialsite.table.row import row

REPLIES_A_STEP = 100


@on(Post, "MODIFY")
def carry_audience(change: Change, ledger: Ledger) -> None:
    """Enters a job for the replies of a root that got another audience, if it has any: a consistent Query of one.

    A reply that is written meanwhile asks, in its transaction, for the audience that it read. So all others stand in
    the thread before the job begins. Safe to run twice: the job has the name of the record.
    """
    old, root = change.old, change.new
    assert isinstance(old, Post)
    assert isinstance(root, Post)
    if root.root_id or (old.audience, old.circle) == (root.audience, root.circle):
        return
    ledger.note_effect()
    between = keys.branch_bounds("")
    places = query(keys.thread(root.post_id), between=between, consistent=True, limit=1)
    if next(places, None):
        job_id = f"{root.post_id}-{change.sequence}"
        where = {"subject_id": root.post_id, "author_id": root.author_id}
        ledger.create(Job.new(kind=JobKind.CARRY_AUDIENCE, job_id=job_id, **where))


@job_step(JobKind.CARRY_AUDIENCE)
def carry_audience_step(job: Job) -> Step:
    """Brings the next 100 replies of the thread in line: one consistent Query of their places, and the calls of
    `bring_in_line`. What follows for timelines and tags comes with the record of each post that it changes. Safe to run
    twice: it sets the audience that the root has now."""
    partition = keys.thread(job.subject_id)
    rows = query(
        partition,
        after=keys.Key(partition, job.cursor) if job.cursor else None,
        between=keys.branch_bounds(""),
        consistent=True,
        limit=REPLIES_A_STEP,
    )
    step = list(islice(rows, REPLIES_A_STEP))
    places = [row(Reply, raw) for raw in step]
    replies = [keys.post(one.author_id, one.post_id) for one in places if not one.gone]
    bring_in_line(Pointer(job.subject_id, str(job.author_id)), replies)
    more = len(step) == REPLIES_A_STEP
    return Step(len(step), path_of(step[-1]) if more else None)
