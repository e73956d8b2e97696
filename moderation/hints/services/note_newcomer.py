"""Noting a new account beside others of the same network, and a hint once there are several."""

from datetime import datetime

from accounts.models import Origin
from moderation.hints.counting import hint_at, note_account
from moderation.hints.hint_ids import hint_id_of
from moderation.models import HintKind
from socialsite.table.meter import access_pattern


@access_pattern
def note_newcomer(origin: Origin, *, moment: datetime) -> None:
    """Notes the account for the network and the UTC day, and from 5 accounts on the hint that staff see. The origin's
    partition is not read, and its hash not kept: the id of the hint is a hash of both. Safe to repeat with the same
    moment.

    One TransactWriteItems of SamePost, 2 write units, and a consistent Query of at most 100 accounts, 1 read unit per
    4 KB; from the fifth account on, one TransactWriteItems of Hint, 2 write units.
    """
    day = f"{moment:%Y-%m-%d}"
    hint_id = hint_id_of(day, HintKind.PLACE, f"{day} {origin.key.pk}")
    accounts = note_account(hint_id, origin.user_id, moment)
    hint_at(hint_id, HintKind.PLACE, accounts, moment)
