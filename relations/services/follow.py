"""Following: both edges and both counts in one transaction. The stream worker updates the timeline later.

Above `PULL_ABOVE` followers the followed person's items stay out of the transaction, so that follows of a celebrity do
not conflict. The edge then says that the stream worker counts it (`stream_handlers/count_follow.py`). The items that a
follow writes are in `follow_edges.py`.
"""

from accounts.cards import PersonCard
from accounts.models import UserInfo
from accounts.restrictions import is_there
from accounts.services.sign_in import today
from accounts.viewer import Viewer
from relations.relation import no_block
from relations.services.follow_edges import (
    WORKER,
    AlreadyFollowing,
    CountedByTransaction,
    CountedByWorker,
    NotFollowing,
    WidelyFollowed,
    gone_edges,
    let_worker_count,
    new_edges,
)
from socialsite.table import keys
from socialsite.table.actions import Check
from socialsite.table.errors import Conflict, NotFound, TableError
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch
from socialsite.table.writing import TRIES, transact


class CannotFollowYourself(TableError):
    """Nobody can follow themselves."""


class Locked(TableError):
    """The person decides who follows them. Ask first with `request_follow`, which also finds out whether they exist."""


@access_pattern
def follow(*, by: Viewer, user_id: str, is_widely_followed: bool = False) -> None:
    """Follows a person; safe to repeat. Raises `NotFound` if they are gone, `Locked` (also if they are suspended or
    waiting for approval), `Blocked`, `TooManyFollowed`, `Frozen`.

    One TransactWriteItems over six items, 12 write units: Following, Follower, both UserCounts, and checks that
    nobody blocks the other and that the account exists and is open. For a person with more than `PULL_ABOVE` followers,
    one consistent read instead of that check, and a transaction over four items, none of which other follows write:
    8 write units. `is_widely_followed` is what the caller saw. If it is true, it saves a try.

    Later the stream worker puts the followed person's newest posts into the follower's timeline.
    """
    by.must_have_voice()
    if by.user_id == user_id:
        raise CannotFollowYourself
    try:
        if not is_widely_followed:
            try:
                _follow_and_count(by.user_id, user_id)
            except WidelyFollowed:
                is_widely_followed = True
        if is_widely_followed:
            _follow_widely_followed(by.user_id, user_id)
    except AlreadyFollowing:
        return


def _follow_and_count(by: str, user_id: str) -> None:
    is_open = Check(
        keys.user_info(user_id),
        condition=is_there() & UserInfo.locked.does_not_exist(),
        otherwise=Locked,
    )
    transact(*new_edges(by, user_id, seen=today()), no_block(by, user_id), is_open)


def _follow_widely_followed(by: str, user_id: str) -> None:
    # A check within the transaction would make follows conflict on one item, as a count does. The account may be locked
    # between this read and the write. Then the follow counts as made a moment earlier.
    key = keys.user_info(user_id)
    info = fetch([key], consistent=True).get(key)
    if info is None:
        raise NotFound("no such person")
    person = PersonCard.from_raw(info)
    if person.is_locked or person.is_locked_out:
        raise Locked
    edges = new_edges(by, user_id, counted_by=WORKER, seen=today())
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
    """Removes a follower; safe to repeat. The same transaction as `unfollow`."""
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
