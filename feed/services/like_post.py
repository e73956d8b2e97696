"""Liking: the like in the post's partition and its trace in the liker's. The stream worker counts."""

from contextlib import suppress

from accounts.viewer import Viewer
from feed.like_shards import like_places
from feed.models import Like, LikeTrace
from feed.models.likes import NOT_LIKED
from socialsite.table import keys
from socialsite.table.actions import Change, Create, Delete, Upsert, WriteAction
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.errors import AlreadyExists, NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import get
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
    like = Like.new(post_id=post_id, author_id=author_id, user_id=by.user_id, shards=shards)
    with suppress(AlreadyLiked):
        transact(Create(like, otherwise=AlreadyLiked), _trace_of(like))


def _trace_of(like: Like) -> WriteAction:
    """Returns the writing of the like's trace, which may be there for a repost."""
    return Upsert(
        LikeTrace,
        keys.like_trace(like.user_id, like.post_id),
        [
            LikeTrace.post_id.set(like.post_id),
            LikeTrace.author_id.set(like.author_id),
            LikeTrace.user_id.set(like.user_id),
            LikeTrace.not_liked.remove(),
        ],
        condition=LikeTrace.pk.does_not_exist() | LikeTrace.not_liked.exists(),
        otherwise=AlreadyLiked,
    )


@access_pattern
def unlike_post(*, by: Viewer, post_id: str, shards: int = 0) -> None:
    """Takes a like back. Safe to repeat.

    One consistent GetItem of the trace, 1 read unit. One TransactWriteItems takes like and trace away, 4 write units;
    the trace stays if it stands for a repost too. A like from before its post became hot is in another place. That
    takes one transaction for each place it can be in, at most three.
    """
    key = keys.like_trace(by.user_id, post_id)

    def attempt() -> None:
        trace = get(LikeTrace, key, consistent=True)
        if trace.not_liked:
            return
        for shard in like_places(by.user_id, shards):
            like = Delete(keys.like(post_id, by.user_id, shard), otherwise=NotLiked)
            with suppress(NotLiked):
                transact(like, _without_like(trace))
                return

    with suppress(NotFound):  # it is not liked
        write_as_read(attempt)


def _without_like(trace: LikeTrace) -> WriteAction:
    liked, reposted = LikeTrace.not_liked.does_not_exist(), LikeTrace.repost_id
    if trace.repost_id:
        change = [LikeTrace.not_liked.set(NOT_LIKED)]
        return Change(LikeTrace, trace.key, change, liked & reposted.exists(), otherwise=Moved)
    return Delete(trace.key, liked & reposted.does_not_exist(), otherwise=Moved)
