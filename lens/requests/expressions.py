"""The expressions of a request with their names and values in place, as people read them."""

import re
from collections.abc import Mapping
from typing import Any

NAME = re.compile(r"[#:]\w+")


def in_words(request: Mapping[str, Any], part: str) -> str:
    """Returns one expression of the request, such as `PK = u#…#post AND SK < p#…`."""
    names = request.get("ExpressionAttributeNames", {})
    values = request.get("ExpressionAttributeValues", {})

    def named(match: re.Match[str]) -> str:
        short = match[0]
        if short in names:
            return str(names[short])
        return _value(values[short]) if short in values else short

    return NAME.sub(named, request.get(part, ""))


def _value(value: Mapping[str, Any]) -> str:
    ((kind, content),) = value.items()
    if kind in ("SS", "NS"):
        return "{" + ", ".join(content) + "}"
    return f"({len(content)} letters)" if kind == "B" else str(content)
