"""Notifies people of new posts of their favourites, if they asked for it (`relations/services/subscribe.py`).

However many they are, a job goes through them, 48 a step. What a step changes in bells and notifications is written in
the transaction that moves the job's cursor, so that nobody is notified twice, whatever dies in between.
"""

from collections.abc import Sequence
from datetime import timedelta
from itertools import islice

from feed.expiring.moments import is_gone, is_there
from feed.models import Audience, Post
from feed.pointers import Pointer, pointer_of
from notifications.kinds import Kind, day_of_author
from notifications.plan import Notifications
from relations.models import PostSubscriber
from socialsite.clock import utc_now
from socialsite.models import Job, JobKind
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.jobs import Step, job_step
from socialsite.streams.ledger import Ledger, PlanMoved
from socialsite.table import ids, keys, reading
from socialsite.table.actions import Check, WriteAction
from socialsite.table.item import Item
from socialsite.table.reading import RawItem, fetch, query
from socialsite.table.row import row

PEOPLE_A_STEP = 48  # of 100 actions: bell and notification of each, the cursor, the post, and the proof of the lease
NEW_FOR = timedelta(days=7)  # what an older post shows to more people is not new


@on(Post, "INSERT", "MODIFY", "REMOVE")
def notify_of_post(change: Change, ledger: Ledger) -> None:
    """Enters a job once a post is there for others, is there for different people, or is gone. Replies are left out.

    One consistent Query of 1 read unit. Safe to run twice: the job is named after the record, and the ledger enters it
    once.
    """
    post = change.item
    assert isinstance(post, Post)
    if post.root_id or _audience_of(change.old) == _audience_of(change.new):
        return
    if ids.time_of(post.post_id) < utc_now() - NEW_FOR:
        return
    subscribers = keys.post_subscribers(post.author_id)
    if next(query(subscribers, consistent=True, limit=1), None) is None:
        return
    ledger.create(
        Job.new(
            kind=JobKind.NOTIFY_OF_POST,
            job_id=f"{post.post_id}-{change.sequence}",
            subject_id=post.post_id,
            author_id=post.author_id,
        )
    )


@job_step(JobKind.NOTIFY_OF_POST)
def notify_of_post_step(job: Job) -> Step:
    """Brings the next 48 people's notifications in line with the post as it is now: notifies those who may see it, and
    takes it back from the others. A Query, and 7 or 8 read units and at most 4 write units for each."""
    author_id = str(job.author_id)
    partition = keys.post_subscribers(author_id)
    after = keys.Key(partition, job.cursor) if job.cursor else None
    rows = query(partition, after=after, consistent=True, limit=PEOPLE_A_STEP)
    some = list(islice(rows, PEOPLE_A_STEP))
    people = [row(PostSubscriber, raw).subscriber_id for raw in some]
    more = len(some) == PEOPLE_A_STEP
    cursor = reading.key_of(some[-1]).sk if more else None
    return Step(len(some), cursor, _writes(Pointer(job.subject_id, author_id), people))


def _writes(pointer: Pointer, people: Sequence[str]) -> Sequence[WriteAction]:
    key = keys.post(pointer.author_id, pointer.post_id)
    post = fetch([key], consistent=True).get(key)
    notifications = Notifications()
    for user_id in people:
        notifications.add(
            user_id,
            Kind.POSTED,
            actor=pointer.post_id,
            cause=key,
            subject_id=day_of_author(pointer.author_id, ids.time_of(pointer.post_id)),
            pointer=pointer_of(post) if post else pointer,
        )
    return [unchanged(post, key), *notifications.actions()]


def unchanged(post: RawItem | None, key: keys.Key) -> Check:
    """Otherwise a job of the post's end could pass this one, and leave behind what it writes."""
    if post is None:
        return Check(key, condition=is_gone(), otherwise=PlanMoved)
    condition = is_there()
    for attribute in (Post.withheld, Post.audience, Post.circle):
        value = getattr(row(Post, post), str(attribute.attr_name))
        condition &= attribute == value if value else attribute.does_not_exist()
    return Check(key, condition=condition, otherwise=PlanMoved)


def _audience_of(post: Item | None) -> tuple[str, str] | None:
    """Returns whom a post is for; None for nobody else."""
    if not isinstance(post, Post) or post.withheld or post.audience == Audience.ONLY_ME:
        return None
    return post.audience or "", post.circle or ""
