"""A person's own email address, for their own eyes."""

from dataclasses import dataclass
from datetime import datetime

from accounts.encryption.emails import decrypt_email
from accounts.encryption.sealed_attribute import Sealed
from accounts.models import Credentials
from accounts.viewer import Viewer
from socialsite.clock import utc_now
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch, get
from socialsite.table.row import row


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """`confirmed` is the address, empty if they confirmed none yet. `wished` waits for its link to be opened.

    `fixed_until` is the moment until which the last change can be undone, and before which no other begins."""

    confirmed: str
    wished: str
    fixed_until: datetime | None


@access_pattern
def get_own_address(viewer: Viewer) -> OwnAddress:
    """GetItem of Credentials, consistent: 1 read unit, and 0.5 for the person's key."""
    credentials = get(Credentials, keys.credentials(viewer.user_id), consistent=True)
    return OwnAddress(
        confirmed=readable(credentials.email, viewer.user_id),
        wished=readable(credentials.wished_email, viewer.user_id),
        fixed_until=fixed_until(credentials),
    )


@access_pattern
def find_wished_address(user_id: str) -> str:
    """Returns the address that someone has still to confirm, empty if there is none. Costs what `get_own_address`
    does."""
    key = keys.credentials(user_id)
    raw = fetch([key], consistent=True).get(key, {})
    return readable(row(Credentials, raw).wished_email, user_id)


def readable(encrypted: Sealed | None, user_id: str) -> str:
    return decrypt_email(encrypted, user_id=user_id) if encrypted else ""


def fixed_until(credentials: Credentials) -> datetime | None:
    """Returns the moment until which the last change can be undone, None if that has passed."""
    if not credentials.undo_until:
        return None
    moment = datetime.fromisoformat(credentials.undo_until)
    return moment if moment > utc_now() else None
