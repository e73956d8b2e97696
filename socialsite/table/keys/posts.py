"""Keys of posts, of the lists that point at them, of likes and votes."""

import zlib
from datetime import date

from socialsite.table.keys.key import Key


def posts(user_id: str) -> str:
    return f"u#{user_id}#post"


def post(user_id: str, post_id: str) -> Key:
    return Key(posts(user_id), f"p#{post_id}")


def posts_until(post_id: str) -> tuple[str, str]:
    """Returns the bounds of the sort keys of a person's posts and reposts up to this one."""
    return "p#", f"p#{post_id}"


def media(user_id: str) -> str:
    """Returns the partition of the pointers to a person's posts with photos."""
    return f"u#{user_id}#media"


def media_entry(user_id: str, post_id: str) -> Key:
    return Key(media(user_id), f"p#{post_id}")


def old_posts_wish(user_id: str) -> Key:
    return Key(f"u#{user_id}#wish", "old-posts")


def history(post_id: str) -> str:
    """Returns the partition of the texts that a post had before its edits."""
    return f"p#{post_id}#history"


def post_version(post_id: str, version: int) -> Key:
    return Key(history(post_id), f"v#{version:04}")


def submission(user_id: str, nonce: str) -> Key:
    return Key(f"u#{user_id}#submission", f"n#{nonce}")


def timeline(user_id: str) -> str:
    return f"u#{user_id}#timeline"


def recent_posts(user_id: str) -> Key:
    """Returns the key of the list of a widely followed author's newest posts."""
    return Key(f"u#{user_id}#recent", "list")


def pointer(post_id: str, author_id: str) -> str:
    """Returns the sort key of a pointer to a post, in lists of posts by several authors."""
    return f"p#{post_id}#u#{author_id}"


def post_of_pointer(pointer: str) -> str:
    """Returns the sort key of the post behind a pointer: the pointer's first part."""
    return "#".join(pointer.split("#")[:2])


def timeline_entry(user_id: str, post_id: str, author_id: str) -> Key:
    return Key(timeline(user_id), pointer(post_id, author_id))


def public_day(day: date, shard: int) -> str:
    return f"public#{day.isoformat()}#{shard}"


def public_entry(day: date, shard: int, post_id: str, author_id: str) -> Key:
    return Key(public_day(day, shard), pointer(post_id, author_id))


def likes(post_id: str, shard: int | None = None) -> str:
    """Returns the partition of a post's likes, or of one shard of them if they are spread."""
    return f"p#{post_id}#likelist" if shard is None else f"p#{post_id}#likelist#{shard}"


def like(post_id: str, liker_id: str, shard: int | None = None) -> Key:
    return Key(likes(post_id, shard), f"u#{liker_id}")


VOTE_SHARDS = 16


def votes(post_id: str, shard: int) -> str:
    """Returns the partition of one shard of the votes in a poll."""
    return f"p#{post_id}#vote#{shard}"


def vote(post_id: str, voter_id: str) -> Key:
    """Returns the key of a person's vote: they have one in each poll."""
    shard = zlib.crc32(voter_id.encode()) % VOTE_SHARDS
    return Key(votes(post_id, shard), f"u#{voter_id}")


def like_count(post_id: str) -> Key:
    return Key(f"p#{post_id}#likecount", "count")


def reposters(post_id: str) -> str:
    return f"p#{post_id}#repostlist"


def reposter(post_id: str, user_id: str) -> Key:
    return Key(reposters(post_id), f"u#{user_id}")


def quotes(post_id: str) -> str:
    return f"p#{post_id}#quotelist"


def quote(post_id: str, quoting_id: str) -> Key:
    return Key(quotes(post_id), f"p#{quoting_id}")


def quote_refusal(author_id: str, post_id: str, user_id: str) -> Key:
    """Returns the key that says that a person may not quote an author's post again."""
    return Key(traces(author_id), f"refused#p#{post_id}#u#{user_id}")


def traces(user_id: str) -> str:
    return f"u#{user_id}#trace"


def like_trace_bounds() -> tuple[str, str]:
    """Returns the bounds of the sort keys of a person's likes, among the traces of what they did."""
    return "like#p#", "like#p#\U0010ffff"


def like_trace(user_id: str, post_id: str) -> Key:
    return Key(traces(user_id), f"like#p#{post_id}")
