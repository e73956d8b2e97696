"""Log lines: for people while developing, as JSON in production, and those that tell of security."""

import json
import logging
import re
from contextvars import ContextVar
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from socialsite.observing import metrics

# Formats log lines: readable in development, one JSON object each in production.
#
# Every line names the request that it belongs to. Fields of an event come as `extra={"fields": {…}}`.

# The current request's, empty outside one. They stay after it, for Django's line about its status, until the next one.
request_id: ContextVar[str] = ContextVar("request_id", default="")
request_address: ContextVar[str] = ContextVar("request_address", default="")


# These addresses end in a secret, or name a file by it, and Django logs the address of each refusal.
SECRET_ADDRESS = re.compile(
    r"(/(?:password/reset|email/confirm|email/undo|erased|u)/)[^/\s?#\"'\\]+|(/p?m/)[\w-]+/[\w.-]+"
    r"|(/api/photos/)[^\s\"'\\]+"  # what opens these is also in their query
)


# Django's lines for answers that are no fault. `requests` has one for each, `security` one for what matters.
OF_REFUSALS = ("django.request", "django.security.csrf")
BAD_REQUEST, FAULT = 400, 500
NO_ROUTE = "none"


class LineFormatter(logging.Formatter):
    """Writes time, level, logger, message, fields and request, with control characters escaped, so that nobody can add
    a line by sending one. A traceback follows on its own lines."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's own name
        fields = "".join(f" {name}={value}" for name, value in _fields(record).items())
        return hide_secrets(_printable(f"{super().formatMessage(record)}{fields}"))

    def formatException(self, ei: Any) -> str:  # noqa: N802 - logging's own name
        return hide_secrets(super().formatException(ei))


class JsonFormatter(logging.Formatter):
    """Writes one JSON object with the same content, times in UTC, and a traceback as `trace`. What Django says of an
    answer names its route, as its words quote the address, which names people. What strangers send is no error."""

    def format(self, record: logging.LogRecord) -> str:
        status = int(getattr(record, "status_code", 0))
        is_refusal = BAD_REQUEST <= status < FAULT
        content = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": "WARNING" if is_refusal else record.levelname,
            "logger": record.name,
            "message": _of_answer(record, status) if status else record.getMessage(),
            **_fields(record),
        }
        if record.exc_info and not is_refusal:
            content["trace"] = self.formatException(record.exc_info)
        return hide_secrets(json.dumps(content, ensure_ascii=False, default=str))


def route_of(request: Any) -> str:
    """Returns the pattern of the address, which names nobody. Strangers can ask for any address."""
    match = getattr(request, "resolver_match", None)
    return (match.route or "/") if match else NO_ROUTE


def hide_secrets(text: str) -> str:
    """Returns the text without the secrets of addresses."""
    return SECRET_ADDRESS.sub(r"\1\2\3…", text)


def logging_setup(*, debug: bool) -> dict[str, Any]:
    """Returns the `LOGGING` of the settings: every line to the console, as text in debug mode, otherwise as JSON."""
    rooms = (
        "socialsite",
        "accounts",
        "feed",
        "notifications",
        "chats",
        "moderation",
        "site_votes",
        "privacy",
        "costs",
        "security",
    )
    levels = {
        **dict.fromkeys(rooms, "INFO"),
        # Django itself tells of a fault by email alone, unless it is in debug mode.
        "django": "INFO" if debug else "WARNING",
        # A line for each request and each batch of the worker. In debug mode runserver has its own.
        "requests": "WARNING" if debug else "INFO",
        "worker": "WARNING" if debug else "INFO",
    }
    line = {"format": "{asctime} {levelname} {name} {message}", "style": "{"}
    here = "socialsite.observing.logs"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {"()": f"{here}.LineFormatter", **line},
            "json": {"()": f"{here}.JsonFormatter"},
        },
        "handlers": {
            "console": {"class": "logging.StreamHandler", "formatter": "line" if debug else "json"}
        },
        "loggers": {
            **{name: {"handlers": ["console"], "level": level} for name, level in levels.items()},
            **({} if debug else {name: {"level": "ERROR"} for name in OF_REFUSALS}),
        },
    }


_TOKEN_IN_ADDRESS = re.compile(r"(access_token=)[^&\s]+")


def hide_token(record: logging.LogRecord) -> bool:
    """Takes the token out of an address, where one may stand (`notifications/live/streams.py`): runserver writes a line
    with the address of each request."""
    if isinstance(record.args, tuple):
        record.args = tuple(
            _TOKEN_IN_ADDRESS.sub(r"\1…", one) if isinstance(one, str) else one
            for one in record.args
        )
    return True


def _of_answer(record: logging.LogRecord, status: int) -> str:
    return f"answered {status} at {route_of(getattr(record, 'request', None))}"


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    fields: dict[str, Any] = dict(getattr(record, "fields", {}))
    if asked := request_id.get():
        fields["request"] = asked
    return fields


def _printable(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in text
    )


log = logging.getLogger("security")


# The security log: each event with its account, address and request, but never a secret.
#
# Passwords, codes, tokens and email addresses stay out. So does the typed account name, because people
# sometimes type a password there.


class Event(StrEnum):
    """A security event. Alarms look for these names, so they do not change."""

    SIGNED_UP = "signed-up"
    SIGNED_IN = "signed-in"
    SIGNED_OUT = "signed-out"
    SIGN_INS_ENDED = "sign-ins-ended"
    APP_ALLOWED = "app-allowed"
    APP_ENDED = "app-ended"
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
    EMAIL_CAME_BACK = "email-came-back"
    ACCOUNT_SECURED = "account-secured"
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
    OWN_TOKEN_MADE = "own-token-made"  # noqa: S105 - the name of an event
    WRONG_PASSKEY = "wrong-passkey"
    PASSKEY_COPIED = "passkey-counter-back"
    EXPORT_ASKED = "export-asked"
    BROUGHT = "brought-from-elsewhere"
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
