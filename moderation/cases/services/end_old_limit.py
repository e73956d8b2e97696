"""Gives an end to limits of older versions, which word filters set for ever and without a strike."""

from contextlib import suppress
from datetime import timedelta

from accounts.models import UserInfo
from accounts.restrictions import FOR_EVER
from moderation.cases.effects import RESTRICTIONS
from moderation.models import ActionKind, Strike
from socialsite.clock import utc_now
from socialsite.site.word_filters import DAYS_LIMITED
from socialsite.table import keys
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, query
from socialsite.table.row import row
from socialsite.table.writing import change


@access_pattern
def end_old_limit(raw: RawItem) -> None:
    """Lets the limit on an account end after the days of today's default, if it has no end and no strike that names it:
    nobody could appeal against it or undo it. Safe to repeat. For such an account one consistent Query of its strikes,
    then UpdateItem, 1 write unit."""
    info = row(UserInfo, raw)
    if info.limited_until != FOR_EVER:
        return
    strikes = query(keys.strikes(info.user_id), consistent=True)
    if any(_limits(strike) for strike in strikes):
        return
    end = (utc_now() + timedelta(days=DAYS_LIMITED)).isoformat(timespec="seconds")
    still = UserInfo.limited_until == FOR_EVER
    with suppress(NotFound):  # another moderator limited or freed them meanwhile
        ended = [UserInfo.limited_until.set(end)]
        change(UserInfo, keys.user_info(info.user_id), ended, condition=still)


def _limits(raw: RawItem) -> bool:
    strike = row(Strike, raw)
    limit = RESTRICTIONS[ActionKind.LIMIT]
    return not strike.undone_at and RESTRICTIONS.get(ActionKind(strike.kind)) == limit
