"""Turns people's texts into HTML: everything is escaped, web addresses, @mentions and #tags become links. Never lets
user HTML through."""

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import NamedTuple

from django.utils.safestring import SafeString

from socialsite.hosts import is_host, normal_host
from socialsite.web.hashtags import MOST_TAGS, SIGNS, end_of_tag, fold_tag, tag_url

# These end an address in a Chinese sentence, where no space follows: full-width marks, brackets and curly quotes.
MARKS = r"\u2018-\u201f\u2026\u3000-\u3003\u3008-\u3011\u3014-\u301f"
MARKS += r"\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
# A word that follows a plain host without a space does not belong to it.
UNSPACED = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
# Begins with the first letter of all that can follow, so that the engine skips to the next of them at once.
LINKS = re.compile(
    rf"[hwW@{SIGNS}](?:"
    rf"(?P<url>(?:(?<=h)ttps?://|(?<=[wW])(?:(?<={UNSPACED}.)|(?<![\w@/.:-].))ww\.)"
    rf"(?:[a-zA-Z0-9.-]{{1,250}}\.[a-zA-Z]{{2,63}}(?={UNSPACED})|[^\s<>\"'`{MARKS}]{{3,500}}))"
    r"|(?<=@)(?<![\w@/.].)(?P<handle>[a-zA-Z0-9_]{3,30})(?![\w@])"
    rf"|(?<=[{SIGNS}]))"
)
BEGINNINGS = ("@", "://", "ww.", *SIGNS)
TRAILING = ".,;:!?)]}»"
# Only a plain host: no user before it, no percent sign or backslash in it.
HOST = re.compile(r"(?:https?://)?(?P<host>[\w.-]+)(?::\d{1,5})?(?=[/?#]|$)")
NUMBER = re.compile(r"(0x)?[0-9a-f]*\d[0-9a-f]*|0x")  # the last part of a numeric address
SHOWN_LENGTH = 40


class Found(NamedTuple):
    """A part of a text that becomes a link: an address, a handle, or a tag as it is spelt in keys."""

    start: int
    end: int
    url: str = ""
    handle: str = ""
    tag: str = ""


def rich_text(text: str, mentions: Mapping[str, str] | None = None) -> SafeString:
    """Returns the text as HTML with links for web addresses, for tags, and for mentions of the given people (handle:
    id), or of all handles if None.

    Linear in the length of the text: one pass of one expression without nested repetition.
    """
    if not any(beginning in text for beginning in BEGINNINGS):
        return SafeString(escape(text))
    parts: list[str] = []
    position = 0
    for found in _find(text):
        parts.append(escape(text[position : found.start]))
        parts.append(_link(text[found.start : found.end], found, mentions))
        position = found.end
    parts.append(escape(text[position:]))
    return SafeString("".join(parts))  # every part is escaped above


def mentioned_handles(text: str) -> list[str]:
    """Returns the handles that a text mentions, in lower case, each once, in their order."""
    if "@" not in text:
        return []
    return list(dict.fromkeys(found.handle.lower() for found in _find(text) if found.handle))


def tags_in(text: str) -> list[str]:
    """Returns the first tags of a text, at most 10, folded, each once, in their order."""
    if not any(sign in text for sign in SIGNS):
        return []
    return list(dict.fromkeys(found.tag for found in _find(text) if found.tag))[:MOST_TAGS]


def linked_hosts(text: str) -> list[str]:
    """Returns the hosts to which the links of a text lead, in their one spelling, each once, in their order."""
    if not any(beginning in text for beginning in BEGINNINGS):
        return []
    matched = (HOST.match(_without_trailing_marks(found.url)) for found in _find(text) if found.url)
    hosts = (match["host"] for match in matched if match)
    return list(dict.fromkeys(normal_host(host) for host in hosts if _leads_somewhere(host)))


def _find(text: str) -> Iterator[Found]:
    position = 0
    while match := LINKS.search(text, position):
        start, position = match.span()
        if match[0] not in SIGNS:
            yield Found(
                start, position, url=match[0] if match["url"] else "", handle=match["handle"] or ""
            )
        elif end := end_of_tag(text, start):
            if tag := fold_tag(text[start + 1 : end]):
                yield Found(start, end, tag=tag)
            closes = text[end : end + 1] in (*SIGNS,)  # as Chinese sites write them: #猫#
            position = end + closes


def _link(shown: str, found: Found, mentions: Mapping[str, str] | None) -> str:
    if found.tag:
        return f'<a href="{tag_url(found.tag)}">{escape(shown)}</a>'
    if handle := found.handle:
        return _mention(handle, mentions)
    url = _without_trailing_marks(found.url)
    rest = found.url[len(url) :]
    host = HOST.match(url)
    if not host or not _leads_somewhere(host["host"]):
        return escape(found.url)
    href = url if "://" in url[:8] else f"https://{url}"
    label = _shown(url.removeprefix("https://").removeprefix("http://"))
    return f'<a href="{escape(href)}" rel="nofollow noopener ugc">{escape(label)}</a>{escape(rest)}'


def _mention(handle: str, mentions: Mapping[str, str] | None) -> str:
    """Returns a link that says whom it means, because the handle may be another person's one day."""
    if mentions is None:
        return f'<a href="/@{handle.lower()}">@{handle}</a>'
    if user_id := mentions.get(handle.lower()):
        return f'<a href="/@{handle.lower()}?id={escape(user_id)}">@{handle}</a>'
    return f"@{handle}"


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
