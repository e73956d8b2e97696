"""What people say: posts, likes and timelines.

visibility.py          who may see a post: `can_view`, on every read
access_patterns.py     patterns 4 to 7 of the published design
local_timeline.py      public posts by day and shard (`PublicEntry`)
like_shards.py         where the likes of a hot post are
"""
