"""Leaving a conversation: nothing that happens in it is told any more. Nobody else learns of it."""

from accounts.viewer import Viewer
from feed.models import LeftThread, Post
from feed.pointers import Pointer
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch
from socialsite.table.row import row
from socialsite.table.writing import write_batch


@access_pattern
def leave_thread(*, by: Viewer, root_id: str) -> None:
    """Is no longer told of what happens in a thread. Safe to repeat. BatchWriteItem, 1 write unit."""
    write_batch(puts=[LeftThread.new(user_id=by.user_id, root_id=root_id)])


@access_pattern
def rejoin_thread(*, by: Viewer, root_id: str) -> None:
    """Is told again from now on. Safe to repeat. BatchWriteItem, 1 write unit."""
    write_batch(deletes=[keys.left_thread(by.user_id, root_id)])


@access_pattern
def rejoin_thread_of(*, by: Viewer, post: Pointer) -> None:
    """Does the same for the thread of a post that the person may not see any more. Does nothing if it is gone.
    BatchGetItem, 0.5 read units, and BatchWriteItem, 1 write unit."""
    for raw in fetch([keys.post(post.author_id, post.post_id)]).values():
        rejoin_thread(by=by, root_id=row(Post, raw).root_id or post.post_id)
