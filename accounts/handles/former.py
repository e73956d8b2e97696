"""The former handles of a person: still theirs for 90 days, as their own pages and moderators see them.

`UserSettings` lists them, each with the moment of the change. The claims (`accounts/models/claims.py`) are what counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from accounts.models import UserInfo, UserSettings
from accounts.viewer import Viewer
from socialsite.clock import utc_now
from socialsite.table import keys
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch
from socialsite.table.row import row

KEPT = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class FormerHandle:
    handle: str
    given_up: datetime

    @property
    def until(self) -> datetime:
        return self.given_up + KEPT


@access_pattern
def get_own_handles(*, by: Viewer) -> tuple[str, list[FormerHandle]]:
    """Returns the viewer's present handle, and their former ones. BatchGetItem of `u#<id>` `info` and `settings`,
    consistent: 2 read units. Raises `NotFound`."""
    info_key, settings_key = keys.user_info(by.user_id), keys.user_settings(by.user_id)
    found = fetch([info_key, settings_key], consistent=True)
    if info_key not in found:
        raise NotFound("no such person")
    kept = row(UserSettings, found.get(settings_key, {}))
    return row(UserInfo, found[info_key]).handle, former_handles(kept)


def former_handles(settings: UserSettings) -> list[FormerHandle]:
    """Returns what the settings list and is still theirs, the newest first."""
    listed: Mapping[str, str] = settings.former_handles or {}
    found = [FormerHandle(handle, datetime.fromisoformat(at)) for handle, at in listed.items()]
    now = utc_now()
    return sorted((one for one in found if one.until > now), key=lambda one: one.given_up)[::-1]
