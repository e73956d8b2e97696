"""Liking: the like in the post's partition and its trace in the liker's. The stream worker counts."""

from accounts.viewer import Viewer
from feed.like_shards import like_places
from feed.models import Like, LikeTrace
from socialsite.table import keys
from socialsite.table.actions import Create, Delete
from socialsite.table.errors import AlreadyExists, NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact


class AlreadyLiked(AlreadyExists):
    """The like exists."""


class NotLiked(NotFound):
    """The like does not exist."""


@access_pattern
def like_post(*, by: Viewer, post_id: str, author_id: str, shards: int = 0) -> None:
    """Likes a post. Safe to repeat. The caller has checked that the viewer may see the post, and passes the number of
    `shards` of its likes.

    One TransactWriteItems puts Like and LikeTrace, 4 write units. The trace's key does not depend on the shards, so
    each person has one like, even while shards are added. The transaction leaves the post itself alone, so likes of a
    popular post do not conflict. If a deletion crosses the like, the stream worker clears it. Raises `Frozen`.
    """
    by.must_have_voice()
    like = {"post_id": post_id, "author_id": author_id, "user_id": by.user_id}
    try:
        transact(
            Create(Like.new(**like, shards=shards), otherwise=AlreadyLiked),
            Create(LikeTrace.new(**like), otherwise=AlreadyLiked),
        )
    except AlreadyLiked:
        return


@access_pattern
def unlike_post(*, by: Viewer, post_id: str, shards: int = 0) -> None:
    """Takes a like back. Safe to repeat.

    One TransactWriteItems of two deletes, 4 write units. A like from before its post became hot is in another place.
    That takes one transaction for each place it can be in, at most three.
    """
    trace = Delete(keys.like_trace(by.user_id, post_id), otherwise=NotLiked)
    for shard in like_places(by.user_id, shards):
        like = Delete(keys.like(post_id, by.user_id, shard), otherwise=NotLiked)
        try:
            transact(like, trace)
            return
        except NotLiked as error:
            if trace in error.failed:
                return
