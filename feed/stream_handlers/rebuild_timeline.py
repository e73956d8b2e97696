"""Somebody comes back after a long time: their timeline, not fanned out to meanwhile, is built anew by a job."""

from datetime import date, timedelta
from itertools import islice

from django.conf import settings

from accounts.models import Following, UserSettings
from feed.stream_handlers.follow_timeline import newest_entries
from socialsite.models import Job, JobKind
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.jobs import Step, job_step
from socialsite.streams.ledger import Ledger
from socialsite.table import keys, reading
from socialsite.table.reading import query
from socialsite.table.writing import write_batch

PEOPLE_A_STEP = 10


@on(UserSettings, "MODIFY")
def begin_rebuild(change: Change, ledger: Ledger) -> None:
    """The last day somebody was here moved by more than a month: enters the job, once for each return."""
    old, new = change.old, change.new
    assert isinstance(old, UserSettings)
    assert isinstance(new, UserSettings)
    away = date.fromisoformat(new.seen) - date.fromisoformat(old.seen)
    if away >= timedelta(days=settings.ABSENT_AFTER_DAYS):
        job_id = f"{new.user_id}-{new.seen}"
        ledger.create(Job.new(kind=JobKind.REBUILD, job_id=job_id, subject_id=new.user_id))


@job_step(JobKind.REBUILD)
def rebuild_step(job: Job) -> Step:
    """The newest posts of the next people they follow: a Query for each, BatchWriteItems of entries."""
    partition = keys.followings(job.subject_id)
    after = keys.Key(partition, job.cursor) if job.cursor else None
    edges = query(partition, after=after, consistent=True, limit=PEOPLE_A_STEP)
    chunk = list(islice(edges, PEOPLE_A_STEP))
    for raw in chunk:
        followed_id = reading.text(raw, Following.followed_id)
        write_batch(puts=newest_entries(job.subject_id, followed_id))
    more = len(chunk) == PEOPLE_A_STEP
    return Step(len(chunk), reading.key_of(chunk[-1]).sk if more else None)
