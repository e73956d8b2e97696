"""Turns people's texts into HTML: everything is escaped, web addresses, @mentions and #tags become links. Never lets
user HTML through. What becomes a link is decided by `socialsite/texts/found.py`."""

import re
from collections.abc import Mapping
from html import escape

from django.utils.safestring import SafeString

from socialsite.texts.found import Found, find
from socialsite.texts.hashtags import tag_url
from socialsite.texts.unseen import isolated

SHOWN_LENGTH = 40


def rich_text(text: str, mentions: Mapping[str, str] | None = None) -> SafeString:
    """Returns the text as HTML with links for web addresses, for tags, and for mentions of the given people (handle:
    id), or of all handles if None. Direction marks act on nothing that stands after it. Linear in the length of the
    text."""
    text = isolated(text)
    parts: list[str] = []
    position = 0
    for found in find(text):
        parts.append(escape(text[position : found.start]))
        parts.append(_link(text[found.start : found.end], found, mentions))
        position = found.end
    parts.append(escape(text[position:]))
    return SafeString("".join(parts))  # every part is escaped above


def _link(shown: str, found: Found, mentions: Mapping[str, str] | None) -> str:
    if found.tag:
        return f'<a href="{tag_url(found.tag)}">{escape(shown)}</a>'
    if found.handle:
        return _mention(shown, found.handle.lower(), mentions)
    is_whole = shown[0] in "hH"  # with its scheme
    scheme, _, address = shown.partition("://") if is_whole else ("https", "", shown)
    href = f"{scheme.lower()}://{address}"
    label = _shown(address)
    return f'<a href="{escape(href)}" rel="nofollow noopener ugc">{escape(label)}</a>'


def _mention(shown: str, handle: str, mentions: Mapping[str, str] | None) -> str:
    """Returns a link that says whom it means, because the handle may be another person's one day."""
    if mentions is None:
        return f'<a href="/@{handle}">{shown}</a>'
    if user_id := mentions.get(handle):
        return f'<a href="/@{handle}?id={escape(user_id)}">{shown}</a>'
    return shown


def _shown(address: str) -> str:
    """Returns as much of the address as fits. The end of its host, which shows the owner, is always visible."""
    if len(address) <= SHOWN_LENGTH:
        return address
    host = re.split(r"[/?#]", address, maxsplit=1)[0]
    if len(host) < SHOWN_LENGTH:
        return f"{address[: SHOWN_LENGTH - 1]}…"
    end = "…" if len(address) > len(host) else ""
    return f"…{host[len(end) + 1 - SHOWN_LENGTH :]}{end}"
