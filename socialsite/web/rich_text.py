"""What people wrote, as HTML: everything escaped, web addresses and @mentions linked. No user HTML, ever."""

import re
from html import escape

from django.utils.safestring import SafeString, mark_safe

LINKS = re.compile(
    r"(?P<url>https?://[^\s<>\"'`]{3,500})"
    r"|(?<![\w@/.])@(?P<handle>[a-zA-Z0-9_]{3,30})(?![\w@])"
)
TRAILING = ".,;:!?)]}’”»。，、！？）】」"
HOST = re.compile(r"https?://[\w-]+(\.[\w-]+)*([:/?#]|$)")
SHOWN_LENGTH = 40


def rich_text(text: str) -> SafeString:
    """Linear in the length of the text: one pass of one expression without nested repetition."""
    if "@" not in text and "://" not in text:
        return mark_safe(escape(text))  # noqa: S308 - escaped
    parts: list[str] = []
    position = 0
    for match in LINKS.finditer(text):
        parts.append(escape(text[position : match.start()]))
        parts.append(_link(match))
        position = match.end()
    parts.append(escape(text[position:]))
    return mark_safe("".join(parts))  # noqa: S308 - every part is escaped above


def _link(match: re.Match[str]) -> str:
    handle = match["handle"]
    if handle:
        return f'<a href="/@{handle.lower()}">@{handle}</a>'
    url = _without_trailing_marks(match["url"])
    rest = match["url"][len(url) :]
    if not HOST.match(url):
        return escape(match["url"])
    shown = url.split("://", 1)[1]
    if len(shown) > SHOWN_LENGTH:
        shown = shown[: SHOWN_LENGTH - 1] + "…"
    return f'<a href="{escape(url)}" rel="nofollow noopener ugc">{escape(shown)}</a>{escape(rest)}'


def _without_trailing_marks(url: str) -> str:
    """A sentence's marks do not belong to the address, but a bracket that it opened itself does."""
    while url and url[-1] in TRAILING:
        if url[-1] == ")" and url.count("(") >= url.count(")"):
            break
        url = url[:-1]
    return url
