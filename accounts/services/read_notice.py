"""Marking a notice from moderators as read."""

from accounts.models import UserSettings
from accounts.viewer import Viewer
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.writing import change


@access_pattern
def read_notice(*, by: Viewer) -> None:
    """Removes the notice from every page. Safe to repeat. One UpdateItem, 1 write unit."""
    change(UserSettings, keys.user_settings(by.account_id), [UserSettings.notice.remove()])
