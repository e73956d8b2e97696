"""Where the likes of a post are: in one partition, or spread over several (docs/adr/0002-hot-posts.md).

A partition takes 1,000 write units a second, which are 500 likes. Likes of posts by widely followed people are spread
from the start, those of any other post once they come too fast (`stream_handlers/spread_likes.py`). Shards are only
ever added. A like stays where it was written, so there are only a few places to look for a person's like.
"""

from feed.models import like_shard
from socialsite.table import keys

SHARDS = 16  # for posts by widely followed people, and for posts that became hot
MOST_SHARDS = 64  # once even a shard is hot
LEVELS = (0, SHARDS, MOST_SHARDS)


def like_partitions(post_id: str, shards: int) -> list[str]:
    """Returns every partition that can hold likes of a post with this many shards."""
    unspread = keys.likes(post_id)
    return [unspread, *(keys.likes(post_id, shard) for shard in range(shards))]


def like_places(user_id: str, shards: int) -> list[int | None]:
    """Returns the shards that can hold a person's like: the present one first, then those of the other levels, because
    shards may have been added since the like or since `shards` was read."""
    return list(dict.fromkeys(like_shard(user_id, one) for one in (shards, *LEVELS)))


def wider(partition: str, post_id: str) -> int:
    """Returns the number of shards to use when likes come too fast into one partition."""
    return SHARDS if partition == keys.likes(post_id) else MOST_SHARDS
