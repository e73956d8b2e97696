"""The security log: each event with its account, address and request, but never a secret.

Passwords, codes, tokens and email addresses stay out. So does the typed account name, because people sometimes type a
password there.
"""

import logging
from enum import StrEnum

from socialsite.web.observing import metrics
from socialsite.web.observing.logs import request_address

log = logging.getLogger("security")


class Event(StrEnum):
    """A security event. Alarms look for these names, so they do not change."""

    SIGNED_UP = "signed-up"
    SIGNED_IN = "signed-in"
    SIGNED_OUT = "signed-out"
    SIGN_INS_ENDED = "sign-ins-ended"
    WRONG_PASSWORD = "wrong-password"  # noqa: S105 - the name of an event
    WRONG_CODE = "wrong-code"
    PASSWORD_CHANGED = "password-changed"  # noqa: S105 - the name of an event
    POSTS_DELETED = "posts-deleted"
    OLD_POSTS_WISHED_GONE = "old-posts-wished-gone"
    HANDLE_CHANGED = "handle-changed"
    RESET_ASKED = "password-reset-asked"
    PASSWORD_RESET = "password-reset"  # noqa: S105 - the name of an event
    EMAIL_WISHED = "email-change-asked"
    EMAIL_CONFIRMED = "email-confirmed"
    EMAIL_CHANGED = "email-changed"
    EMAIL_CHANGE_UNDONE = "email-change-undone"
    ACCOUNT_PAUSED = "account-paused"
    PAUSE_ENDED = "pause-ended"
    ACCOUNT_CLOSED = "account-closed"
    ACCOUNT_KEPT = "account-kept"
    ACCOUNT_ERASED = "account-erased"
    IDENTITY_PROVED = "identity-proved"
    LIMIT_REACHED = "limit-reached"
    FACTOR_ON = "second-factor-on"
    FACTOR_OFF = "second-factor-off"
    FACTOR_RESET = "second-factor-reset"
    FACTOR_REPLACED = "second-factor-replaced"
    CODES_RENEWED = "recovery-codes-renewed"
    PASSKEY_ADDED = "passkey-added"
    PASSKEY_REMOVED = "passkey-removed"
    WRONG_PASSKEY = "wrong-passkey"
    PASSKEY_COPIED = "passkey-counter-back"
    EXPORT_ASKED = "export-asked"
    EXPORT_DOWNLOADED = "export-downloaded"
    ROLE_CHANGED = "role-changed"
    LENS_OPENED = "lens-opened"
    STAFF_ACTED = "staff-acted"
    TABLE_BROWSED = "table-browsed"
    NOT_PERMITTED = "not-permitted"
    FORM_REFUSED = "form-refused"
    ADDRESS_ALTERED = "address-altered"


def note_event(event: Event, *, account: str = "", **details: str | int) -> None:
    """Logs and counts one event. `account` is the id of the account that acted, empty if it is unknown."""
    known = {"account": account, "address": request_address.get(), **details}
    fields = {name: value for name, value in known.items() if value != ""}
    metrics.SECURITY_EVENTS.labels(str(event)).inc()
    log.info(str(event), extra={"fields": fields})
