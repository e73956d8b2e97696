"""Settles the photos of replies to a person who locks or opens their older posts: a reply is for those whom its thread
is for."""

from itertools import islice

from accounts.models import UserInfo
from feed.models import Post, Reply
from feed.photos.showing import settle_photos
from socialsite.models import Job, JobKind
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.jobs import Step, job_step
from socialsite.streams.ledger import Ledger
from socialsite.table import keys
from socialsite.table.reading import key_of, query
from socialsite.table.row import row

POSTS_A_STEP = 20


@on(UserInfo, "MODIFY")
def settle_threads_of_person(change: Change, ledger: Ledger) -> None:
    """Enters a job when the moment changes up to which someone's posts are locked. Safe to run twice: the job has the
    name of the record."""
    old, new = change.old, change.new
    assert isinstance(old, UserInfo)
    assert isinstance(new, UserInfo)
    if old.archived_before != new.archived_before:
        job_id = f"{new.user_id}-{change.sequence}"
        ledger.create(Job.new(kind=JobKind.SETTLE_THREADS, job_id=job_id, subject_id=new.user_id))


@job_step(JobKind.SETTLE_THREADS)
def settle_threads_step(job: Job) -> Step:
    """Settles the replies with photos in the threads of the next 20 posts, the newest first: one Query of the posts,
    one of each thread, and what `settle_photos` takes for each of these replies. Safe to run twice: it reads all as it
    is now."""
    partition = keys.posts(job.subject_id)
    after = keys.Key(partition, job.cursor) if job.cursor else None
    rows = query(partition, after=after, forward=False, consistent=True, limit=POSTS_A_STEP)
    posts = list(islice(rows, POSTS_A_STEP))
    for raw in posts:
        if raw["type"]["S"] == Post.__name__ and not row(Post, raw).root_id:
            _settle(row(Post, raw).post_id)
    more = len(posts) == POSTS_A_STEP
    return Step(len(posts), key_of(posts[-1]).sk if more else None)


def _settle(root_id: str) -> None:
    for raw in query(keys.thread(root_id), between=keys.branch_bounds(""), consistent=True):
        if "photos" in raw:
            settle_photos(row(Reply, raw).author_id, row(Reply, raw).post_id)
