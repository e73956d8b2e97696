"""Changing your handle. The old one stays yours for 90 days, and leads to you."""

from datetime import datetime

from accounts.handles.former import KEPT, former_handles
from accounts.handles.holders import Holder, holder_of
from accounts.mail.posting import post_mail
from accounts.models import HandleClaim, UserInfo, UserSettings
from accounts.services.sign_up import HandleTaken
from accounts.viewer import Viewer
from socialsite.clock import utc_now
from socialsite.table import keys
from socialsite.table.actions import Change, Create
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.errors import TableError
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch
from socialsite.table.row import row
from socialsite.table.writing import transact
from socialsite.web.bounds.limits import HANDLE_CHANGES, hit
from socialsite.web.observing.security_log import Event, note_event


class ChangedTooOften(TableError):
    """The person changed their handle as often as `HANDLE_CHANGES` allows."""


@access_pattern
def change_handle(*, by: Viewer, handle: str) -> None:
    """Gives the signed-in person another handle; their present one becomes a former one. Their own former handle they
    can take back. Does nothing if they have the handle already, so it is safe to repeat.

    Raises `HandleTaken`, also for handles that someone else had in the last 90 days, `ChangedTooOften`, and `Frozen`.

    One BatchGetItem of UserInfo, UserSettings and the claim, consistent, 3 read units. One TransactWriteItems of both
    claims, UserInfo, UserSettings, the limit and the letter, 12 write units. The stream worker lists the person in the
    directory under the new handle later.
    """
    by.must_have_voice()
    info_key, settings_key = keys.user_info(by.user_id), keys.user_settings(by.user_id)
    claim_key = keys.handle_claim(handle)

    def attempt() -> bool:
        now = utc_now().replace(microsecond=0)
        found = fetch([info_key, settings_key, claim_key], consistent=True)
        old = row(UserInfo, found.get(info_key, {})).handle
        if old == handle:
            return False
        transact(
            _take(handle, by.user_id, found.get(claim_key)),
            _give_up(old, by.user_id, now),
            Change(
                UserInfo, info_key, [UserInfo.handle.set(handle)], UserInfo.handle == old, Moved
            ),
            _list_former(row(UserSettings, found.get(settings_key, {})), by, old, handle, now),
            hit(HANDLE_CHANGES, by.user_id, otherwise=ChangedTooOften),
            post_mail("handle-changed", user_id=by.user_id, old=old),
        )
        return True

    if write_as_read(attempt):
        note_event(Event.HANDLE_CHANGED, account=by.user_id)


def _take(handle: str, user_id: str, claim: RawItem | None) -> Create | Change:
    if holder_of(claim) == Holder(user_id, is_former=True):
        again = [HandleClaim.former.remove(), HandleClaim.ttl.remove()]
        own = (HandleClaim.user_id == user_id) & HandleClaim.former.exists()
        return Change(HandleClaim, keys.handle_claim(handle), again, own, Moved)
    claimed = HandleClaim.new(handle=handle, user_id=user_id)
    return Create(claimed, otherwise=HandleTaken, over_expired=True)


def _give_up(handle: str, user_id: str, now: datetime) -> Change:
    actions = [HandleClaim.former.set(now.isoformat()), HandleClaim.ttl.set(now + KEPT)]
    own = (HandleClaim.user_id == user_id) & HandleClaim.former.does_not_exist()
    return Change(HandleClaim, keys.handle_claim(handle), actions, own, Moved)


def _list_former(settings: UserSettings, by: Viewer, old: str, new: str, now: datetime) -> Change:
    """Returns the change of the list, as it was read. It forgets what is not kept any more, so it stays short."""
    kept = {one.handle: one.given_up for one in former_handles(settings)} | {old: now}
    wanted = {handle: at.isoformat() for handle, at in kept.items() if handle != new}
    attribute, listed = UserSettings.former_handles, settings.former_handles
    as_read = attribute == listed if listed else attribute.does_not_exist()
    return Change(
        UserSettings, keys.user_settings(by.user_id), [attribute.set(wanted)], as_read, Moved
    )
