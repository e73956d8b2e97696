"""Notices when many new accounts come from one network (`moderation/hints/`)."""

from datetime import timedelta

from accounts.models import Origin
from accounts.signing_in.origins import OriginKind
from moderation.hints.services.note_newcomer import note_newcomer
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import ids, keys

NEW = timedelta(days=1)


@on(Origin, "INSERT")
def note_newcomers(change: Change, ledger: Ledger) -> None:
    """Notes accounts younger than a day by the networks that they sign in from; browsers are left alone. Signing in
    again from there changes the origin, and counts no more. Safe to run twice: it notes an account with the moment of
    the change, which is the same both times."""
    origin = change.item
    assert isinstance(origin, Origin)
    is_network = origin.key.pk.startswith(keys.origins(OriginKind.NETWORK, ""))
    if not is_network or change.moment - ids.time_of(origin.user_id) > NEW:
        return
    ledger.note_effect()
    note_newcomer(origin, moment=change.moment)
