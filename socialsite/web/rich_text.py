"""Turns people's texts into HTML: everything is escaped, web addresses and @mentions become links. Never lets user HTML
through."""

import re
from collections.abc import Collection
from html import escape

from django.utils.safestring import SafeString, mark_safe

from socialsite.hosts import is_host, normal_host

# These end an address in a Chinese sentence, where no space follows: full-width marks, brackets and curly quotes.
MARKS = r"\u2018-\u201f\u2026\u3000-\u3003\u3008-\u3011\u3014-\u301f"
MARKS += r"\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
# A word that follows a plain host without a space does not belong to it.
UNSPACED = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
LINKS = re.compile(
    rf"(?P<url>(?:https?://|(?:(?<={UNSPACED})|(?<![\w@/.:-]))[wW]ww\.)"
    rf"(?:[a-zA-Z0-9.-]{{1,250}}\.[a-zA-Z]{{2,63}}(?={UNSPACED})|[^\s<>\"'`{MARKS}]{{3,500}}))"
    r"|(?<![\w@/.])@(?P<handle>[a-zA-Z0-9_]{3,30})(?![\w@])"
)
TRAILING = ".,;:!?)]}»"
# Only a plain host: no user before it, no percent sign or backslash in it.
HOST = re.compile(r"(?:https?://)?(?P<host>[\w.-]+)(?::\d{1,5})?(?=[/?#]|$)")
NUMBER = re.compile(r"(0x)?[0-9a-f]*\d[0-9a-f]*|0x")  # the last part of a numeric address
SHOWN_LENGTH = 40


def rich_text(text: str, mentions: Collection[str] | None = None) -> SafeString:
    """Returns the text as HTML with links for web addresses and for mentions of the given handles, or of all handles if
    None.

    Linear in the length of the text: one pass of one expression without nested repetition.
    """
    if "@" not in text and "://" not in text and "ww." not in text:
        return mark_safe(escape(text))  # noqa: S308 - escaped
    parts: list[str] = []
    position = 0
    for match in LINKS.finditer(text):
        parts.append(escape(text[position : match.start()]))
        parts.append(_link(match, mentions))
        position = match.end()
    parts.append(escape(text[position:]))
    return mark_safe("".join(parts))  # noqa: S308 - every part is escaped above


def mentioned_handles(text: str) -> list[str]:
    """Returns the handles that a text mentions, in lower case, each once, in their order."""
    if "@" not in text:
        return []
    handles = (match["handle"] for match in LINKS.finditer(text))
    return list(dict.fromkeys(handle.lower() for handle in handles if handle))


def _link(match: re.Match[str], mentions: Collection[str] | None) -> str:
    handle = match["handle"]
    if handle:
        is_known = mentions is None or handle.lower() in mentions
        return f'<a href="/@{handle.lower()}">@{handle}</a>' if is_known else f"@{handle}"
    url = _without_trailing_marks(match["url"])
    rest = match["url"][len(url) :]
    host = HOST.match(url)
    if not host or not _leads_somewhere(host["host"]):
        return escape(match["url"])
    href = url if "://" in url[:8] else f"https://{url}"
    shown = _shown(url.removeprefix("https://").removeprefix("http://"))
    return f'<a href="{escape(href)}" rel="nofollow noopener ugc">{escape(shown)}</a>{escape(rest)}'


def _leads_somewhere(host: str) -> bool:
    """Whether a host has a domain. Names in the reader's own network and numeric addresses are not linked."""
    name = normal_host(host)
    return is_host(name) and not NUMBER.fullmatch(name.rpartition(".")[2])


def _shown(address: str) -> str:
    """Returns as much of the address as fits. The end of its host, which shows the owner, is always visible."""
    if len(address) <= SHOWN_LENGTH:
        return address
    host = re.split(r"[/?#]", address, maxsplit=1)[0]
    if len(host) < SHOWN_LENGTH:
        return f"{address[: SHOWN_LENGTH - 1]}…"
    end = "…" if len(address) > len(host) else ""
    return f"…{host[len(end) + 1 - SHOWN_LENGTH :]}{end}"


def _without_trailing_marks(url: str) -> str:
    """Returns the address without the sentence's closing marks. A bracket that the address itself opened stays."""
    while url and url[-1] in TRAILING:
        if url[-1] == ")" and url.count("(") >= url.count(")"):
            break
        url = url[:-1]
    return url
