"""Finds what becomes a link in a text: web addresses, @mentions and #tags. Whatever asks for one of them asks here, so
that a page links what a notification tells of and what a moderator's rule meets."""

import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

import regex

from socialsite.hosts import normal_host
from socialsite.texts.addresses import address_at
from socialsite.texts.hashtags import MOST_TAGS, SIGNS, end_of_tag, fold_tag
from socialsite.texts.scripts import GLUED

AT = "@\uff20"
KEYCAP = "\u20e3"  # makes an emoji of the digit before it

_signs = regex.compile(rf"[{AT}{SIGNS}]|[hH][tT][tT][pP][sS]?://|[wW][wW][wW]\.")
_handle = regex.compile(
    rf"(?P<handle>[a-zA-Z0-9_]{{3,30}}+)(?!://|[{AT}]|[[\p{{L}}\p{{M}}\p{{N}}_]--[{GLUED}]])"
    r"(?P<email>\.\p{L})?",
    regex.V1,
)
_glued = regex.compile(rf"[{GLUED}]")
# Behind one of these a sign is inside a word, an address or an HTML entity.
_before_tag = regex.compile(rf"[[\p{{L}}\p{{N}}_&=.{SIGNS}]--[{GLUED}.]]", regex.V1)
_before_mention = regex.compile(rf"[[\p{{L}}\p{{N}}_{AT}]--[{GLUED}]]", regex.V1)
_before_www = regex.compile(rf"[[\w{AT}/.:-]--[{GLUED}]]", regex.V1)
_retweets = regex.compile(r"(?<![\w+~.-])[rR][tT]")  # `RT@alice`
_rest = regex.compile(r"[!-~]*+")


class Found(NamedTuple):
    """A part of a text that becomes a link: an address and its host, a handle, or a tag as it is spelt in keys."""

    start: int
    end: int
    host: str = ""
    handle: str = ""
    tag: str = ""


def find(text: str) -> Iterator[Found]:
    """Yields the links of a text in their order. Linear in its length: one search for what they begin with, and each
    is read once."""
    position = last = 0
    while match := _signs.search(text, position):
        start, position = match.span()
        sign = match[0]
        if sign in AT:
            found = _mention(text, start, last)
        elif sign in SIGNS:
            found = _tag(text, start, last)
        else:
            found = _address(text, start, start if sign[-1] == "." else position, last)
            position = position if found else _rest.match(text, position).end()
        if found:
            yield found
            position = last = found.end
            if found.tag and text[last : last + 1] in (
                *SIGNS,
            ):  # as Chinese sites write them: #猫#
                position = last = last + 1


def mentioned_handles(text: str) -> list[str]:
    """Returns the handles that a text mentions, in lower case, each once, in their order."""
    return list(dict.fromkeys(found.handle.lower() for found in find(text) if found.handle))


def tags_in(text: str) -> list[str]:
    """Returns the first tags of a text, at most 10, folded, each once, in their order."""
    return list(dict.fromkeys(found.tag for found in find(text) if found.tag))[:MOST_TAGS]


def linked_hosts(text: str) -> list[str]:
    """Returns the hosts to which the links of a text lead, in their one spelling, each once, in their order."""
    return list(dict.fromkeys(normal_host(found.host) for found in find(text) if found.host))


def without_links(text: str) -> str:
    """Returns the text with a space in place of each address and mention; the words of its tags stay."""
    parts, position = [], 0
    for found in find(text):
        if not found.tag:
            parts.append(text[position : found.start])
            position = found.end
    return " ".join([*parts, text[position:]])


def _address(text: str, start: int, host: int, last: int) -> Found | None:
    before = text[start - 1 : start]
    if start > last and (
        before in (*AT, *SIGNS, "$") or (host == start and _before_www.match(before))
    ):
        return None
    address = address_at(text, host)
    return Found(start, address.end, host=address.host) if address else None


def _mention(text: str, start: int, last: int) -> Found | None:
    at = _base(text, start)
    is_retweet = at > 1 and _retweets.fullmatch(text, at - 2, at)
    begins = is_retweet or _begins(text, start, last, _before_mention)
    match = _handle.match(text, start + 1) if begins else None
    if not match or (match["email"] and at and _glued.match(text, at - 1)):
        return None
    return Found(start, match.end("handle"), handle=match["handle"])


def _tag(text: str, start: int, last: int) -> Found | None:
    end = end_of_tag(text, start) if _begins(text, start, last, _before_tag) else 0
    tag = fold_tag(text[start + 1 : end]) if end else ""
    return Found(start, end, tag=tag) if tag else None


def _begins(text: str, start: int, last: int, inside: regex.Pattern[str]) -> bool:
    """Whether a word can begin with the sign at `start`. Behind a slash it can where the last link or a blank stands
    before that: `#Linux/#BSD` has two tags, `example.org/#top` none."""
    base = at = _base(text, start)
    if text[start - 1 : start] == KEYCAP:
        return True
    while at and text[at - 1] == "/":
        at -= 1
    if at < base and at == last:
        return True
    return not at or not (inside.match(text, at - 1) or (at < base and text[at - 1] in ".:?="))


def _base(text: str, end: int) -> int:
    """Returns where the marks that stand before `end` begin: they are of the letter or the emoji before them."""
    while end and unicodedata.category(text[end - 1])[0] == "M":
        end -= 1
    return end
