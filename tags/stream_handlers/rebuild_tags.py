"""Brings the posts of followed tags, by a job, to someone who comes back after a long time. The posts of people are
brought by `feed/stream_handlers/rebuild_timeline.py`.

After stream records were lost, the same job is entered for everyone who uses the site (`operations/reconcile.py`).
"""

from datetime import date, timedelta
from itertools import islice

from django.conf import settings

from accounts.models import UserSettings
from relations.models import FollowedTag
from socialsite.models import Job, JobKind
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.jobs import Step, job_step
from socialsite.streams.ledger import Ledger
from socialsite.table import keys, reading
from socialsite.table.reading import query
from socialsite.table.row import row
from socialsite.table.writing import write_batch
from tags.stream_handlers.follow_tag_timeline import newest_tagged

TAGS_A_STEP = 10


@on(UserSettings, "MODIFY")
def begin_rebuild_of_tags(change: Change, ledger: Ledger) -> None:
    """Enters the job when someone comes back after more than a month, once for each return."""
    old, new = change.old, change.new
    assert isinstance(old, UserSettings)
    assert isinstance(new, UserSettings)
    away = date.fromisoformat(new.seen) - date.fromisoformat(old.seen)
    if away >= timedelta(days=settings.ABSENT_AFTER_DAYS):
        job_id = f"{new.user_id}-{new.seen}"
        ledger.create(Job.new(kind=JobKind.REBUILD_TAGS, job_id=job_id, subject_id=new.user_id))


@job_step(JobKind.REBUILD_TAGS)
def rebuild_tags_step(job: Job) -> Step:
    """Adds the newest posts of the next ten followed tags. A Query of the tags, and for each what `newest_tagged`
    reads, and BatchWriteItems of entries."""
    partition = keys.followed_tags(job.subject_id)
    after = keys.Key(partition, job.cursor) if job.cursor else None
    followed = query(partition, after=after, consistent=True, limit=TAGS_A_STEP)
    chunk = list(islice(followed, TAGS_A_STEP))
    for raw in chunk:
        write_batch(puts=newest_tagged(job.subject_id, row(FollowedTag, raw).tag))
    more = len(chunk) == TAGS_A_STEP
    return Step(len(chunk), reading.key_of(chunk[-1]).sk if more else None)
