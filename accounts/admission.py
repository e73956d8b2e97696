"""The terms on which someone joins: freely, by an invitation, or after a moderator approves.

The sign-up form works out the terms from the site's settings, and `services/sign_up.py` writes them.
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
    """The terms of one sign-up. By default there are none, as for `createadmin` and the demo people."""

    waits: bool = False  # whether they wait until a moderator approves
    asked: str = ""  # why they would like to join
    invite: str = ""  # its code loses a use
    most_a_day: int = 0  # sign-ups a day without an invitation; 0: no limit


FREELY = Admission()


class InviteUnknown(TableError):
    """The invitation does not exist, or has ended."""


class InviteUsedUp(TableError):
    """The invitation has no uses left."""


@access_pattern
def check_invite(code: str) -> None:
    """Raises `InviteUnknown` or `InviteUsedUp` if signing up with this code would. GetItem `site#invite`, 1 read
    unit."""
    if not CODE.fullmatch(code):
        raise InviteUnknown(code)
    try:
        invite = get(Invite, keys.invite(code), consistent=True)
    except NotFound as error:
        raise InviteUnknown(code) from error
    if invite.uses_left < 1:
        raise InviteUsedUp(code)


def take_invite(code: str, *, otherwise: type[TableError]) -> Change:
    """Returns the action that takes one use of the invitation, for the sign-up transaction."""
    is_live = Invite.ttl > utc_now()
    return Change(
        Invite,
        keys.invite(code),
        [Invite.uses_left.add(-1)],
        condition=(Invite.uses_left > 0) & is_live,
        otherwise=otherwise,
    )
