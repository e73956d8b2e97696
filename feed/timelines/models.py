"""Lists of posts: the newest of a widely followed author, the public list of a day, and a person's posts with photos.
Shape and keys only. Entries of timelines are in `feed/posts/models.py`, because every pointer is of their shape."""

from datetime import date, datetime
from typing import Self

from pynamodb.attributes import NumberAttribute, UnicodeAttribute, UnicodeSetAttribute

from socialsite.table import Item, keys


class PublicEntry(Item, discriminator="PublicEntry"):
    """A pointer to a post in the local timeline of one day, spread over shards."""

    family = "timelines"
    page = "/@{author_id}/posts/{post_id}"

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, day: date, shard: int, post_id: str, author_id: str, ttl: datetime) -> Self:
        key = keys.public_entry(day, shard, post_id, author_id)
        return cls(*key, post_id=post_id, author_id=author_id, ttl=ttl)


class RecentPosts(Item, discriminator="RecentPosts"):
    """The newest posts of a widely followed author (`feed/timelines/big_authors.py`). Each of the `posts`, at most 20,
    is one text: the pointer, its end, and the moment at which it came into the list. `changed` is the moment of the
    last change, in milliseconds, and rises with each. The list lacks none that came after `since`."""

    family = "timelines"
    page = "/@{user_id}"

    user_id = UnicodeAttribute()
    posts = UnicodeSetAttribute(null=True)
    changed = NumberAttribute()
    since = NumberAttribute(default=0)

    @classmethod
    def new(cls, *, user_id: str, posts: set[str], changed: int, since: int) -> Self:
        key = keys.recent_posts(user_id)
        return cls(*key, user_id=user_id, posts=posts or None, changed=changed, since=since)


class MediaEntry(Item, discriminator="MediaEntry"):
    """A pointer to a post with photos, among those of its author."""

    page = "/@{author_id}/media"

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, post_id: str, author_id: str, ttl: datetime | None = None) -> Self:
        key = keys.media_entry(author_id, post_id)
        return cls(*key, post_id=post_id, author_id=author_id, ttl=ttl)
