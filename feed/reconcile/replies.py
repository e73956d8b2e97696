"""Corrects counts and audiences of replies, while people go on answering and the worker counts."""

from collections.abc import Iterator
from functools import partial

from feed.models import LikeCount, Post, Reply, Story
from feed.pointers import Pointer
from feed.threads.copies import difference, is_counted
from feed.threads.in_line import bring_in_line
from feed.threads.places import read_answers, read_story
from socialsite.streams.mend_count import mend_count
from socialsite.streams.unapplied import Unapplied
from socialsite.table import keys
from socialsite.table.reading import RawItem, key_of
from socialsite.table.row import row


def mend_reply_count(raw: RawItem) -> Iterator[str]:
    """Sets a post's count of replies to those that readers can see, without changes that the worker has yet to count.
    Yields a line if it was wrong.

    One GetItem and a Query of what stands below the post, consistent; the stream behind the checkpoints only if they
    differ.
    """
    post = row(Post, raw)
    yield from mend_count(
        LikeCount,
        keys.like_count(post.post_id),
        "replies",
        count=partial(_count, post),
        waiting=partial(_waiting, post.post_id),
    )


def mend_part_count(raw: RawItem) -> Iterator[str]:
    """Does the same for the further posts of a story, at its first post."""
    post = row(Post, raw)
    if post.story != Story.FIRST:
        return
    yield from mend_count(
        LikeCount,
        keys.like_count(post.post_id),
        "parts",
        count=lambda: sum(is_counted(row(Reply, one)) for one in read_story(post.post_id)),
        waiting=partial(_waiting_parts, post.post_id),
    )


def mend_audience(raw: RawItem) -> None:
    """Gives a reply the audience of its thread. One consistent BatchGetItem; nothing for other posts."""
    post = row(Post, raw)
    if post.root_id:
        bring_in_line(Pointer(post.root_id, post.root_author_id), [key_of(raw)])


def _count(post: Post) -> int:
    return sum(is_counted(row(Reply, raw)) for raw in read_answers(post))


def _waiting(post_id: str, unapplied: Unapplied) -> int:
    return sum(
        difference(change.old, change.new)
        for change in unapplied.changes(Reply)
        if isinstance(change.item, Reply) and change.item.reply_to == post_id
    )


def _waiting_parts(root_id: str, unapplied: Unapplied) -> int:
    return sum(
        difference(change.old, change.new)
        for change in unapplied.changes(Reply)
        if isinstance(change.item, Reply) and change.item.root_id == root_id and change.item.story
    )
