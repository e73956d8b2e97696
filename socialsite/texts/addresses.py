"""Decides where a web address in a text ends, and whether it leads anywhere."""

from typing import NamedTuple

import regex

from socialsite.hosts import is_host, normal_host
from socialsite.texts.scripts import GLUED, JOINED, JOINERS

OPENED_BY = {")": "(", "]": "[", "}": "{"}
TRAILING = ".,;:!?'*|([{‐–—―·"  # the sentence's, if nothing of the address follows

_host = regex.compile(
    # An ASCII host ends where a word of another script is glued to it, which a domain of that script has before.
    r"[a-zA-Z0-9._-]{1,250}\.[a-zA-Z]{2,63}(?=[[\p{L}\p{So}]--\p{Latin}])"
    r"|[\p{L}\p{N}\p{So}][\p{L}\p{M}\p{N}\p{So}._-]{0,252}",
    regex.V1,
)
_port = regex.compile(r":\d{1,5}(?![\w:])", regex.ASCII)
# Who signs in with it, or what browsers read as another host.
_not_a_host = regex.compile(r"[%\\]|[!-~--[/?#]]{0,256}@", regex.V1)
# The part of a path without brackets.
_piece = regex.compile(
    r"(?:"
    rf"(?<![a-zA-Z0-9])[{GLUED}]"
    rf"|(?<=[{JOINED}])[{JOINERS}](?=[{JOINED}])"
    r"|(?<=\p{L})’(?=\p{L})"
    rf"|[^\s<>\"`()\[\]{{}}\p{{Cc}}\p{{Default_Ignorable_Code_Point}}{GLUED}"
    r"[[\p{S}\p{P}]--[\p{ASCII}\u2010-\u2015·]]]"
    r")*+",
    regex.V1,
)
_word_behind_host = regex.compile(rf"/[{GLUED}]")  # deeper in a path it is a page's name
_label = regex.compile(
    r"[\p{L}\p{N}\p{So}](?:[\p{L}\p{M}\p{N}\p{So}_-]{0,61}[\p{L}\p{M}\p{N}\p{So}])?"
)
_sign = regex.compile(r"\p{So}")
_number = regex.compile(r"(0x)?[0-9a-f]*\d[0-9a-f]*|0x")  # the last part of a numeric address


class Address(NamedTuple):
    """The host of an address as it is written, and where the address ends in the text."""

    host: str
    end: int


def address_at(text: str, start: int) -> Address | None:
    """Returns the address whose host begins at `start`, None if it leads nowhere or hides where. A bracket that the
    address has opened belongs to it, the sentence's marks do not; a sign that nobody sees, or of another kind of text,
    ends it."""
    match = _host.match(text, start)
    if not match:
        return None
    domain, dot, last = match[0].rstrip(".-_").rpartition(".")
    host = domain + dot + _sign.split(last, 1)[0]  # an emoji right behind it
    end = start + len(host)
    if _not_a_host.match(text, end) or not _leads_somewhere(host):
        return None
    if port := _port.match(text, end):
        end = port.end()
    path = end + text.startswith(("./", ".?", ".#"), end)  # a host may end with a dot
    if _word_behind_host.match(text, path):
        end = path + 1
    elif text[path : path + 1] in ("/", "?", "#"):
        end = _end_of_path(text, path)
    return Address(host, end)


def _leads_somewhere(host: str) -> bool:
    """Whether a host is a domain that can be had. Names in the reader's own network and numeric addresses are not
    linked."""
    labels = host.split(".")
    name = normal_host(host)
    last = name.rpartition(".")[2]
    return (
        all(_label.fullmatch(one) for one in labels)
        and not any(one.lower().startswith("xn--") and not one.isascii() for one in labels)
        and not any("_" in one for one in labels[-2:])
        and is_host(name)
        and ("-" not in last or last.startswith("xn--"))
        and not _number.fullmatch(last)
    )


def _end_of_path(text: str, start: int) -> int:
    """Returns where a path ends: before a bracket that it has not opened, and before marks that end a sentence."""
    opened: list[str] = []
    end = _piece.match(text, start).end()
    while sign := text[end : end + 1]:
        if sign in "([{":
            opened.append(sign)
        elif not opened or opened.pop() != OPENED_BY.get(sign):
            break
        end = _piece.match(text, end + 1).end()
    return start + len(text[start:end].rstrip(TRAILING))
