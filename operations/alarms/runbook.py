"""What docs/runbook.md says to do about each alarm, for the page that shows it: one place, read as it is."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from django.conf import settings
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

LINES = re.compile(r"^### (\w+)\n+(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")
CODE = re.compile(r"`([^`]*)`")


@cache
def runbook_lines() -> Mapping[str, tuple[SafeString, ...]]:
    """Returns the paragraphs below each heading of an alarm's name, empty where the documents were left out."""
    file = Path(settings.BASE_DIR) / "docs" / "runbook.md"
    text = file.read_text() if file.exists() else ""
    return {
        name: tuple(_shown(one) for one in body.strip().split("\n\n"))
        for name, body in LINES.findall(text)
    }


def _shown(paragraph: str) -> SafeString:
    plain = escape(LINK.sub(r"\1", " ".join(paragraph.split())))
    return mark_safe(CODE.sub(r"<code>\1</code>", plain))  # noqa: S308 - our own document, escaped
