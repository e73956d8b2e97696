"""Where a post's likes are: in one partition, or spread over several (docs/adr/0002-hot-posts.md).

A partition takes 1,000 write units a second, which are 500 likes. Likes of posts by widely followed people are spread
from the start, those of any other post once they come too fast (`stream_handlers/spread_likes.py`). Shards are only
ever added: a like stays where it was written, so a person has a few places where their like may be, all known.
"""

from feed.models import like_shard
from socialsite.table import keys

SHARDS = 16  # of posts by people whom more than `PULL_ABOVE` follow, and of those that became hot
MOST_SHARDS = 64  # once even a shard is hot
LEVELS = (0, SHARDS, MOST_SHARDS)


def like_partitions(post_id: str, shards: int) -> list[str]:
    """Returns every partition in which likes of a post with so many shards can be."""
    unspread = keys.likes(post_id)
    return [unspread, *(keys.likes(post_id, shard) for shard in range(shards))]


def like_places(user_id: str, shards: int) -> list[int | None]:
    """Returns the shards in which a person's like can be: the present one first, then those of the other levels, as
    shards may have been added before the like or since `shards` was read."""
    return list(dict.fromkeys(like_shard(user_id, one) for one in (shards, *LEVELS)))


def wider(partition: str, post_id: str) -> int:
    """Returns over how many shards to spread a post's likes when they come too fast into a partition."""
    return SHARDS if partition == keys.likes(post_id) else MOST_SHARDS
