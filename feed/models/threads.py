"""Replies in their threads. Shape and keys only."""

from typing import Self

from pynamodb.attributes import ListAttribute, MapAttribute, NumberAttribute, UnicodeAttribute

from feed.models.photos import PostPhoto
from feed.models.posts import Post
from socialsite.table import keys
from socialsite.table.item import Item


class Reply(Item, discriminator="Reply"):
    """The place of a reply in its thread, with a copy of what a card shows, so that a page of a thread does not read
    each post. The copy is written in the transactions that write the `Post`. Its path is its sort key, and stored once,
    as it can be a kilobyte long.

    `gone` says that the post was deleted, while the place stays for the answers below it. `set_aside` says that the
    author of the thread put it, with the answers below it, behind the other replies.
    """

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    root_id = UnicodeAttribute()
    root_author_id = UnicodeAttribute()
    reply_to = UnicodeAttribute()
    reply_to_author_id = UnicodeAttribute()
    content = UnicodeAttribute(null=True)
    mentions = MapAttribute[str, str](null=True)
    withheld = UnicodeAttribute(null=True)
    sensitive = UnicodeAttribute(null=True)
    version = NumberAttribute(null=True)
    edited_at = UnicodeAttribute(null=True)
    warning = UnicodeAttribute(null=True)
    lang = UnicodeAttribute(null=True)
    photos = ListAttribute(of=PostPhoto, null=True)
    story = UnicodeAttribute(null=True)
    gone = UnicodeAttribute(null=True)
    set_aside = UnicodeAttribute(null=True)

    @property
    def path(self) -> str:
        return self.key.sk

    @classmethod
    def new(cls, post: Post) -> Self:
        """Returns the place of a post that is a reply."""
        return cls(
            *keys.reply_place(str(post.root_id), str(post.path)),
            **{name: getattr(post, name) for name in COPIED},
        )


COPIED = (
    "post_id",
    "author_id",
    "root_id",
    "root_author_id",
    "reply_to",
    "reply_to_author_id",
    "content",
    "mentions",
    "withheld",
    "sensitive",
    "version",
    "edited_at",
    "warning",
    "lang",
    "photos",
    "story",
)


class ThreadGate(Item, discriminator="ThreadGate"):
    """In the place of a root that is gone: whom it was for. Its answers stay for the same people. A root that ends by
    itself has its gate from the beginning, as no transaction runs when it ends: `root_ends` is that second."""

    post_id = UnicodeAttribute()
    author_id = UnicodeAttribute()
    audience = UnicodeAttribute(null=True)
    circle = UnicodeAttribute(null=True)
    root_ends = NumberAttribute(null=True)

    @classmethod
    def new(cls, root: Post, *, beside: bool = False) -> Self:
        """Returns the gate of a root that is deleted, or the one that stands `beside` a root until it ends."""
        return cls(
            *keys.thread_gate(root.post_id),
            post_id=root.post_id,
            author_id=root.author_id,
            audience=root.audience,
            circle=root.circle,
            root_ends=int(root.ttl.timestamp()) if beside else None,
        )


class LeftThread(Item, discriminator="LeftThread"):
    """In a person's own partition: a thread of which they do not want to be notified any more."""

    user_id = UnicodeAttribute()
    root_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, user_id: str, root_id: str) -> Self:
        return cls(*keys.left_thread(user_id, root_id), user_id=user_id, root_id=root_id)
