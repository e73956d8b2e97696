"""Limiting all of a person's past posts at once. The stream worker carries it out
(`feed/stream_handlers/limit_past_posts.py`)."""

from accounts.viewer import Viewer
from socialsite.models import Job, JobKind
from socialsite.table import ids, keys
from socialsite.table.errors import AlreadyExists
from socialsite.table.meter import access_pattern
from socialsite.table.writing import create


class AlreadyLimiting(AlreadyExists):
    """The worker is at it, for this audience or another one."""


@access_pattern
def limit_past_posts(*, by: Viewer, audience: str, count: int) -> None:
    """Asks the stream worker to show the signed-in person's posts from before now, as far as they are for everyone, to
    `audience` alone: followers or friends. `count` is how many were found, for the operators. Replies and what a
    moderator reviews or hid stay as they are.

    One PutItem of a Job, 1 write unit, one at a time for each person. Raises `AlreadyLimiting`, `Frozen`.
    """
    by.must_have_voice()
    job = Job.new(
        kind=JobKind.LIMIT_POSTS,
        job_id=by.user_id,
        subject_id=by.user_id,
        audience=audience,
        cursor=keys.post(by.user_id, ids.new_id()).sk,  # newer posts are not concerned
        total=count,
    )
    create(job, otherwise=AlreadyLimiting)
