"""Keeping someone's preferences with the account, so that signing in brings them to another browser."""

from accounts.models import UserSettings
from accounts.viewer import Viewer
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.writing import change
from socialsite.web.preferences import Preferences


@access_pattern
def save_preferences(*, by: Viewer, preferences: Preferences) -> None:
    """Keeps all of them in `u#<id>` `settings`; one UpdateItem, 1 write unit. Pages never read them."""
    action = UserSettings.preferences.set(str(preferences))
    change(UserSettings, keys.user_settings(by.user_id), [action])
