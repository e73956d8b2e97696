"""People rise by the rules: the worker looks once on each day on which they use the site. People who stay away cost
nothing, and nobody's page waits for it."""

from datetime import timedelta
from itertools import islice

from accounts.models import UserCount, UserInfo, UserSettings
from accounts.people.cards import posts_written_here
from moderation.models import Strike
from socialsite.clock import utc_now
from socialsite.site_settings.levels import QUIET_DAYS, Level, earned_level
from socialsite.site_settings.site_rules import site_rules
from socialsite.streams import Change, Ledger, on
from socialsite.table import Change as ChangeItem
from socialsite.table import Moved, fetch, ids, keys, query, row, transact

MOST_STRIKES = 50  # of 30 days: more change nothing


@on(UserSettings, "MODIFY")
def decide_level(change: Change, ledger: Ledger) -> None:
    """Gives a person the level that they have earned, on the first request of a day. People who joined too lately for
    any level above new are not read. Safe to run twice: it sets what the rules say now, if nobody changed it
    meanwhile.

    One consistent BatchGetItem of info and count, 2 read units, and a Query of their strikes of 30 days, 0.5 read units
    per 4 KB; one TransactWriteItems of UserInfo if their level changes, 2 write units.
    """
    old, new = change.old, change.new
    assert isinstance(old, UserSettings)
    assert isinstance(new, UserSettings)
    levels = site_rules().levels
    days = (utc_now() - ids.time_of(new.user_id)).days
    if old.seen == new.seen or days < min(one.days for one in levels if one.level != Level.NEW):
        return
    info_key, count_key = keys.user_info(new.user_id), keys.user_count(new.user_id)
    found = fetch([info_key, count_key], consistent=True)
    if info_key not in found or count_key not in found:
        return
    info = row(UserInfo, found[info_key])
    if info.level_given:
        return
    now = Level.of(info.level)
    posts = posts_written_here(row(UserCount, found[count_key]))
    earned = earned_level(
        levels, now=now, days=days, posts=posts, is_struck=_is_struck(new.user_id)
    )
    if earned == now:
        return
    stored = UserInfo.level
    as_read = stored == info.level if info.level else stored.does_not_exist()
    still = as_read & UserInfo.level_given.does_not_exist() & UserInfo.pk.exists()
    try:
        transact(ChangeItem(UserInfo, info_key, [stored.set(str(earned))], still, Moved))
    except Moved:  # staff gave one meanwhile, or the person is gone
        return
    ledger.note_effect()


def _is_struck(user_id: str) -> bool:
    """Whether staff decided against them in the last 30 days, and it was not undone."""
    since = ids.first_id_at(utc_now() - timedelta(days=QUIET_DAYS))
    between = keys.strikes_since(since)
    strikes = islice(query(keys.strikes(user_id), between=between), MOST_STRIKES)
    return any(not row(Strike, raw).undone_at for raw in strikes)
