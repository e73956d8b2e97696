"""What people wrote, as HTML: everything escaped, web addresses and @mentions linked. No user HTML, ever."""

import re
from collections.abc import Collection
from html import escape

from django.utils.safestring import SafeString, mark_safe

from socialsite.hosts import is_host, normal_host

# What ends an address in a Chinese sentence, where no space follows: full-width marks, brackets and curly quotes.
MARKS = r"\u2018-\u201f\u2026\u3000-\u3003\u3008-\u3011\u3014-\u301f"
MARKS += r"\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
# Words that follow a plain host without a space do not belong to it.
UNSPACED = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
LINKS = re.compile(
    rf"(?P<url>(?:https?://|(?:(?<={UNSPACED})|(?<![\w@/.:-]))[wW]ww\.)"
    rf"(?:[a-zA-Z0-9.-]{{1,250}}\.[a-zA-Z]{{2,63}}(?={UNSPACED})|[^\s<>\"'`{MARKS}]{{3,500}}))"
    r"|(?<![\w@/.])@(?P<handle>[a-zA-Z0-9_]{3,30})(?![\w@])"
)
TRAILING = ".,;:!?)]}»"
# The host alone, written plainly: no user before it, no percent sign or backslash in it.
HOST = re.compile(r"(?:https?://)?(?P<host>[\w.-]+)(?::\d{1,5})?(?=[/?#]|$)")
NUMBER = re.compile(r"(0x)?[0-9a-f]*\d[0-9a-f]*|0x")  # the last part of an address of numbers
SHOWN_LENGTH = 40


def rich_text(text: str, mentions: Collection[str] | None = None) -> SafeString:
    """Links web addresses, and mentions of the given handles; of all handles where None were looked up.

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
    """Whether a host has a domain: names of the reader's own network and addresses of numbers are not linked."""
    name = normal_host(host)
    return is_host(name) and not NUMBER.fullmatch(name.rpartition(".")[2])


def _shown(address: str) -> str:
    """The address as far as there is room; the end of its host, which says whose it is, is always seen."""
    if len(address) <= SHOWN_LENGTH:
        return address
    host = re.split(r"[/?#]", address, maxsplit=1)[0]
    if len(host) < SHOWN_LENGTH:
        return f"{address[: SHOWN_LENGTH - 1]}…"
    end = "…" if len(address) > len(host) else ""
    return f"…{host[len(end) + 1 - SHOWN_LENGTH :]}{end}"


def _without_trailing_marks(url: str) -> str:
    """A sentence's marks do not belong to the address, but a bracket that it opened itself does."""
    while url and url[-1] in TRAILING:
        if url[-1] == ")" and url.count("(") >= url.count(")"):
            break
        url = url[:-1]
    return url
