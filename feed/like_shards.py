"""Where a post's likes are: in one partition, or spread over several.

A partition takes 1,000 writes a second. Likes of posts by widely followed people are spread by a suffix calculated
from the liker, so that one person's like still has one key; the page of likers merges the shards.
"""

from socialsite.table import keys

SHARDS = 16  # of posts by people whom more than `PULL_ABOVE` follow


def like_partitions(post_id: str, shards: int) -> list[str]:
    if not shards:
        return [keys.likes(post_id)]
    return [keys.likes(post_id, shard) for shard in range(shards)]
