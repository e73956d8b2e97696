"""Privacy settings: who may follow without asking, who sees old posts, and whether others get the person suggested
and search engines list them."""

from datetime import datetime

from accounts.models import UserInfo
from accounts.viewer import Viewer
from socialsite.table import ids, keys
from socialsite.table.meter import access_pattern
from socialsite.table.writing import change


@access_pattern
def save_privacy(
    *,
    by: Viewer,
    locked: bool,
    archived_before: datetime | None,
    not_suggested: bool,
    not_indexed: bool,
) -> None:
    """Writes all four to `u#<id>` `info`. One UpdateItem, 1 write unit.

    They take effect on everyone's next read. Posts older than `archived_before` are for followers only, a locked
    account must be asked first, and people who are `not_suggested` are only found by their name. Search engines are
    asked to leave out people who are `not_indexed`. Waiting requests stay (`answer_waiting_requests`).
    """
    edge = ids.first_id_at(archived_before) if archived_before else ""
    actions = [
        attribute.set(value) if value else attribute.remove()
        for attribute, value in (
            (UserInfo.locked, "yes" if locked else ""),
            (UserInfo.archived_before, edge),
            (UserInfo.not_suggested, "yes" if not_suggested else ""),
            (UserInfo.not_indexed, "yes" if not_indexed else ""),
        )
    ]
    change(UserInfo, keys.user_info(by.user_id), actions)
