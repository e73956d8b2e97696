"""The items of a follow, and what counts it: its own transaction, or the stream worker.

The edge says which (`Following.counted_by`), from its first moment to its last. Each beginning and each end is counted
by what the edge says at that moment. So it does not matter how fresh the follower count was when that was decided, or
that the count crosses `PULL_ABOVE` meanwhile, in either direction.
"""

from contextlib import suppress

from django.conf import settings
from pynamodb.expressions.condition import Condition

from accounts.models import UserCount
from relations.models import Follower, Following
from socialsite.table import keys
from socialsite.table.actions import Change, Create, Delete, WriteAction
from socialsite.table.errors import AlreadyExists, NotFound, TableError
from socialsite.table.writing import change

MOST_FOLLOWED = 7_500
WORKER = "worker"  # in `Following.counted_by`, which is absent if the transaction counts


class AlreadyFollowing(AlreadyExists):
    """The edge exists."""


class NotFollowing(NotFound):
    """The edge does not exist."""


class TooManyFollowed(TableError):
    """The person has reached the limit of follows."""


class WidelyFollowed(TableError):
    """The person has more than `PULL_ABOVE` followers, so transactions leave their count alone."""


class CountedByWorker(NotFound):
    """The stream worker counts the end of this follow, not the transaction."""


class CountedByTransaction(NotFound):
    """The transaction counts the end of this follow, not the stream worker."""


def new_edges(
    follower_id: str, followed_id: str, *, counted_by: str | None = None, seen: str | None = None
) -> list[WriteAction]:
    """Both edges of a new follow, the follower's count, and the followed person's unless the worker counts. `seen` is
    today if the follower is here."""
    following = Following.new(user_id=follower_id, followed_id=followed_id, counted_by=counted_by)
    follower = Follower.new(user_id=followed_id, follower_id=follower_id, seen=seen)
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
        *([] if counted_by else [_count(followed_id, 1)]),
    ]


def gone_edges(
    follower_id: str, followed_id: str, *, counted_by: str | None = None
) -> list[WriteAction]:
    """Ends a follow that is counted this way: the reverse of `new_edges`, on the condition that its edge agrees."""
    otherwise = CountedByTransaction if counted_by else CountedByWorker
    following = keys.following(follower_id, followed_id)
    return [
        # In this order: if the edges are missing, both conditions fail, and the first one's error counts.
        Delete(keys.follower(followed_id, follower_id), otherwise=NotFollowing),
        Delete(following, is_counted_by(counted_by), otherwise=otherwise),
        Change(UserCount, keys.user_count(follower_id), [UserCount.following.add(-1)]),
        *([] if counted_by else [_count(followed_id, -1)]),
    ]


def is_counted_by(counted_by: str | None) -> Condition:
    """The condition that a `Following` is counted this way."""
    if counted_by:
        return Following.counted_by == counted_by
    return Following.counted_by.does_not_exist()


def _count(followed_id: str, by: int) -> Change:
    key, actions = keys.user_count(followed_id), [UserCount.followers.add(by)]
    return Change(UserCount, key, actions, condition=has_few_followers(), otherwise=WidelyFollowed)


def has_few_followers() -> Condition:
    """The condition that transactions may change the follower count of a `UserCount`."""
    return UserCount.followers <= settings.PULL_ABOVE


def let_worker_count(follower_id: str, followed_id: str) -> None:
    """Hands the end of a follow over to the stream worker; safe to repeat. Does nothing if the edge is gone. One
    UpdateItem, 1 write unit."""
    handed_over = [Following.counted_by.set(WORKER)]
    with suppress(NotFound):
        change(
            Following,
            keys.following(follower_id, followed_id),
            handed_over,
            condition=is_counted_by(None),
        )
