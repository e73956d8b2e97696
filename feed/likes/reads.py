"""The people who like a post, how many they are (patterns 5 and 6 of the published design), and where its likes are:
in one partition, or spread over several (docs/adr/0002-hot-posts.md).

A partition takes 1,000 write units a second, which are 500 likes. Likes of posts by widely followed people are spread
from the start, those of any other post once they come too fast (`spread_likes` in `stream.py`). Shards are only ever
added. A like stays where it was written, so there are only a few places to look for a person's like.
"""

from accounts.people.cards import PersonCard
from accounts.people.viewer import VISITOR, Viewer
from feed.likes.models import Like, like_shard
from feed.posts.models import LikeCount
from relations.reads import list_people
from socialsite.table import Page, Source, access_pattern, keys, query_merged, reading, row

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


@access_pattern
def list_likers(
    post_id: str, *, shards: int = 0, viewer: Viewer = VISITOR, cursor: str | None = None
) -> Page[PersonCard]:
    """Pattern 5, getUserLikesByPostID: returns the people who like a post, oldest account first.

    Query `PK = p#<id>#likelist`, and of each of its shards, merged; then one BatchGetItem of their infos and the
    viewer's follow edges. 0.5 + 30 read units; 8.5 or 32.5 + 30 where likes are spread over 16 or 64 shards.
    """
    sources = [Source(partition) for partition in like_partitions(post_id, shards)]
    scope = keys.likes(post_id)
    page = query_merged(sources, scope=scope, cursor=cursor, newest_first=False)
    ids = [row(Like, raw).user_id for raw in page.items]
    return page.with_items(list_people(ids, viewer=viewer))


@access_pattern
def get_like_count(post_id: str) -> int:
    """Pattern 6, getLikeCountByPostID: returns how many people like a post. GetItem `p#<id>#likecount`, 0.5 read units.
    Raises `NotFound`.

    Pages read this item with the post, in one BatchGetItem.
    """
    return int(reading.get(LikeCount, keys.like_count(post_id)).likes)
