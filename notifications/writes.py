"""What pressing a button on the page of notifications writes."""

from collections.abc import Callable, Collection

from accounts.models import Bell, UserSettings, unseen_group
from accounts.people.viewer import Viewer, Waiting
from notifications.reads import token_of
from socialsite.table import Moved, access_pattern, change, fetch, keys, write_optimistically
from socialsite.telling import OptOut


@access_pattern
def choose_notifications(*, by: Viewer, opted_out: Collection[OptOut]) -> None:
    """Writes what the person does not want to be told. It holds for what comes from now on. Safe to repeat.

    One UpdateItem of `u#<id>` `settings`, 1 write unit.
    """
    value = {str(one) for one in opted_out}
    chosen = UserSettings.opted_out.set(value) if value else UserSettings.opted_out.remove()
    change(UserSettings, keys.user_settings(by.user_id), [chosen])


@access_pattern
def read_notifications(*, by: Viewer, up_to: int) -> Waiting:
    """Marks all groups as read whose last change has at most this number. Safe to repeat. Returns what still waits.

    BatchGetItem of the bell, consistent, 1 read unit, and one UpdateItem, 1 to 4 write units; both again if a
    notification comes in between.
    """

    def is_read(group: str, value: str) -> bool:
        return int(value[keys.TIME + 1 :]) <= up_to

    return write_optimistically(lambda: _read(by.user_id, is_read))


@access_pattern
def read_shown(*, by: Viewer, tokens: Collection[str]) -> Waiting:
    """Marks as read the groups that a page showed, unless they changed since. Safe to repeat. Returns what still waits.
    The same calls as `read_notifications`."""
    return write_optimistically(
        lambda: _read(by.user_id, lambda group, value: token_of(group, value) in tokens)
    )


def _read(user_id: str, is_read: Callable[[str, str], bool]) -> Waiting:
    key = keys.bell(user_id)
    raw = fetch([key], consistent=True).get(key, {})
    waiting = Waiting.from_raw(raw)
    seen = {group: value for group, value in waiting.unseen.items() if is_read(group, value)}
    if not seen:
        return waiting
    condition = Bell.pk.exists()
    for group, value in seen.items():
        condition &= unseen_group(group) == value
    removals = [unseen_group(group).remove() for group in seen]
    change(Bell, key, removals, condition=condition, otherwise=Moved)
    rest = {group: value for group, value in waiting.unseen.items() if group not in seen}
    return Waiting(rest, waiting.requests, waiting.changes)
