"""What points at posts: timelines, the newest of an author, the public list of a day, and forms that were sent. Shape
and keys only."""

from datetime import date, datetime
from typing import Self

from pynamodb.attributes import NumberAttribute, UnicodeAttribute, UnicodeSetAttribute

from socialsite.table import keys
from socialsite.table.item import Item


class Submission(Item, discriminator="Submission"):
    """A form that was sent. If the same form is sent again, it finds the post that the first one made."""

    user_id = UnicodeAttribute()
    post_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, user_id: str, nonce: str, post_id: str, ttl: datetime) -> Self:
        key = keys.submission(user_id, nonce)
        return cls(*key, user_id=user_id, post_id=post_id, ttl=ttl)


class TimelineEntry(Item, discriminator="TimelineEntry"):
    """A pointer to a post in someone's home timeline. That of a reply names the root and the person answered too, so
    that home reads them together with the reply. That of a repost names the post that it shows, that of a quote the
    quoted one. `tag` is the followed tag that brought the post of someone whom the reader does not follow."""

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    root_id = UnicodeAttribute(null=True)
    root_author_id = UnicodeAttribute(null=True)
    reply_to_author_id = UnicodeAttribute(null=True)
    repost_of = UnicodeAttribute(null=True)
    repost_of_author_id = UnicodeAttribute(null=True)
    quote_of = UnicodeAttribute(null=True)
    quote_of_author_id = UnicodeAttribute(null=True)
    tag = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        user_id: str,
        post_id: str,
        author_id: str,
        ttl: datetime,
        root_id: str = "",
        root_author_id: str = "",
        reply_to_author_id: str = "",
        repost_of: str = "",
        repost_of_author_id: str = "",
        quote_of: str = "",
        quote_of_author_id: str = "",
        tag: str = "",
    ) -> Self:
        key = keys.timeline_entry(user_id, post_id, author_id)
        return cls(
            *key,
            post_id=post_id,
            author_id=author_id,
            ttl=ttl,
            root_id=root_id or None,
            root_author_id=root_author_id or None,
            reply_to_author_id=reply_to_author_id or None,
            repost_of=repost_of or None,
            repost_of_author_id=repost_of_author_id or None,
            quote_of=quote_of or None,
            quote_of_author_id=quote_of_author_id or None,
            tag=tag or None,
        )


class PublicEntry(Item, discriminator="PublicEntry"):
    """A pointer to a post in the local timeline of one day, spread over shards."""

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, day: date, shard: int, post_id: str, author_id: str, ttl: datetime) -> Self:
        key = keys.public_entry(day, shard, post_id, author_id)
        return cls(*key, post_id=post_id, author_id=author_id, ttl=ttl)


class RecentPosts(Item, discriminator="RecentPosts"):
    """The newest posts of a widely followed author (`feed/pulled/recent.py`). Each of the `posts`, at most 20, is one
    text: the pointer, its end, and the moment at which it came into the list. `changed` is the moment of the last
    change, in milliseconds, and rises with each. The list lacks none that came after `since`."""

    user_id = UnicodeAttribute()
    posts = UnicodeSetAttribute(null=True)
    changed = NumberAttribute()
    since = NumberAttribute(default=0)

    @classmethod
    def new(cls, *, user_id: str, posts: set[str], changed: int, since: int) -> Self:
        key = keys.recent_posts(user_id)
        return cls(*key, user_id=user_id, posts=posts or None, changed=changed, since=since)
