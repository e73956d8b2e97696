"""Takes photos back from everyone when their post is closed, and shows them when it is opened."""

from contextlib import suppress
from datetime import datetime
from itertools import islice

from accounts.models import UserInfo
from accounts.restrictions import FOR_EVER, end_of
from feed.models import MediaEntry, Post
from feed.photos.showing import settle_photos
from socialsite.due.planning import done, plan
from socialsite.due.work import due_work
from socialsite.models import Due, Job, JobKind
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.jobs import Step, job_step
from socialsite.streams.ledger import Ledger
from socialsite.table import ids, keys
from socialsite.table.actions import Create
from socialsite.table.errors import AlreadyExists
from socialsite.table.reading import key_of, query
from socialsite.table.row import row
from socialsite.table.writing import transact

POSTS_A_STEP = 10
AGAIN = "settle-photos"  # the due work when a suspension ends


@on(Post, "INSERT")
def settle_photos_of_reply(change: Change, ledger: Ledger) -> None:
    """Shows the photos of a new reply to everyone, if its thread is for everyone. Safe to run twice: all is read as it
    is now."""
    post = change.item
    assert isinstance(post, Post)
    if post.photos and post.root_id and not post.photos[0].public_secret:
        settle_photos(post.author_id, post.post_id)
        ledger.note_effect()


@on(Post, "MODIFY")
def settle_photos_of_post(change: Change, ledger: Ledger) -> None:
    """Follows another audience, and what moderators decide. Safe to run twice: the post is read as it is now."""
    old, post = change.old, change.new
    assert isinstance(old, Post)
    assert isinstance(post, Post)
    if post.photos and (old.audience, old.withheld) != (post.audience, post.withheld):
        settle_photos(post.author_id, post.post_id)
        ledger.note_effect()


@on(UserInfo, "MODIFY")
def settle_photos_of_person(change: Change, ledger: Ledger) -> None:
    """Enters a job when someone locks or opens their older posts, or when nobody else can see them any more, or again.
    Safe to run twice: the job has the id of the change."""
    old, new = change.old, change.new
    assert isinstance(old, UserInfo)
    assert isinstance(new, UserInfo)
    if _shown_of(old) == _shown_of(new) or not _has_media(new.user_id):
        return
    job_id = f"{new.user_id}-{change.sequence}"
    ledger.create(Job.new(kind=JobKind.SETTLE_PHOTOS, job_id=job_id, subject_id=new.user_id))
    if (until := end_of(new.suspended_until or "")) and until != FOR_EVER:
        moment = datetime.fromisoformat(until)
        with suppress(AlreadyExists):
            transact(plan(AGAIN, moment=moment, subject=new.user_id))


@due_work(AGAIN)
def settle_photos_later(due: Due) -> None:
    """Enters the job when a suspension ends. Safe to run twice: it ends the due item in the same transaction."""
    job_id = f"{due.subject}-{ids.new_id()}"
    transact(
        Create(Job.new(kind=JobKind.SETTLE_PHOTOS, job_id=job_id, subject_id=due.subject)),
        done(due),
    )


@job_step(JobKind.SETTLE_PHOTOS)
def settle_step(job: Job) -> Step:
    """Settles the next posts with photos, the newest first: one Query, and what `settle_photos` takes for each."""
    partition = keys.media(job.subject_id)
    after = keys.Key(partition, job.cursor) if job.cursor else None
    rows = query(partition, after=after, forward=False, consistent=True, limit=POSTS_A_STEP)
    entries = list(islice(rows, POSTS_A_STEP))
    for raw in entries:
        settle_photos(job.subject_id, row(MediaEntry, raw).post_id)
    more = len(entries) == POSTS_A_STEP
    return Step(len(entries), key_of(entries[-1]).sk if more else None)


def _shown_of(info: UserInfo) -> tuple[object, ...]:
    """Returns what decides who sees all posts of a person."""
    return (
        info.archived_before,
        info.suspended_until,
        bool(info.waiting),
        bool(info.paused),
        bool(info.closing),
    )


def _has_media(user_id: str) -> bool:
    return any(True for _ in query(keys.media(user_id), limit=1, consistent=True))
