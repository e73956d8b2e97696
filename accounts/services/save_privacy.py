"""Who may follow without asking, who sees old posts, and whether one is proposed to others."""

from datetime import datetime

from accounts.models import UserInfo
from accounts.viewer import Viewer
from socialsite.table import ids, keys
from socialsite.table.meter import access_pattern
from socialsite.table.writing import change


@access_pattern
def save_privacy(
    *, by: Viewer, locked: bool, archived_before: datetime | None, not_suggested: bool
) -> None:
    """Keeps all three in `u#<id>` `info`; one UpdateItem, 1 write unit.

    They act on the next read of anyone: posts older than `archived_before` are for followers only, a locked account
    is asked first, who is `not_suggested` is found by their name alone. Requests that wait stay
    (`answer_waiting_requests`).
    """
    edge = ids.first_id_at(archived_before) if archived_before else ""
    actions = [
        attribute.set(value) if value else attribute.remove()
        for attribute, value in (
            (UserInfo.locked, "yes" if locked else ""),
            (UserInfo.archived_before, edge),
            (UserInfo.not_suggested, "yes" if not_suggested else ""),
        )
    ]
    change(UserInfo, keys.user_info(by.user_id), actions)
