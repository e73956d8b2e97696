"""The text of a post that is written in HTML, as Mastodon writes them: paragraphs, line breaks, links and mentions.
Nothing of the HTML is kept.

Tags are found by one expression that never looks past the next `<`, so what nothing closes is text, and the time grows
with the length alone. `html.parser` reads such a text again from each of its marks: a file of 14 MB took it 24 s.
"""

from collections.abc import Sequence
from html import unescape
from typing import NamedTuple

import regex

MOST_CHARACTERS = 30_000
MOST_MARKS = 1_500  # of a post: each takes some microseconds
BLOCKS = frozenset(
    {"p", "div", "blockquote", "pre", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6"}
)
UNSEEN = frozenset({"script", "style", "template", "title", "head"})

_tag = regex.compile(
    r"<(?P<end>/?)(?P<name>[a-zA-Z][a-zA-Z0-9]*+)(?P<rest>(?:[^<>\"']++|\"[^\"<]*+\"|'[^'<]*+')*+)>"
    r"|<[!?][^<>]*+>"
)
_href = regex.compile(r"\shref=(?:\"(?P<one>[^\"]*+)\"|'(?P<other>[^']*+)')")


class TooMuch(ValueError):
    """The HTML is longer than that of any post."""


class Named(NamedTuple):
    """Someone whom a post mentions: the address of their page, and their name with its site."""

    url: str
    name: str


def plain_text(html: str, mentioned: Sequence[Named]) -> str:
    """Returns the text. People it mentions are named with the site that they are on, as the same handle is another
    person here. Raises `TooMuch`."""
    if len(html) > MOST_CHARACTERS or html.count("<") > MOST_MARKS:
        raise TooMuch
    names, parts = dict(mentioned), list[str]()
    position = hidden = 0
    mention = ""
    for found in _tag.finditer(html):
        if not (hidden or mention):
            parts.append(_said(html[position : found.start()]))
        position = found.end()
        name, is_end = (found["name"] or "").lower(), bool(found["end"])
        if name in UNSEEN:
            hidden = max(0, hidden + (-1 if is_end else 1))
        elif name == "a":
            mention = "" if is_end else names.get(_address_in(found["rest"]), "")
            parts.append(mention)
        else:
            parts.append(_break(name, is_end=is_end))
    if not (hidden or mention):
        parts.append(_said(html[position:]))
    lines = "".join(parts).split("\n")
    text = "\n".join(" ".join(line.split()) for line in lines).strip()
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text


def _said(text: str) -> str:
    return unescape(text.replace("\n", " "))


def _break(name: str, *, is_end: bool) -> str:
    if name in BLOCKS:
        return "\n\n"
    if is_end:
        return ""
    return {"br": "\n", "li": "\n- "}.get(name, "")


def _address_in(attributes: str) -> str:
    found = _href.search(attributes)
    return unescape(found["one"] or found["other"] or "") if found else ""
