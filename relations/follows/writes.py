"""Following: both edges and both counts in one transaction. The stream worker updates the timeline later.

The edge says what counts a follow, its own transaction or the stream worker (`Following.counted_by`), from its first
moment to its last: above `PULL_ABOVE` followers the followed person's items stay out of the transaction, so that
follows of a celebrity do not conflict. Each beginning and each end is counted by what the edge says at that moment.
So it does not matter how fresh the follower count was when that was decided, or that the count crosses `PULL_ABOVE`
meanwhile, in either direction.

Someone with a locked account is asked. A waiting request grants nothing. People who unlock their account answer all
at once.
"""

from contextlib import suppress

from django.conf import settings
from pynamodb.expressions.condition import Condition

from accounts.models import UserCount, UserInfo
from accounts.people.cards import PersonCard
from accounts.people.restrictions import is_there, must_be_there
from accounts.people.viewer import Viewer
from accounts.sessions import today
from relations.models import Follower, Following, RelationType
from relations.reads import list_relating
from relations.relation import (
    AlreadyRelated,
    Blocked,
    CannotRelateToYourself,
    NotRelated,
    TooManyFollowed,
    end_relation,
    no_block,
    relate,
)
from socialsite.table import (
    TRIES,
    AlreadyExists,
    Change,
    Check,
    Conflict,
    Create,
    Delete,
    NotFound,
    TableError,
    WriteAction,
    access_pattern,
    change,
    fetch,
    keys,
    transact,
)
from socialsite.web.limits import REQUESTS, count_hits

MOST_FOLLOWED = 7_500
WORKER = "worker"  # in `Following.counted_by`, which is absent if the transaction counts


class AlreadyFollowing(AlreadyExists):
    """The edge exists."""


class NotFollowing(NotFound):
    """The edge does not exist."""


class WidelyFollowed(TableError):
    """The person has more than `PULL_ABOVE` followers, so transactions leave their count alone."""


class CountedByWorker(NotFound):
    """The stream worker counts the end of this follow, not the transaction."""


class CountedByTransaction(NotFound):
    """The transaction counts the end of this follow, not the stream worker."""


def new_edges(
    follower_id: str,
    followed_id: str,
    *,
    counted_by: str | None = None,
    seen: str | None = None,
    quietly: bool = False,
) -> list[WriteAction]:
    """Both edges of a new follow, the follower's count, and the followed person's unless the worker counts. `seen` is
    today if the follower is here. The followed person is not told if it is done `quietly`."""
    following = Following.new(user_id=follower_id, followed_id=followed_id, counted_by=counted_by)
    follower = Follower.new(
        user_id=followed_id, follower_id=follower_id, seen=seen, quietly=quietly
    )
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


class CannotFollowYourself(TableError):
    """Nobody can follow themselves."""


class Locked(TableError):
    """The person decides who follows them. Ask first with `request_follow`, which also finds out whether they exist."""


@access_pattern
def follow(
    *, by: Viewer, user_id: str, is_widely_followed: bool = False, quietly: bool = False
) -> None:
    """Follows a person, who is told of it unless it is done `quietly`; safe to repeat. Raises `NotFound` if they are
    gone, `Locked` (also if they are suspended or waiting for approval), `Blocked`, `TooManyFollowed`, `Frozen`.

    One TransactWriteItems over six items, 12 write units: Following, Follower, both UserCounts, and checks that nobody
    blocks the other and that the account exists and is open. For a person with more than `PULL_ABOVE` followers, one
    consistent read, 1 unit, instead of that check, and a transaction over four items, which other follows leave alone:
    8 write units. `is_widely_followed` is what the caller saw. If it is true, it saves a try.

    Later the stream worker puts the followed person's newest posts into the follower's timeline.
    """
    by.must_have_voice()
    if by.user_id == user_id:
        raise CannotFollowYourself
    try:
        if not is_widely_followed:
            try:
                _follow_and_count(by.user_id, user_id, quietly)
            except WidelyFollowed:
                is_widely_followed = True
        if is_widely_followed:
            _follow_widely_followed(by.user_id, user_id, quietly)
    except AlreadyFollowing:
        return


def _follow_and_count(by: str, user_id: str, quietly: bool) -> None:
    is_open = Check(
        keys.user_info(user_id),
        condition=is_there() & UserInfo.locked.does_not_exist(),
        otherwise=Locked,
    )
    edges = new_edges(by, user_id, seen=today(), quietly=quietly)
    transact(*edges, no_block(by, user_id), is_open)


def _follow_widely_followed(by: str, user_id: str, quietly: bool) -> None:
    # A check within the transaction would make follows conflict on one item, as a count does. The account may be locked
    # between this read and the write. Then the follow counts as made a moment earlier.
    key = keys.user_info(user_id)
    info = fetch([key], consistent=True).get(key)
    if info is None:
        raise NotFound("no such person")
    person = PersonCard.from_raw(info)
    if person.is_locked or person.is_locked_out:
        raise Locked
    edges = new_edges(by, user_id, counted_by=WORKER, seen=today(), quietly=quietly)
    transact(*edges, no_block(by, user_id))


@access_pattern
def unfollow(*, by: Viewer, user_id: str, is_widely_followed: bool = False) -> bool:
    """Stops following a person. Safe to repeat. Returns whether they were followed.

    One TransactWriteItems over Following, Follower and both UserCounts, 8 write units; without the followed person's
    count, 6, if the stream worker counts. A follow from before the crossing is handed over to the worker first, by one
    UpdateItem. `is_widely_followed` is what the caller saw. If it is true, it saves a try. Later the stream worker
    takes their posts out of the timeline.
    """
    if by.user_id == user_id:
        return False
    return _end_follow(by.user_id, user_id, is_widely_followed)


@access_pattern
def remove_follower(*, by: Viewer, user_id: str) -> None:
    """Removes a follower; safe to repeat. As `unfollow`, 8 write units."""
    _end_follow(user_id, by.user_id, by.is_widely_followed)


def _end_follow(follower_id: str, followed_id: str, is_widely_followed: bool) -> bool:
    counted_by = WORKER if is_widely_followed else None
    for _ in range(TRIES):
        try:
            transact(*gone_edges(follower_id, followed_id, counted_by=counted_by))
        except NotFollowing:
            return False
        except CountedByWorker:
            counted_by = WORKER
        except (CountedByTransaction, WidelyFollowed):
            let_worker_count(follower_id, followed_id)
            counted_by = WORKER
        else:
            return True
    raise Conflict("others keep changing what is between the two")


REQUEST = RelationType.FOLLOW_REQUEST


class NotLocked(TableError):
    """The account is open, so people can follow it without asking."""


@access_pattern
def request_follow(*, by: Viewer, user_id: str, quietly: bool = False) -> None:
    """Asks to follow; safe to repeat. One that is made `quietly` only waits where it is answered. Raises `NotFound`
    (also if the person is suspended or waiting for approval), `NotLocked`, `Blocked`, `AlreadyFollowing`, `Frozen`.

    One TransactWriteItems, 9 write units: the Relation (type 5) with its place in `typeIndex`, with checks that the
    account exists and is locked, that neither blocks the other and that the edge does not exist. If the account is not
    locked, another TransactWriteItems of one check finds out whether it exists, 2 write units.
    """
    by.must_have_voice()
    if by.user_id == user_id:
        raise CannotRelateToYourself
    is_locked = Check(
        keys.user_info(user_id),
        condition=is_there() & UserInfo.locked.exists(),
        otherwise=NotLocked,
    )
    is_new = Check(
        keys.following(by.user_id, user_id),
        condition=UserInfo.pk.does_not_exist(),
        otherwise=AlreadyFollowing,
    )
    try:
        transact(
            relate(by.user_id, REQUEST, user_id, quietly=quietly),
            is_locked,
            no_block(by.user_id, user_id),
            is_new,
        )
    except NotLocked:
        transact(must_be_there(user_id))
        raise
    except AlreadyRelated:
        return


@access_pattern
def withdraw_follow_request(*, by: Viewer, user_id: str) -> None:
    """Withdraws a request; safe to repeat. One TransactWriteItems, 3 write units."""
    _end(by.user_id, user_id)


@access_pattern
def decline_follow_request(*, by: Viewer, user_id: str) -> None:
    """Declines a request, without telling the person; safe to repeat. One TransactWriteItems, 3 write units."""
    _end(user_id, by.user_id)


@access_pattern
def accept_follow_request(*, by: Viewer, user_id: str) -> None:
    """Accepts a request; safe to repeat. Raises `NotRelated` if there is none (any more), `Blocked`,
    `TooManyFollowed`.

    One TransactWriteItems over the Relation, both edges, both counts and the block: 13 write units. Above `PULL_ABOVE`
    followers the stream worker counts them: 11.
    """
    try:
        if not by.is_widely_followed:
            with suppress(WidelyFollowed):
                _accept(by.user_id, user_id)
                return
        _accept(by.user_id, user_id, counted_by=WORKER)
    except AlreadyFollowing:
        _end(user_id, by.user_id)


def _accept(by: str, user_id: str, *, counted_by: str | None = None) -> None:
    transact(
        *new_edges(user_id, by, counted_by=counted_by),
        end_relation(user_id, REQUEST, by),
        no_block(by, user_id),
    )


def _end(asking_id: str, asked_id: str) -> None:
    try:
        transact(end_relation(asking_id, REQUEST, asked_id))
    except NotRelated:
        return


MOST_AT_ONCE = 100  # requests


@access_pattern
def answer_waiting_requests(*, by: Viewer, accept: bool) -> tuple[int, bool]:
    """Accepts or declines up to 100 follow requests, newest first. Returns how many, and whether more are waiting.

    `typeIndex` in pages of 20 (Query and BatchGetItem each), and one transaction a request: 13 write units to accept, 3
    to decline. Skips people who withdrew meanwhile, are blocked, or have reached the limit of follows. If it stops in
    the middle, the rest keep waiting, and the next call goes on with them.
    """
    answered = seen = 0
    cursor: str | None = None
    while seen < MOST_AT_ONCE:
        page = list_relating(by.user_id, RelationType.FOLLOW_REQUEST, viewer=by, cursor=cursor)
        for request in page.items:
            answered += _answer(by, request.person.user_id, accept=accept)
        seen += len(page.items)
        cursor = page.next_cursor
        if not cursor:
            break
    return answered, bool(cursor)


def _answer(by: Viewer, user_id: str, *, accept: bool) -> bool:
    if not accept:
        decline_follow_request(by=by, user_id=user_id)
        return True
    try:
        accept_follow_request(by=by, user_id=user_id)
    except (NotRelated, Blocked, TooManyFollowed):
        return False
    return True


TRIES_TO_FOLLOW = 3  # or to ask, while the account is locked and unlocked


def follow_or_ask(*, by: Viewer, person: PersonCard, quietly: bool = False) -> bool:
    """Follows a person, or asks to where they decide that, and tells them of it unless it is done `quietly`. Returns
    whether the person is followed now. Tries again if they lock or unlock meanwhile. Raises what `follow` and
    `request_follow` raise, `LimitReached`, `Conflict`."""
    person_id, is_widely_followed = person.user_id, person.is_widely_followed
    for _try in range(TRIES_TO_FOLLOW):
        try:
            follow(by=by, user_id=person_id, is_widely_followed=is_widely_followed, quietly=quietly)
        except Locked:
            count_hits((REQUESTS, by.user_id))
        else:
            return True
        try:
            request_follow(by=by, user_id=person_id, quietly=quietly)
        except NotLocked:
            continue
        except AlreadyFollowing:
            return True
        return False
    raise Conflict("the account keeps being locked and unlocked")
