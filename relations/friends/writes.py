"""Friendship: asking, accepting and ending. It begins and ends on both sides at once. Circles: creating, renaming
and deleting them, and which of them a friend is in, with the private note about them."""

from collections.abc import Callable, Collection, Sequence

from accounts.models import UserCount, UserInfo, UserSettings
from accounts.people.restrictions import is_restricted, must_be_there
from accounts.people.viewer import MOST_CIRCLES, Viewer, find_circle, in_order, is_new
from accounts.profile.writes import Names, change_names
from relations.models import Relation, RelationType
from relations.reads import list_members
from relations.relation import (
    NOT_IN_FORCE,
    AlreadyRelated,
    CannotRelateToYourself,
    NotRelated,
    TooManyFriends,
    end_relation,
    no_block,
    relate,
    shown_level,
    update_relation,
)
from socialsite.clock import utc_now_iso
from socialsite.table import (
    AlreadyExists,
    Change,
    Check,
    NotFound,
    TableError,
    WriteAction,
    access_pattern,
    fetch,
    ids,
    keys,
    reading,
    row,
    transact,
)
from socialsite.table.writing import TRANSACTION_LIMIT

FRIEND, REQUEST = RelationType.FRIEND, RelationType.FRIEND_REQUEST
MOST_FRIENDS = 1_000


class AlreadyFriends(AlreadyRelated):
    """The two are already friends."""


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
        level=shown_level(other),
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


class TooManyCircles(TableError):
    """The person has as many circles as they can have."""


class CircleExists(AlreadyExists):
    """Another circle of the person has this name."""


class NoSuchCircle(NotFound):
    """The person has no circle with this id."""


@access_pattern
def create_circle(*, by: Viewer, name: str) -> str:
    """Creates an empty circle and returns its id, or the id of the circle that has the name. Raises `TooManyCircles`.

    One GetItem and one UpdateItem, 1 read unit and 1 write unit per KB of settings.
    """
    new = ids.new_id()

    def add(names: Names) -> Names:
        if find_circle(in_order(names), name):
            return names
        if len(names) >= MOST_CIRCLES:
            raise TooManyCircles
        return names | {new: name}

    return find_circle(in_order(change_circles(by.user_id, add)), name)


@access_pattern
def rename_circle(*, by: Viewer, circle_id: str, name: str) -> None:
    """Gives a circle another name; its members and posts stay. Raises `NoSuchCircle`, `CircleExists`.

    One GetItem and one UpdateItem, 1 read unit and 1 write unit per KB of settings.
    """

    def rename(names: Names) -> Names:
        if circle_id not in names and is_new(circle_id):
            raise NoSuchCircle(circle_id)
        if find_circle(in_order(names), name) not in ("", circle_id):
            raise CircleExists(name)
        return names | {circle_id: name}

    change_circles(by.user_id, rename)


@access_pattern
def delete_circle(*, by: Viewer, circle_id: str) -> None:
    """Takes everyone out of a circle, then forgets its name, so that only its author sees its posts. Safe to repeat.

    One Query over all friends; one TransactWriteItems for each 100 members, 4 write units a member; one GetItem and one
    UpdateItem of the settings. In all 4 write units a member and 1, and 1.5 read units.
    """
    leave = [Relation.tags.delete({circle_id}), Relation.update_time.set(utc_now_iso())]
    members = list_members(by, circle_id)
    friends = [keys.relation(by.user_id, RelationType.FRIEND, member) for member in members]
    for start in range(0, len(friends), TRANSACTION_LIMIT):
        some = friends[start : start + TRANSACTION_LIMIT]
        transact(*(Change(Relation, friend, leave) for friend in some))
    change_circles(
        by.user_id, lambda names: {one: name for one, name in names.items() if one != circle_id}
    )


def change_circles(user_id: str, edit: Callable[[Names], Names]) -> Names:
    """Changes the names of a person's circles if nobody else changed them since they were read. Raises `Conflict`."""
    return change_names(user_id, edit, attribute=UserSettings.circles)


@access_pattern
def file_friend(*, by: Viewer, user_id: str, circles: Collection[str], note: str) -> None:
    """Sets the circles (their ids) and the note of a friend. Raises `NotRelated` if they are not a friend (any more).

    Costs as `update_relation`: 3 write units, with a note 6.
    """
    update_relation(
        by=by, relation_type=RelationType.FRIEND, user_id=user_id, tags=circles, note=note
    )
