"""Following: both edges and both counts in one transaction. The timeline follows through the stream."""

from accounts.models import Follower, Following, UserCount, UserInfo
from accounts.relations import no_block
from accounts.standing import is_there
from accounts.viewer import Viewer
from socialsite.table import keys
from socialsite.table.actions import Change, Check, Create, Delete, WriteAction
from socialsite.table.errors import AlreadyExists, NotFound, TableError
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact

MOST_FOLLOWED = 7_500


class CannotFollowYourself(TableError):
    """Following oneself means nothing."""


class AlreadyFollowing(AlreadyExists):
    """The edge is there."""


class NotFollowing(NotFound):
    """The edge is not there."""


class Locked(TableError):
    """The person decides who follows them: ask first (`request_follow`), which tells if they are not there at all."""


class TooManyFollowed(TableError):
    """One follows as many as one may."""


@access_pattern
def follow(*, by: Viewer, user_id: str) -> None:
    """Follows a person; doing so again changes nothing. Raises `NotFound` if they are gone, `Locked`, also for who is
    suspended or waits for approval, `Blocked`, `TooManyFollowed`, `Frozen`.

    One TransactWriteItems over six items, 12 write units: Following, Follower, both UserCounts, and checks that
    nobody blocks the other and that the account is there and open. Later the stream worker puts the followed person's
    newest posts into the follower's timeline.
    """
    by.must_have_voice()
    if by.user_id == user_id:
        raise CannotFollowYourself
    is_open = Check(
        keys.user_info(user_id),
        condition=is_there() & UserInfo.locked.does_not_exist(),
        otherwise=Locked,
    )
    try:
        transact(*new_edges(by.user_id, user_id), no_block(by.user_id, user_id), is_open)
    except AlreadyFollowing:
        return


@access_pattern
def unfollow(*, by: Viewer, user_id: str) -> bool:
    """Stops following a person; doing so again changes nothing. Says whether they were followed.

    One TransactWriteItems over Following, Follower and both UserCounts, 8 write units. Later the stream worker takes
    their posts out of the timeline.
    """
    if by.user_id == user_id:
        return False
    try:
        transact(*gone_edges(by.user_id, user_id))
    except NotFollowing:
        return False
    return True


@access_pattern
def remove_follower(*, by: Viewer, user_id: str) -> None:
    """Makes a person no longer follow oneself; doing so again changes nothing. The same transaction as `unfollow`."""
    try:
        transact(*gone_edges(user_id, by.user_id))
    except NotFollowing:
        return


def new_edges(follower_id: str, followed_id: str) -> list[WriteAction]:
    """Both edges and both counts of a new follow."""
    following = Following.new(user_id=follower_id, followed_id=followed_id)
    follower = Follower.new(user_id=followed_id, follower_id=follower_id)
    return [
        Create(following, otherwise=AlreadyFollowing),
        Create(follower, otherwise=AlreadyFollowing),
        Change(
            UserCount,
            keys.user_count(follower_id),
            [UserCount.following.add(1)],
            condition=UserCount.following < MOST_FOLLOWED,
            otherwise=TooManyFollowed,
        ),
        Change(UserCount, keys.user_count(followed_id), [UserCount.followers.add(1)]),
    ]


def gone_edges(follower_id: str, followed_id: str) -> list[WriteAction]:
    """The same, taken back."""
    return [
        Delete(keys.following(follower_id, followed_id), otherwise=NotFollowing),
        Delete(keys.follower(followed_id, follower_id), otherwise=NotFollowing),
        Change(UserCount, keys.user_count(follower_id), [UserCount.following.add(-1)]),
        Change(UserCount, keys.user_count(followed_id), [UserCount.followers.add(-1)]),
    ]
