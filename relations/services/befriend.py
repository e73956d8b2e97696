"""Friendship: asking, accepting and ending. It begins and ends on both sides at once."""

from collections.abc import Sequence

from accounts.models import UserCount, UserInfo
from accounts.restrictions import is_restricted, must_be_there
from accounts.viewer import Viewer
from relations.models import RelationType
from relations.relation import (
    NOT_IN_FORCE,
    AlreadyRelated,
    CannotRelateToYourself,
    NotRelated,
    end_relation,
    no_block,
    relate,
)
from socialsite.table import keys, reading
from socialsite.table.actions import Change, Check, WriteAction
from socialsite.table.errors import TableError
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch
from socialsite.table.row import row
from socialsite.table.writing import transact

FRIEND, REQUEST = RelationType.FRIEND, RelationType.FRIEND_REQUEST
MOST_FRIENDS = 1_000


class AlreadyFriends(AlreadyRelated):
    """The two are already friends."""


class TooManyFriends(TableError):
    """One of the two has reached the limit of friends."""


@access_pattern
def request_friend(*, by: Viewer, user_id: str) -> None:
    """Asks someone to be friends; safe to repeat. If they have asked already, accepts.

    One TransactWriteItems, 11 write units: the Relation (type 6), with checks that the person exists, that neither
    blocks the other, that they are not friends and that the other person does not ask too. Raises `NotFound`,
    `Blocked`, `Frozen`.
    """
    by.must_have_voice()
    if by.user_id == user_id:
        raise CannotRelateToYourself
    try:
        transact(
            relate(by.user_id, REQUEST, user_id),
            must_be_there(user_id),
            no_block(by.user_id, user_id),
            _is_not_in_force(by.user_id, FRIEND, user_id, otherwise=AlreadyFriends),
            _is_not_in_force(user_id, REQUEST, by.user_id, otherwise=_AskedByOther),
        )
    except _AskedByOther:
        accept_friend(by=by, user_id=user_id)
    except AlreadyRelated:
        return


@access_pattern
def accept_friend(*, by: Viewer, user_id: str) -> None:
    """Becomes friends with someone who asked; safe to repeat. Raises `NotRelated` if they do not ask (any more), are
    suspended, have paused or leave, `Blocked`, `TooManyFriends`, `Frozen`.

    One BatchGetItem of both infos, for the values that are copied, then one TransactWriteItems: both Relations (type
    1), the ended request, both UserCounts and the block, 15 write units with their places in `typeIndex`.
    """
    by.must_have_voice()
    infos = fetch([keys.user_info(by.user_id), keys.user_info(user_id)])
    asking = row(UserInfo, infos.get(keys.user_info(user_id), {}))
    if asking.paused or asking.closing or is_restricted(asking.suspended_until):
        raise NotRelated
    try:
        transact(
            _befriend(by.user_id, user_id, infos),
            _befriend(user_id, by.user_id, infos),
            end_relation(user_id, REQUEST, by.user_id),
            *_count_friends((by.user_id, user_id), 1),
            no_block(by.user_id, user_id),
        )
    except AlreadyFriends:
        return


@access_pattern
def decline_friend(*, by: Viewer, user_id: str) -> None:
    """Declines a friend request. Safe to repeat. One TransactWriteItems, 3 write units."""
    _end_request(user_id, by.user_id)


@access_pattern
def withdraw_friend_request(*, by: Viewer, user_id: str) -> None:
    """Withdraws a friend request. Safe to repeat. One TransactWriteItems, 3 write units."""
    _end_request(by.user_id, user_id)


@access_pattern
def end_friendship(*, by: Viewer, user_id: str) -> None:
    """Ends a friendship on both sides; safe to repeat. One TransactWriteItems, 10 write units."""
    try:
        transact(*ended_friendship(by.user_id, user_id))
    except NotRelated:
        return


def ended_friendship(user_id: str, other_id: str) -> Sequence[WriteAction]:
    return (
        end_relation(user_id, FRIEND, other_id),
        end_relation(other_id, FRIEND, user_id),
        *_count_friends((user_id, other_id), -1),
    )


class _AskedByOther(TableError):
    """The other person asks, too."""


def _befriend(user_id: str, other_id: str, infos: dict[keys.Key, reading.RawItem]) -> WriteAction:
    other = row(UserInfo, infos.get(keys.user_info(other_id), {}))
    return relate(
        user_id,
        FRIEND,
        other_id,
        location=other.location,
        gender=other.gender,
        otherwise=AlreadyFriends,
    )


def _count_friends(user_ids: Sequence[str], by: int) -> list[WriteAction]:
    fits = UserCount.friends < MOST_FRIENDS if by > 0 else None
    return [
        Change(
            UserCount,
            keys.user_count(user_id),
            [UserCount.friends.add(by)],
            condition=(UserCount.friends.does_not_exist() | fits) if fits is not None else None,
            otherwise=TooManyFriends,
        )
        for user_id in user_ids
    ]


def _is_not_in_force(
    user_id: str, relation_type: RelationType, other_id: str, *, otherwise: type[TableError]
) -> Check:
    key = keys.relation(user_id, relation_type, other_id)
    return Check(key, condition=NOT_IN_FORCE, otherwise=otherwise)


def _end_request(asking_id: str, asked_id: str) -> None:
    try:
        transact(end_relation(asking_id, REQUEST, asked_id))
    except NotRelated:
        return
