"""Following: both edges and both counts in one transaction. The timeline follows through the stream."""

from accounts.models import Follower, Following, UserCount
from accounts.viewer import Viewer
from socialsite.table import keys
from socialsite.table.actions import Change, Create, Delete
from socialsite.table.errors import AlreadyExists, NotFound, TableError
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact


class CannotFollowYourself(TableError):
    """Following oneself means nothing."""


class AlreadyFollowing(AlreadyExists):
    """The edge is there."""


class NotFollowing(NotFound):
    """The edge is not there."""


@access_pattern
def follow(*, by: Viewer, user_id: str) -> None:
    """Follows a person; doing so again changes nothing. Raises `NotFound` if they are gone.

    One TransactWriteItems over four items, 8 write units: Following, Follower, and both UserCounts. Later the
    stream worker puts the followed person's newest posts into the follower's timeline.
    """
    if by.user_id == user_id:
        raise CannotFollowYourself
    try:
        transact(
            Create(
                Following.new(user_id=by.user_id, followed_id=user_id), otherwise=AlreadyFollowing
            ),
            Create(
                Follower.new(user_id=user_id, follower_id=by.user_id), otherwise=AlreadyFollowing
            ),
            Change(UserCount, keys.user_count(by.user_id), [UserCount.following.add(1)]),
            Change(UserCount, keys.user_count(user_id), [UserCount.followers.add(1)]),
        )
    except AlreadyFollowing:
        return


@access_pattern
def unfollow(*, by: Viewer, user_id: str) -> None:
    """Stops following a person; doing so again changes nothing.

    One TransactWriteItems over the same four items, 8 write units. Later the stream worker takes their posts out of
    the timeline.
    """
    if by.user_id == user_id:
        return
    try:
        transact(
            Delete(keys.following(by.user_id, user_id), otherwise=NotFollowing),
            Delete(keys.follower(user_id, by.user_id), otherwise=NotFollowing),
            Change(UserCount, keys.user_count(by.user_id), [UserCount.following.add(-1)]),
            Change(UserCount, keys.user_count(user_id), [UserCount.followers.add(-1)]),
        )
    except NotFollowing:
        return
