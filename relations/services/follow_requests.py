"""Asking to follow someone with a locked account, and their answer. A waiting request grants nothing."""

from contextlib import suppress

from accounts.models import UserInfo
from accounts.restrictions import is_there, must_be_there
from accounts.viewer import Viewer
from relations.models import RelationType
from relations.relation import (
    AlreadyRelated,
    CannotRelateToYourself,
    NotRelated,
    end_relation,
    no_block,
    relate,
)
from relations.services.follow_edges import WORKER, AlreadyFollowing, WidelyFollowed, new_edges
from socialsite.table import keys
from socialsite.table.actions import Check
from socialsite.table.errors import TableError
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact

REQUEST = RelationType.FOLLOW_REQUEST


class NotLocked(TableError):
    """The account is open, so people can follow it without asking."""


@access_pattern
def request_follow(*, by: Viewer, user_id: str) -> None:
    """Asks to follow; safe to repeat. Raises `NotFound` (also if the person is suspended or waiting for approval),
    `NotLocked`, `Blocked`, `AlreadyFollowing`, `Frozen`.

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
            relate(by.user_id, REQUEST, user_id),
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
    """Declines a request, without telling the person; safe to repeat. 3 write units."""
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
