"""Liking: the like in the post's partition and its trace in the liker's. The stream worker counts."""

from collections.abc import Iterable
from contextlib import suppress

from accounts.people.viewer import Viewer
from feed.likes.models import Like
from feed.likes.reads import like_places
from feed.posts.models import NOT_LIKED, LikeTrace
from socialsite.table import (
    AlreadyExists,
    Change,
    Create,
    Delete,
    Key,
    NotFound,
    WriteAction,
    access_pattern,
    keys,
    transact,
)

_IS_LIKED = LikeTrace.not_liked.does_not_exist()


class AlreadyLiked(AlreadyExists):
    """The like exists."""


class NotLiked(NotFound):
    """The like does not exist."""


@access_pattern
def like_post(*, by: Viewer, post_id: str, author_id: str, shards: int = 0) -> None:
    """Likes a post. Safe to repeat. The caller has checked that the viewer may see the post, and passes the number of
    `shards` of its likes.

    One TransactWriteItems puts Like and LikeTrace, 4 write units; a second one if the trace is there for a repost or a
    vote. The
    trace's key does not depend on the shards, so each person has one like, even while shards are added. The transaction
    leaves the post itself alone, so likes of a popular post do not conflict. If a deletion crosses the like, the stream
    worker clears it. Raises `Frozen`.
    """
    by.must_have_voice()
    where = {"post_id": post_id, "author_id": author_id, "user_id": by.user_id}
    like = Create(Like.new(**where, shards=shards), otherwise=AlreadyLiked)
    trace = LikeTrace.new(post_id=post_id, author_id=author_id, user_id=by.user_id)
    try:
        transact(like, Create(trace, otherwise=AlreadyLiked))
    except AlreadyLiked as error:
        if like not in error.failed:
            _like_where_traced(like, trace.key)


def _like_where_traced(like: Create, trace: Key) -> None:
    liked = [LikeTrace.not_liked.remove()]
    with suppress(AlreadyLiked):
        transact(
            like,
            Change(LikeTrace, trace, liked, LikeTrace.not_liked.exists(), otherwise=AlreadyLiked),
        )


@access_pattern
def unlike_post(*, by: Viewer, post_id: str, shards: int = 0) -> None:
    """Takes a like back. Safe to repeat.

    One TransactWriteItems of two deletes, 4 write units. If the person reposted the post or voted in its poll too, a
    second one leaves the trace to that. A like from before its post became hot is in another place. That takes one
    transaction for each place it can be in, at most three.
    """
    key, repost, choices = (
        keys.like_trace(by.user_id, post_id),
        LikeTrace.repost_id,
        LikeTrace.choices,
    )
    nothing_else = repost.does_not_exist() & choices.does_not_exist()
    alone = Delete(key, _IS_LIKED & nothing_else, otherwise=NotLiked)
    change = [LikeTrace.not_liked.set(NOT_LIKED)]
    something_else = repost.exists() | choices.exists()
    with_others = Change(LikeTrace, key, change, _IS_LIKED & something_else, otherwise=NotLiked)
    places = [
        Delete(keys.like(post_id, by.user_id, shard), otherwise=NotLiked)
        for shard in like_places(by.user_id, shards)
    ]
    if not _take_away(places, alone):
        _take_away(places, with_others)


def _take_away(places: Iterable[Delete], trace: WriteAction) -> bool:
    """Deletes the like, wherever it is, with what becomes of its trace. Whether it was there, and the trace so."""
    for like in places:
        try:
            transact(like, trace)
        except NotLiked as error:
            if trace in error.failed:
                return False
        else:
            return True
    return False
