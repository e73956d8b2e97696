"""Publishing a post: into the author's partition and own timeline at once; to followers through the stream."""

import hashlib
from datetime import datetime, timedelta

from django.conf import settings

from accounts.models import UserCount
from accounts.viewer import Viewer
from feed.like_shards import SHARDS
from feed.models import Audience, LikeCount, Post, Submission, TimelineEntry
from socialsite.table import ids, keys
from socialsite.table.actions import Change, Create
from socialsite.table.errors import AlreadyExists, NotFound
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.reading import get
from socialsite.table.writing import transact

SUBMISSION_DAYS = 1  # how long a form that is sent again finds its first post


class AlreadySubmitted(AlreadyExists):
    """This form was sent before."""


class SubmittedAndDeleted(AlreadyExists):
    """This form was sent before, and its post deleted since."""


@access_pattern
def publish_post(
    *,
    by: Viewer,
    content: str,
    nonce: str,
    audience: str = Audience.EVERYONE,
    circle: str = "",
) -> str:
    """Publishes a post and returns its id; the same form (`nonce`) with the same text again returns the first.

    `audience` says whom it is for; `circle` is the name of one of the author's circles, if it is for that.

    Raises `SubmittedAndDeleted`.

    One TransactWriteItems puts Post, LikeCount (0), own TimelineEntry and Submission and adds to the post count,
    10 write units. Later the stream worker fans the post out to those whom it is for.
    """
    post_id = ids.new_id()
    created = ids.time_of(post_id)
    once = once_for(nonce, content)
    try:
        transact(
            Create(
                Submission.new(
                    user_id=by.user_id,
                    nonce=once,
                    post_id=post_id,
                    ttl=created + timedelta(days=SUBMISSION_DAYS),
                ),
                otherwise=AlreadySubmitted,
                over_expired=True,
            ),
            Create(
                Post.new(
                    post_id=post_id,
                    author_id=by.user_id,
                    content=content,
                    like_shards=SHARDS if by.is_widely_followed else None,
                    audience=audience,
                    circle=circle,
                )
            ),
            Create(LikeCount.new(post_id=post_id)),
            Create(
                TimelineEntry.new(
                    user_id=by.user_id,
                    post_id=post_id,
                    author_id=by.user_id,
                    ttl=timeline_end(created),
                )
            ),
            Change(UserCount, keys.user_count(by.user_id), [UserCount.posts.add(1)]),
        )
    except AlreadySubmitted:
        key = keys.submission(by.user_id, once)
        return _submitted_post(by, key)
    return post_id


def _submitted_post(by: Viewer, key: Key) -> str:
    post_id = get(Submission, key, consistent=True).post_id
    try:
        get(Post, keys.post(by.user_id, post_id), consistent=True)
    except NotFound as error:
        raise SubmittedAndDeleted(post_id) from error
    return post_id


def once_for(nonce: str, content: str) -> str:
    """What may be submitted once: the form with this text. Other words typed into an old form are another post."""
    return hashlib.sha256(f"{nonce} {content}".encode()).hexdigest()[:32]


def timeline_end(created: datetime) -> datetime:
    """Until when a post stays in timelines."""
    return created + timedelta(days=settings.TIMELINE_DAYS)
