"""The invitations that there are."""

from dataclasses import dataclass
from datetime import UTC, datetime

from socialsite.models import Invite
from socialsite.table import keys, reading
from socialsite.table.meter import access_pattern


@dataclass(frozen=True, slots=True)
class InviteCard:
    code: str
    uses_left: int
    comment: str
    until: datetime

    @property
    def path(self) -> str:
        return f"/signup?invite={self.code}"


@access_pattern
def list_invites() -> list[InviteCard]:
    """All that have not ended, also used up ones, those that end first first. One Query, 0.5 read units per 4 KB."""
    invites = [
        InviteCard(
            code=reading.text(raw, Invite.code),
            uses_left=reading.number(raw, Invite.uses_left),
            comment=reading.text(raw, Invite.comment),
            until=datetime.fromtimestamp(int(raw["ttl"]["N"]), UTC),
        )
        for raw in reading.query(keys.invites(), consistent=True)
    ]
    return sorted(invites, key=lambda invite: invite.until)
