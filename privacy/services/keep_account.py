"""Keeping an account that is closing: a change of mind within the grace."""

from accounts.models import Credentials, UserInfo
from accounts.viewer import Viewer
from privacy.services.close_account import ERASE, moment_of
from socialsite.clock import utc_now_iso
from socialsite.due.planning import cancel
from socialsite.table import keys, reading
from socialsite.table.actions import Change, Erase
from socialsite.table.errors import Conflict
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact
from socialsite.web.observing.security_log import Event, note_event


class TooLate(Conflict):
    """The erasure has begun."""


@access_pattern
def keep_account(*, by: Viewer) -> bool:
    """Takes the closing back, and shows the account again as it was. Returns False if it was not closing, and raises
    `TooLate` if the grace is over.

    Two consistent GetItems, 2 read units; one TransactWriteItems of UserInfo, Credentials, the due item and the
    receipt, 8 write units. The erasure begins by deleting the Credentials, so that one of the two wins.
    """
    info = reading.get(UserInfo, keys.user_info(by.account_id), consistent=True)
    if not info.closing:
        return False
    if info.closing <= utc_now_iso():
        raise TooLate
    own = keys.credentials(by.account_id)
    credentials = reading.get(Credentials, own, consistent=True)
    transact(
        Change(Credentials, own, [Credentials.receipt.remove()], otherwise=TooLate),
        Change(
            UserInfo,
            info.key,
            [UserInfo.closing.remove()],
            condition=UserInfo.closing == info.closing,
            otherwise=TooLate,
        ),
        cancel(ERASE, moment=moment_of(info.closing), subject=by.account_id),
        Erase(keys.receipt(str(credentials.receipt))),
    )
    note_event(Event.ACCOUNT_KEPT, account=by.account_id)
    return True
