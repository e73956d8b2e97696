"""Removing the passkeys that were added since a moment: those of a thief, when a change of address is taken back."""

from datetime import datetime

from accounts.models import Passkey
from accounts.services.passkeys.change import remove_passkey
from accounts.viewer import Viewer
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import query
from socialsite.table.row import row


@access_pattern
def remove_passkeys_since(*, user_id: str, moment: datetime) -> None:
    """Deletes the passkeys that were added to an account since a moment. Safe to repeat.

    One consistent Query, 1 read unit for each 8 passkeys or so, and 6 write units for each that goes.
    """
    place = keys.credentials(user_id).sk
    for raw in list(query(keys.ways_in(user_id), consistent=True)):
        if raw["SK"]["S"] == place:
            continue
        passkey = row(Passkey, raw)
        if datetime.fromisoformat(passkey.created) >= moment:
            remove_passkey(by=Viewer(user_id), credential_hash=passkey.credential_hash)
