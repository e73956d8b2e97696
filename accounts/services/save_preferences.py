"""Keeps someone's preferences in the account, so that another browser gets them when the person signs in."""

from accounts.models import UserSettings
from accounts.viewer import Viewer
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.writing import change
from socialsite.web.preferences import Preferences


@access_pattern
def save_preferences(*, by: Viewer, preferences: Preferences) -> None:
    """Writes all of them to `u#<id>` `settings`. One UpdateItem, 1 write unit. Pages never read them."""
    action = UserSettings.preferences.set(str(preferences))
    change(UserSettings, keys.user_settings(by.user_id), [action])
