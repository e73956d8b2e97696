"""Tells people that staff secured their account."""

from moderation.models import Secured
from moderation.notices import SECURED
from socialsite.streams import Change, Ledger, on
from socialsite.telling import Cause, tell


@on(Secured, "INSERT")
def notify_of_securing(change: Change, ledger: Ledger) -> None:
    """Tells someone that their account was secured: they read it once they are back."""
    secured = change.item
    assert isinstance(secured, Secured)
    cause = Cause(secured.secured_id, secured.key, about=secured.secured_id)
    tell(secured.user_id, SECURED, cause).enter(ledger)
