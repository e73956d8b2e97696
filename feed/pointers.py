"""Where a post is. Lists hold pointers, which `visible_posts.py` turns into cards."""

from typing import NamedTuple

from feed.models import Post, Reply
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


def pointer_of(raw: RawItem) -> Pointer:
    """Returns the pointer of a raw `Post`, `TimelineEntry`, `PublicEntry` or `Like`, which all have both ids."""
    return pointer_of_post(row(Post, raw))


def pointer_of_post(post: Post | Reply) -> Pointer:
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
