"""Creating invitations, and ending them before they are used up."""

import secrets
from datetime import timedelta

from accounts.admission import CODE
from accounts.viewer import Viewer
from moderation.audit.record import record
from moderation.rules.invites import list_invites
from moderation.rules.services.site import TooMany
from socialsite.clock import utc_now
from socialsite.models import Invite
from socialsite.table import keys
from socialsite.table.actions import Create, Delete
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern

MOST_INVITES = 200
CODE_BYTES = 12  # so that nobody guesses a code


@access_pattern
def make_invite(*, by: Viewer, uses: int, days: int, comment: str = "") -> str:
    """Creates an invitation for a number of people and days, and returns its code. Raises `TooMany`.

    One Query of the invitations, then TransactWriteItems of Invite and the audit entry.
    """
    if len(list_invites()) >= MOST_INVITES:
        raise TooMany(MOST_INVITES)
    invite = Invite.new(
        code=secrets.token_urlsafe(CODE_BYTES),
        creator_id=by.user_id,
        uses_left=uses,
        comment=comment,
        ttl=utc_now() + timedelta(days=days),
    )
    detail = {"uses": uses, "days": days, "comment": comment}
    record(Create(invite), by=by.user_id, action="make invite", detail=detail)
    return str(invite.code)


@access_pattern
def end_invite(*, by: Viewer, code: str) -> None:
    """Ends an invitation at once. Raises `NotFound`. One TransactWriteItems with the audit entry."""
    if not CODE.fullmatch(code):
        raise NotFound("no such invitation")
    record(Delete(keys.invite(code)), by=by.user_id, action="end invite")
