"""Posts under their tags: the entry, and how a post is listed and taken away.

All posts of a tag are in one partition, which takes 1,000 writes a second. A tag that gets 100,000 posts a day has
about one a second on average and hundreds at its worst moment; from there on its posts would have to be spread over
partitions by day and shard, as those of the local timeline are (`feed/timelines/local.py`).
"""

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from pynamodb.attributes import UnicodeAttribute

from feed.posts.models import Post
from feed.posts.reads import Pointer, pointer_of_post
from feed.posts.writes import earlier
from relations.models import TagUse
from socialsite.clock import utc_now
from socialsite.table import (
    AlreadyExists,
    Item,
    NotFound,
    Upsert,
    get,
    ids,
    keys,
    query,
    transact,
    write_batch,
)


class TagEntry(Item, discriminator="TagEntry"):
    """A pointer to a public post, under one of its tags. That of a part of a story names the root
    too, that of a quote the quoted post."""

    family = "timelines"
    page = "/@{author_id}/posts/{post_id}"

    tag = UnicodeAttribute()
    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    root_id = UnicodeAttribute(null=True)
    root_author_id = UnicodeAttribute(null=True)
    reply_to_author_id = UnicodeAttribute(null=True)
    quote_of = UnicodeAttribute(null=True)
    quote_of_author_id = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, tag: str, pointer: Pointer, ttl: datetime) -> Self:
        key = keys.tag_entry(tag, pointer.post_id, pointer.author_id)
        return cls(
            *key,
            tag=tag,
            post_id=pointer.post_id,
            author_id=pointer.author_id,
            ttl=ttl,
            root_id=pointer.root_id or None,
            root_author_id=pointer.root_author_id or None,
            reply_to_author_id=pointer.reply_to_author_id or None,
            quote_of=pointer.quote_of or None,
            quote_of_author_id=pointer.quote_of_author_id or None,
        )


class TopicAuthor(Item, discriminator="TopicAuthor"):
    """That someone used a tag in a public post of an hour, once however often they did, until that hour counts no
    more."""

    family = "timelines"
    page = "/tags/{tag}"

    tag = UnicodeAttribute()
    author_id = UnicodeAttribute()
    hour = UnicodeAttribute()

    @classmethod
    def new(cls, *, hour: str, tag: str, author_id: str, ttl: datetime) -> Self:
        key = keys.topic_author(hour, tag, author_id)
        return cls(*key, tag=tag, author_id=author_id, hour=hour, ttl=ttl)


def whole_post(post: Post | None) -> Post | None:
    """Returns the image of a post that the stream brought. A dead letter keeps no texts, so the post of now stands for
    it: a consistent GetItem, 1 read unit."""
    if post is None or post.content is not None:
        return post
    with suppress(NotFound):
        return get(Post, post.key, consistent=True)
    return None


def end_of_listing(post: Post) -> datetime:
    """Returns the moment until which a post stands under its tags: a whole second, as DynamoDB keeps the ends of
    items."""
    created = ids.time_of(post.post_id).replace(microsecond=0)
    return earlier(created + timedelta(days=settings.TAG_DAYS), post.ttl)


def tag_items(post: Post, tags: Iterable[str]) -> list[TagEntry | TagUse]:
    """Returns the entry of a post under each tag, and that the tag is in use; none once that has expired."""
    end = end_of_listing(post)
    if end <= utc_now():
        return []
    entries = [
        TagEntry.new(tag=tag, pointer=pointer_of_post(post), ttl=end) for tag in sorted(tags)
    ]
    # An older post that is released late shortens the use, until the next post.
    return [*entries, *(TagUse.new(tag=one.tag, ttl=end) for one in entries)]


def enter_tags(post: Post, tags: Iterable[str]) -> None:
    """Lists a post under tags. Safe to repeat: it puts by key.

    BatchWriteItems. A post that ends by itself, or was written elsewhere long ago, does not end the use of a tag that
    other posts keep longer: for each tag one TransactWriteItems, 2 write units, on condition that the use would end
    before it.
    """
    items = tag_items(post, tags)
    if not (post.ttl or post.imported):
        write_batch(puts=items)
        return
    write_batch(puts=[item for item in items if isinstance(item, TagEntry)])
    for item in items:
        if isinstance(item, TagUse):
            _use_until(item)


def _use_until(use: TagUse) -> None:
    sooner = TagUse.pk.does_not_exist() | (TagUse.ttl < use.ttl)
    actions = [TagUse.tag.set(use.tag), TagUse.ttl.set(use.ttl)]
    with suppress(AlreadyExists):
        transact(Upsert(TagUse, use.key, actions, sooner, otherwise=AlreadyExists))


def leave_tags(post: Post, tags: Iterable[str]) -> None:
    """Takes a post away from tags, and forgets those under which nothing is left.

    BatchWriteItems of the entries, a consistent Query of each tag. Safe to repeat: it deletes by key. A tag that gets
    a post at this very moment may be forgotten too, until its next post; lists of posts are not touched by that.
    """
    leaving = sorted(tags)
    write_batch(deletes=[keys.tag_entry(tag, post.post_id, post.author_id) for tag in leaving])
    unused = [tag for tag in leaving if not _is_used(tag)]
    write_batch(deletes=map(keys.tag_use, unused))


def _is_used(tag: str) -> bool:
    return next(query(keys.tagged_posts(tag), consistent=True, limit=1), None) is not None
