"""A run of the worker that deletes posts: its job, and what is noted of it in the person's wish."""

from collections.abc import Sequence

from pynamodb.expressions.update import Action

from privacy.models import OldPostsWish
from privacy.old_posts.choice import Choice
from socialsite.clock import utc_now_iso
from socialsite.models import Job, JobKind
from socialsite.table import keys
from socialsite.table.actions import Create
from socialsite.table.errors import AlreadyExists
from socialsite.table.keys import Key


class AlreadyDeleting(AlreadyExists):
    """The worker is already deleting posts of this person."""


def job_key(user_id: str) -> Key:
    """Returns the key of the person's run: there is one at a time."""
    return keys.job(JobKind.DELETE_POSTS, user_id)


def new_run(user_id: str, *, choice: Choice, until: str, count: int = 0) -> Create:
    """Returns what starts a run over the person's posts up to the id `until`. `count` is how many were found, for the
    operators."""
    job = Job.new(
        kind=JobKind.DELETE_POSTS,
        job_id=user_id,
        subject_id=user_id,
        chosen=choice.names,
        until=until,
        cursor=keys.post(user_id, "").sk,
        total=count,
    )
    return Create(job, otherwise=AlreadyDeleting)


def begun_now() -> Sequence[Action]:
    """Returns what is noted in the wish when a run starts."""
    return [OldPostsWish.ran_at.set(utc_now_iso()), OldPostsWish.deleted.set(0)]
