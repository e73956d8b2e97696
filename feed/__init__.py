"""What people say: posts, replies, likes and timelines.

visibility.py          who may see a post: `can_view`, on every read
pointers.py            where a post is
post_tags.py           under which tags a post stands
visible_posts.py       pointers, or posts already read, as cards of those that the viewer may see
access_patterns.py     patterns 4 to 7 of the published design
threads/               replies: their places, who may answer, the page of a conversation
local_timeline.py      public posts by day and shard (`PublicEntry`)
like_shards.py         where the likes of a hot post are
shelf/                 saved posts, their folders and search
"""
