"""Where a post is. Lists hold pointers, which `visible_posts.py` turns into cards."""

from typing import NamedTuple

from feed.models import Post, Reply, Repost, TimelineEntry
from socialsite.table.reading import RawItem
from socialsite.table.row import row


class Pointer(NamedTuple):
    """The place of a post, in its author's partition. Of a reply also the root with its author, and the person
    answered, if the list knows them: then they are read together with it."""

    post_id: str
    author_id: str
    root_id: str = ""
    root_author_id: str = ""
    reply_to_author_id: str = ""
    repost_of: str = ""  # the post that a repost shows; then the thread above is that post's
    repost_of_author_id: str = ""

    @property
    def shown(self) -> "Pointer":
        """The post that stands on the page: that of a repost, or the post itself."""
        if not self.repost_of:
            return self
        return Pointer(self.repost_of, self.repost_of_author_id, *self[2:5])


def pointer_of(raw: RawItem) -> Pointer:
    """Returns the pointer of a raw `Post`, `Repost`, `TimelineEntry`, `PublicEntry` or `Like`, which all have both
    ids."""
    entry = row(TimelineEntry, raw)
    return pointer_of_post(entry)._replace(
        repost_of=entry.repost_of or "", repost_of_author_id=entry.repost_of_author_id or ""
    )


def pointer_of_repost(repost: Repost) -> Pointer:
    return pointer_of_post(repost)._replace(
        repost_of=repost.repost_of, repost_of_author_id=repost.repost_of_author_id
    )


def pointer_of_post(post: Post | Reply | Repost | TimelineEntry) -> Pointer:
    """Returns the pointer of a post, or what a pointer has of its thread."""
    return Pointer(
        post.post_id,
        post.author_id,
        post.root_id or "",
        post.root_author_id or "",
        post.reply_to_author_id or "",
    )


def answers_another(post: Post) -> bool:
    """Whether the post answers someone else. The parts of a story answer their own author."""
    return bool(post.reply_to) and post.reply_to_author_id != post.author_id
