"""On what terms someone joins: freely, by an invitation, or waiting until a moderator approves.

What the site's rules ask for is worked out by the sign-up form; `services/sign_up.py` writes it.
"""

import re
from dataclasses import dataclass

from socialsite.clock import utc_now
from socialsite.models import Invite
from socialsite.table import keys
from socialsite.table.actions import Change
from socialsite.table.errors import NotFound, TableError
from socialsite.table.meter import access_pattern
from socialsite.table.reading import get

CODE = re.compile(r"[A-Za-z0-9_-]{8,40}")


@dataclass(frozen=True, slots=True)
class Admission:
    """By default there are no terms, as for `createadmin` and the people of the demo."""

    waits: bool = False  # until a moderator approves
    asked: str = ""  # why they would like to join
    invite: str = ""  # the code of which one use is taken
    most_a_day: int = 0  # people without an invitation; 0: as many as come


FREELY = Admission()


class InviteUnknown(TableError):
    """There is no such invitation, or not any more."""


class InviteUsedUp(TableError):
    """As many as were invited have come."""


@access_pattern
def check_invite(code: str) -> None:
    """Raises `InviteUnknown` or `InviteUsedUp` where signing up with it would; GetItem `site#invite`, 1 read unit."""
    if not CODE.fullmatch(code):
        raise InviteUnknown(code)
    try:
        invite = get(Invite, keys.invite(code), consistent=True)
    except NotFound as error:
        raise InviteUnknown(code) from error
    if invite.uses_left < 1:
        raise InviteUsedUp(code)


def take_invite(code: str, *, otherwise: type[TableError]) -> Change:
    """One use of it, as a part of the transaction that signs someone up."""
    is_live = Invite.ttl > utc_now()
    return Change(
        Invite,
        keys.invite(code),
        [Invite.uses_left.add(-1)],
        condition=(Invite.uses_left > 0) & is_live,
        otherwise=otherwise,
    )
