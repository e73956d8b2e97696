"""How long a post stays, if not for good. Its end is its `ttl`: from that second on every read drops it, and DynamoDB
deletes it some time later."""

from datetime import datetime, timedelta

from pynamodb.expressions.condition import Condition

from feed.models import Post
from socialsite.clock import utc_now
from socialsite.table import ids

LASTS = {"1h": timedelta(hours=1), "1d": timedelta(days=1), "1w": timedelta(weeks=1)}


def end_of(post_id: str, expires_in: str) -> datetime | None:
    """Returns the end of a new post, None if it stays. `expires_in` is one of `LASTS`, or empty."""
    if not expires_in:
        return None
    return (ids.time_of(post_id) + LASTS[expires_in]).replace(microsecond=0)


def earlier(end: datetime, end_of_post: datetime | None) -> datetime:
    """Returns until when a pointer stays that would stay until `end`: no longer than its post."""
    return min(end, end_of_post) if end_of_post else end


def is_there() -> Condition:
    """The condition that a post is there, and its end has not come."""
    return Post.pk.exists() & (Post.ttl.does_not_exist() | (Post.ttl > utc_now()))


def is_gone() -> Condition:
    """The condition that a post is gone for its readers, even where DynamoDB has yet to delete it."""
    return Post.pk.does_not_exist() | (Post.ttl <= utc_now())
