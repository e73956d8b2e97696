"""The end of a poll: planned in the transaction that publishes it, and done by the clock
(`notifications/stream_handlers/notify_of_poll.py`)."""

from feed.models import LikeCount, Post
from feed.polls.counting import NAMES, count_votes
from socialsite.due.planning import plan
from socialsite.table import keys
from socialsite.table.actions import Create
from socialsite.table.errors import NotFound
from socialsite.table.keys import Key
from socialsite.table.reading import get

CLOSE_POLL = "close-poll"


def close_later(post: Post) -> list[Create]:
    """Returns what plans the end of a post's poll, nothing for other posts. 2 write units."""
    if not post.poll:
        return []
    facts = {"author_id": post.author_id}
    return [plan(CLOSE_POLL, moment=post.poll.ends_at, subject=post.post_id, **facts)]


def key_of_end(post: Post) -> Key:
    """Returns the key of the planned end of a post's poll."""
    return keys.due(post.poll.ends_at, CLOSE_POLL, post.post_id)


def is_settled(post_id: str) -> bool:
    """Whether the stream worker has counted every vote. A consistent Query of each of the 16 shards, 1 read unit for 4
    KB, and a consistent GetItem of the counts. A post that is gone is settled."""
    votes = count_votes(post_id)
    try:
        count = get(LikeCount, keys.like_count(post_id), consistent=True)
    except NotFound:
        return True
    return all(int(getattr(count, name) or 0) == votes[name] for name in NAMES)
