"""The posts that a person published for everyone, before they limit all of them at once."""

from dataclasses import dataclass
from itertools import islice

from accounts.viewer import Viewer
from feed.models import Post, Repost
from socialsite.models import Job, JobKind
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch, query
from socialsite.table.row import row

LOOKED_AT = 1000  # posts, replies and reposts that are looked at to say how many there are


@dataclass(frozen=True, slots=True)
class PastPosts:
    """How many posts are for everyone, and whether older ones were not looked at."""

    count: int
    there_are_more: bool


@dataclass(frozen=True, slots=True)
class Limiting:
    """How far the stream worker has got."""

    audience: str
    done: int


def is_for_everyone(raw: RawItem) -> bool:
    """Whether one of the items in `u#<id>#post` is a post that its author can limit: no repost, no reply, which is for
    those whom its thread is for, and nothing that a moderator reviews or hid."""
    post = row(Post, raw)
    if raw.get("type", {}).get("S") == Repost.__name__:
        return False
    return not (post.root_id or post.audience or post.withheld)


@access_pattern
def count_past_posts(viewer: Viewer) -> PastPosts:
    """Returns how many of the viewer's newest 1,000 posts, replies and reposts are posts for everyone.

    Query `PK = u#<id>#post`, and one more for each full MB: 0.5 read units per 4 KB, at most 500.
    """
    rows = query(keys.posts(viewer.user_id), forward=False, limit=LOOKED_AT + 1)
    looked_at = list(islice(rows, LOOKED_AT + 1))
    count = sum(is_for_everyone(raw) for raw in looked_at[:LOOKED_AT])
    return PastPosts(count, len(looked_at) > LOOKED_AT)


@access_pattern
def get_limiting(viewer: Viewer) -> Limiting | None:
    """Returns how far the stream worker has got in limiting the viewer's posts, None if nothing is under way: a
    consistent BatchGetItem, 1 read unit."""
    key = keys.job(JobKind.LIMIT_POSTS, viewer.user_id)
    found = fetch([key], consistent=True).get(key)
    if found is None:
        return None
    job = row(Job, found)
    return Limiting(job.audience or "", int(job.done))
