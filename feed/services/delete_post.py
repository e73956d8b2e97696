"""Deleting a post. It is gone for every reader at once, because timelines only point at it. The stream worker clears
what belongs to it."""

from contextlib import suppress

from accounts.viewer import Viewer
from feed.models import Post, ThreadGate
from feed.post_count import PostCount, has_audience
from feed.threads.copies import empty_copy
from socialsite.table import keys, reading
from socialsite.table.actions import Delete, Put, WriteAction
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact


@access_pattern
def delete_post(*, by: Viewer, post_id: str) -> None:
    """Deletes one of the signed-in person's own posts; safe to repeat.

    One consistent GetItem, then one TransactWriteItems: deletes Post and LikeCount, subtracts from the post count, and
    keeps the audience of the thread in a gate, 8 write units. A reply's place in its thread loses the text instead, 8
    write units. A withheld post was not counted, 2 less. The keys use the signed-in person's id, so nobody can delete
    someone else's post.
    """
    key = keys.post(by.user_id, post_id)

    def attempt() -> None:
        post = reading.get(Post, key, consistent=True)
        count = PostCount(by.user_id)
        count.take(post)
        transact(*deletion_of(post), *count.writes())

    with suppress(NotFound):  # it is deleted already
        write_as_read(attempt)


def deletion_of(post: Post) -> list[WriteAction]:
    """Returns what deletes a post, at most 3 actions, on condition that it counts as when it was read. The post count
    (`PostCount`) changes in the same transaction."""
    withheld = Post.withheld
    as_read = withheld == post.withheld if post.withheld else withheld.does_not_exist()
    return [
        Delete(keys.post(post.author_id, post.post_id), as_read & has_audience(post), Moved),
        Delete(keys.like_count(post.post_id), otherwise=Moved),
        *_thread(post),
    ]


def _thread(post: Post) -> list[WriteAction]:
    """Returns what stays for the answers: the gate of a thread, or the emptied place of a reply."""
    if post.root_id:
        return empty_copy(post)
    return [Put(ThreadGate.new(post))]
