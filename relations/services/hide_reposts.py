"""Hiding what someone reposts, while their own posts stay in the home timeline."""

from accounts.models import UserSettings
from accounts.viewer import Viewer
from socialsite.table import keys
from socialsite.table.errors import TableError
from socialsite.table.meter import access_pattern
from socialsite.table.writing import change

MOST = 100  # people, so that the settings stay a small item


class TooManyWithoutReposts(TableError):
    """The person hides the reposts of as many people as they can."""


@access_pattern
def hide_reposts(*, by: Viewer, user_id: str) -> None:
    """Leaves a person's reposts out of the home timeline from the next read on. Safe to repeat. Raises
    `TooManyWithoutReposts`. One UpdateItem of the own settings, 1 write unit."""
    if user_id not in by.without_reposts and len(by.without_reposts) >= MOST:
        raise TooManyWithoutReposts
    hidden = [UserSettings.without_reposts.add({user_id})]
    change(UserSettings, keys.user_settings(by.user_id), hidden)


@access_pattern
def show_reposts(*, by: Viewer, user_id: str) -> None:
    """Shows them again. Safe to repeat. One UpdateItem of the own settings, 1 write unit."""
    shown = [UserSettings.without_reposts.delete({user_id})]
    change(UserSettings, keys.user_settings(by.user_id), shown)
