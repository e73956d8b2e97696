"""Taking a break: an account that its owner has hidden, with everything kept."""

from accounts.models import UserInfo
from accounts.viewer import Viewer
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.writing import change
from socialsite.web.observing.security_log import Event, note_event


@access_pattern
def pause_account(*, by: Viewer) -> None:
    """Hides the person and all they wrote from everyone else, at the next request. Safe to repeat.

    One UpdateItem of UserInfo, 1 write unit: the same reads that leave out suspended people leave them out.
    """
    change(UserInfo, keys.user_info(by.user_id), [UserInfo.paused.set("yes")])
    note_event(Event.ACCOUNT_PAUSED, account=by.user_id)


@access_pattern
def end_pause(*, by: Viewer) -> None:
    """Brings the person back as they were. Other restrictions stay. Safe to repeat. One UpdateItem, 1 write unit."""
    change(UserInfo, keys.user_info(by.account_id), [UserInfo.paused.remove()])
    note_event(Event.PAUSE_ENDED, account=by.account_id)
