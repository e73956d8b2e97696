"""Deleting a post: at once for every reader, as timelines only point at it; the stream worker clears its likes."""

from contextlib import suppress

from accounts.models import UserCount
from accounts.viewer import Viewer
from feed.models import Post
from socialsite.table import keys
from socialsite.table.actions import Change, Delete
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact


class AlreadyDeleted(NotFound):
    """The post is not there (any more)."""


@access_pattern
def delete_post(*, by: Viewer, post_id: str) -> None:
    """Deletes one of the signed-in person's own posts; doing so again changes nothing.

    One TransactWriteItems deletes Post and LikeCount and subtracts from the post count, 6 write units. The keys are
    built from who is signed in, so nobody deletes somebody else's. A withheld post is not counted: where there is no
    other, a second transaction deletes it, 4 write units.
    """
    post, like_count = keys.post(by.user_id, post_id), keys.like_count(post_id)
    count = Change(UserCount, keys.user_count(by.user_id), [UserCount.posts.add(-1)])
    shown, withheld = Post.withheld.does_not_exist(), Post.withheld.exists()
    try:
        transact(Delete(post, shown, AlreadyDeleted), Delete(like_count), count)
    except AlreadyDeleted:
        with suppress(AlreadyDeleted):
            transact(Delete(post, withheld, AlreadyDeleted), Delete(like_count))
