"""Closing an account. It is out of sight at once, and erased after two weeks unless its owner keeps it."""

import secrets
from collections.abc import Sequence
from datetime import datetime

from accounts.access_patterns import get_user_info
from accounts.mail.posting import post_mail
from accounts.models import Credentials, UserInfo
from accounts.permissions import ADMIN, list_staff
from accounts.services.end_sign_ins import end_sign_ins_with
from accounts.viewer import Viewer
from privacy.erasure.terms import GRACE
from privacy.models import Receipt
from socialsite.clock import utc_now
from socialsite.due.planning import plan
from socialsite.table import keys
from socialsite.table.actions import Change, Check, Create, WriteAction
from socialsite.table.errors import Conflict, TableError
from socialsite.table.meter import access_pattern
from socialsite.web.observing.security_log import Event, note_event

ERASE = "erase"  # the kind of the due item


class LastAdmin(TableError):
    """Without this person, nobody could give anyone a role."""


class AlreadyClosing(Conflict):
    """The account is closing already."""


@access_pattern
def close_account(*, by: Viewer, at_once: bool = False) -> str:
    """Closes the account of the signed-in person, who can also be suspended, and returns the id of the receipt. The
    page asks for a proof before. Costs as `begin_closing`, and raises what it raises."""
    return begin_closing(user_id=by.account_id, at_once=at_once)


@access_pattern
def begin_closing(*, user_id: str, at_once: bool = False) -> str:
    """Hides an account, ends all its sign-ins with a new epoch, and plans its erasure. Returns the id of the receipt.
    Raises `LastAdmin`, `AlreadyClosing`, `NotFound`.

    Two Queries, 2 read units, of admins one Query more and 0.5 each of the staff; one TransactWriteItems of
    Credentials, UserSettings, UserInfo, Receipt, the due item and, during the grace, the letter: 10 or 12 write units,
    and 2 for each sign-in.
    """
    now = utc_now()
    closing = now if at_once else now + GRACE
    receipt_id = secrets.token_urlsafe(16)
    receipt = Receipt.new(
        receipt_id=receipt_id,
        asked_at=now.isoformat(timespec="seconds"),
        closing=closing.isoformat(timespec="seconds"),
    )
    end_sign_ins_with(
        Change(Credentials, keys.credentials(user_id), [Credentials.receipt.set(receipt_id)]),
        user_id=user_id,
        and_also=[
            *_another_admin(user_id),
            Change(
                UserInfo,
                keys.user_info(user_id),
                [UserInfo.closing.set(receipt.closing)],
                condition=UserInfo.closing.does_not_exist(),
                otherwise=AlreadyClosing,
            ),
            Create(receipt),
            *([] if at_once else [_told(user_id, receipt.closing)]),
            plan(
                ERASE, moment=moment_of(receipt.closing), subject=user_id, closing=receipt.closing
            ),
        ],
    )
    note_event(Event.ACCOUNT_CLOSED, account=user_id)
    return receipt_id


def _told(user_id: str, closing: str) -> Create:
    """Returns the action that posts the letter. Nobody can read the address of an account that goes at once."""
    return post_mail("account-closing", user_id=user_id, closing=closing)


def moment_of(closing: str) -> datetime:
    """Returns the moment that stands in `UserInfo.closing`."""
    return datetime.fromisoformat(closing)


def _another_admin(user_id: str) -> Sequence[WriteAction]:
    """Returns the check that another administrator stays, if the person is one. Two who leave at the same moment both
    check the other. Raises `LastAdmin`."""
    if get_user_info(user_id, consistent=True).role != ADMIN:
        return []
    for other in list_staff():
        if other.role == ADMIN and other.user_id != user_id and not other.is_locked_out:
            stays = (UserInfo.role == ADMIN) & UserInfo.closing.does_not_exist()
            return [Check(keys.user_info(other.user_id), stays, otherwise=LastAdmin)]
    raise LastAdmin
