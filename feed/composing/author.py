"""The author of a scheduled post as the actor of its publishing, without a request."""

from accounts.cards import PersonCard
from accounts.circles import circles_of
from accounts.models import UserSettings
from accounts.viewer import Viewer
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch
from socialsite.table.row import row


@access_pattern
def read_author(user_id: str) -> Viewer | None:
    """Returns a person as they stand at this moment, with their circles, None once they are erased. People who are
    locked out are returned too: their card says so. One consistent BatchGetItem of two keys, 2 read units."""
    info, settings = keys.user_info(user_id), keys.user_settings(user_id)
    found = fetch([info, settings], consistent=True)
    if info not in found:
        return None
    kept = found.get(settings, {})
    return Viewer(
        user_id,
        card=PersonCard.from_raw(found[info], viewer_id=user_id),
        circles=circles_of(kept),
        is_confirmed=not row(UserSettings, kept).unconfirmed,
    )
