"""Choosing what to be told."""

from collections.abc import Collection

from accounts.models import UserSettings
from accounts.viewer import Viewer
from notifications.choices import OptOut
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.writing import change


@access_pattern
def choose_notifications(*, by: Viewer, opted_out: Collection[OptOut]) -> None:
    """Writes what the person does not want to be told. It holds for what comes from now on. Safe to repeat.

    One UpdateItem of `u#<id>` `settings`, 1 write unit.
    """
    value = {str(one) for one in opted_out}
    chosen = UserSettings.opted_out.set(value) if value else UserSettings.opted_out.remove()
    change(UserSettings, keys.user_settings(by.user_id), [chosen])
