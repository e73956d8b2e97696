"""Formats log lines: readable in development, one JSON object each in production.

Every line names the request that it belongs to. Fields of an event come as `extra={"fields": {…}}`.
"""

import json
import logging
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

# The current request's, empty outside one. They stay after it, for Django's line about its status, until the next one.
request_id: ContextVar[str] = ContextVar("request_id", default="")
request_address: ContextVar[str] = ContextVar("request_address", default="")


class LineFormatter(logging.Formatter):
    """Writes time, level, logger, message, fields and request, with control characters escaped, so that nobody can add
    a line by sending one. A traceback follows on its own lines."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's own name
        fields = "".join(f" {name}={value}" for name, value in _fields(record).items())
        return _printable(f"{super().formatMessage(record)}{fields}")


class JsonFormatter(logging.Formatter):
    """Writes one JSON object with the same content, times in UTC, and a traceback as `trace`."""

    def format(self, record: logging.LogRecord) -> str:
        content = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **_fields(record),
        }
        if record.exc_info:
            content["trace"] = self.formatException(record.exc_info)
        return json.dumps(content, ensure_ascii=False, default=str)


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
