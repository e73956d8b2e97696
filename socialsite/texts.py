"""What people's texts are made of: signs that nobody sees, where a text may be cut, how it is spelt in a search, and
what in it becomes a link, a mention or a tag.

`find` is the one reader of a text for pages, notifications, tags, feeds, exports and moderation; HTML is made of what
it finds by `socialsite/web/rich_text.py`.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple
from urllib.parse import quote

import regex

from socialsite.hosts import is_host, normal_host

LEFT, RIGHT, FIRST, END = "\u2066", "\u2067", "\u2068", "\u2069"  # isolates, and what ends one

_breaks = regex.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_spaces = regex.compile("[\t\x0b\x0c\x85\u2028\u2029]")
_unseen = regex.compile(r"[[\p{Cc}--[\t\n\r]]\ufeff]", regex.V1)
_marks = regex.compile(r"[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_reaching = regex.compile(r"[\u202a-\u202e\u2066-\u2069]")  # what acts on all that follows
_right_to_left = regex.compile(r"[\p{bc=R}\p{bc=AL}--\u200f\u061c]", regex.V1)
# Older marks say the same as isolates, except for those that turn letters around.
_as_isolates = str.maketrans("\u202a\u202b\u202c", LEFT + RIGHT + END, "\u202d\u202e")


def without_unseen(text: str, *, multiline: bool) -> str:
    """Returns a text without control characters, and without direction marks that do nothing. Breaks of every kind are
    `\\n` in a text of several lines, and spaces in others, except for those that a keyboard makes.

    Contacts, chats and slides put such signs around what is copied from them. Joiners and variation selectors stay:
    scripts and emoji need them.
    """
    text = _breaks.sub("\n", text) if multiline else _spaces.sub(" ", text)
    text = _unseen.sub("", text)
    return isolated(text) if _right_to_left.search(text) else _marks.sub("", text)


def isolated(text: str) -> str:
    """Returns a text whose direction marks act on nothing that stands after it: one that ends nothing is taken out, as
    is one that nothing ends in its line."""
    if not _reaching.search(text):
        return text
    return "\n".join(_balanced(line.translate(_as_isolates)) for line in text.split("\n"))


def _balanced(line: str) -> str:
    opened: list[int] = []
    alone: set[int] = set()
    for at, sign in enumerate(line):
        if sign in (LEFT, RIGHT, FIRST):
            opened.append(at)
        elif sign == END:
            if opened:
                opened.pop()
            else:
                alone.add(at)
    alone.update(opened)
    return "".join(sign for at, sign in enumerate(line) if at not in alone)


# Where a text may be cut: nothing that people see as one character is cut in two.

MORE = "…"

_character = regex.compile(r"\X")
_visible = regex.compile(r"(?![\p{C}\p{Z}])\X")


def shortened(text: str, most: int) -> str:
    """Returns at most `most` characters of a text, as people count them, the last an ellipsis if there are more."""
    characters = list(islice(_characters(text), most + 1))
    if len(characters) > most:
        text = "".join(characters[: most - 1]).rstrip() + MORE
    return isolated(text)


def shortened_to_bytes(text: str, most: int) -> str:
    """Returns the text itself if it has at most `most` bytes in UTF-8, else its beginning with an ellipsis."""
    if len(text.encode()) <= most:
        return text
    left = most - len(MORE.encode())
    kept = []
    for character in _characters(text):
        left -= len(character.encode())
        if left < 0:
            break
        kept.append(character)
    return isolated("".join(kept).rstrip()) + MORE


def initial(text: str) -> str:
    """Returns the first character that is seen, empty if there is none."""
    found = _visible.search(text)
    return found[0] if found else ""


def _characters(text: str) -> Iterator[str]:
    return (found[0] for found in _character.finditer(text))


# Letters with a stroke or a ligature do not decompose.
PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i"})
PLAIN |= str.maketrans({"æ": "ae", "œ": "oe", "þ": "th"})

_words = regex.compile(r"[\p{L}\p{M}\p{N}_]+")


def fold(text: str) -> str:
    """Returns the words of a text without what people leave out in searches: case, accents, width, Hebrew and Arabic
    points. Vowel signs and tone marks that are part of a word (Thai, Hindi) stay, as do Chinese and Japanese signs;
    Korean syllables become their letters, so that a half-typed one finds, too."""
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    plain = "".join(sign for sign in apart if not _is_accent(sign)).translate(PLAIN)
    return " ".join(_words.findall(plain))


def find_folded(text: str, words: Collection[str]) -> list[tuple[int, int]]:
    """Returns where folded words stand in a text as it is written: their beginnings and ends, in order. Of two that
    overlap, the first one."""
    signs = [_fold_sign(sign) for sign in text]
    places = [place for place, folded in enumerate(signs) for _ in folded]
    longest_first = sorted(words, key=len, reverse=True)
    found = re.finditer("|".join(map(re.escape, longest_first)), "".join(signs))
    spans: list[tuple[int, int]] = []
    for match in found:
        start, last = places[match.start()], places[match.end() - 1]
        following = places[match.end()] if match.end() < len(places) else len(text)
        if not spans or start >= spans[-1][1]:
            spans.append((start, max(last + 1, following)))  # with the accents that follow
    return spans


@lru_cache(4096)
def _fold_sign(sign: str) -> str:
    """Returns a sign as `fold` does, and what is no part of a word as it is."""
    return fold(sign) or ("" if _is_accent(sign) else sign.casefold())


def _is_accent(sign: str) -> bool:
    # Combining classes: 10 to 35 are Hebrew and Arabic points, from 200 on accents above and below.
    points = unicodedata.combining(sign)
    return 10 <= points <= 35 or points >= 200


# Between words of these scripts stand no spaces: a word is found inside a sentence.
UNSPACED = r"\p{Han}\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
# Korean has spaces, but its particles follow a word of another script without one.
GLUED = rf"{UNSPACED}\p{{Hangul}}"
# Zero-width joiners change how these are written, and sometimes the word. Elsewhere nobody sees them.
JOINED = (
    r"\p{Arabic}\p{Syriac}\p{Nko}\p{Mongolian}\p{Devanagari}\p{Bengali}\p{Gurmukhi}\p{Gujarati}\p{Oriya}\p{Tamil}"
    r"\p{Telugu}\p{Kannada}\p{Malayalam}\p{Sinhala}\p{Myanmar}\p{Khmer}\p{Tibetan}\p{ccc=9}"
)
# Letters of these stand below each other, or carry accents of a chant beside their vowels; both are marks.
STACKED = (
    r"\p{Tibetan}\p{Hebrew}\p{Myanmar}\p{Tai_Tham}\p{Devanagari}\p{Bengali}\p{Gujarati}\p{Oriya}\p{Telugu}"
    r"\p{Kannada}\p{Malayalam}\p{Sinhala}\p{Grantha}\u0951-\u0954\u1cd0-\u1cff\ua8e0-\ua8f1"
)
JOINERS = r"\u200c\u200d"

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


# Decides what in a text is a hashtag, and which hashtags are the same. `find` finds them among links and
# mentions.
#
# Two tags are the same if they differ in case, width or signs that nobody sees. Accents stay: `año` is a year
# and `ano` is not.

MOST_TAGS = 10  # of a post that lists and searches know; what stands after them is a link alone
LONGEST = 100  # code points of a folded tag; folding makes some texts longer
SIGNS = "#\uff03"

# Raised and lowered digits are part of a name (CO₂), as are letters that stand for numbers (Ⅶ, 〇).
LETTER = r"[\p{L}\p{M}\p{Nd}\p{Nl}_²³¹⁰\u2074-\u2079₀-₉]"
# Between the letters of one word: joiners, maqaf, geresh, the dots and dashes of Catalan, Tibetan and Japanese.
INNER = rf"[{JOINERS}\ua67e\u05be\u05f3\u05f4\u301c\uff5e\u30a0\u30fb\uff65\u0f0b\u0f0c·\u3003\u309b\u309c]"
LAST = r"[\u05f3\u05f4\u0f0b\u0f0c\u3003\u309b\u309c]"  # of these, some also end a word
_word = regex.compile(rf"(?!\p{{M}}){LETTER}++(?:{INNER}{LETTER}++)*+{LAST}?+(?!://)")
# One spelling of signs that NFKC would make a space or an ASCII sign of.
_spelt = str.maketrans({"\uff5e": "\u301c", "\u309b": "\u3099", "\u309c": "\u309a"})
_unseen_in_tags = regex.compile(
    rf"[\p{{Default_Ignorable_Code_Point}}--[{JOINERS}\u180b-\u180f]]"
    rf"|(?<![{JOINED}])[{JOINERS}]|[{JOINERS}](?![{JOINED}])|[\u0f0b\u0f0c]+$",
    regex.V1,
)


def fold_tag(word: str) -> str:
    """Returns the one spelling of a tag in keys and addresses, empty if the word cannot be a tag: it holds other signs
    than a word does, begins with a mark, has digits alone, or is too long."""
    folded = _fold(word)
    is_tag = _word.fullmatch(folded) and not folded.isdecimal() and len(folded) <= LONGEST
    return folded if is_tag else ""


def fold_beginning(text: str) -> str:
    """Returns how the tags begin in keys that a person looks for with this text, which may have a sign before it. Empty
    if no tag begins so."""
    folded = _fold(text.lstrip(SIGNS))
    return folded if _word.fullmatch(folded) and len(folded) <= LONGEST else ""


def end_of_tag(text: str, start: int) -> int:
    """Returns where the word of a tag ends whose sign stands at `start`, 0 if none follows it."""
    word = _word.match(text, start + 1)
    return word.end() if word else 0


def tag_url(tag: str) -> str:
    return f"/tags/{quote(tag)}"


def _fold(text: str) -> str:
    return _normal(_unseen_in_tags.sub("", _normal(_normal(text).casefold())))


def _normal(text: str) -> str:
    return unicodedata.normalize("NFKC", text.translate(_spelt))


# Finds what becomes a link in a text: web addresses, @mentions and #tags. Whatever asks for one of them asks
# here, so that a page links what a notification tells of and what a moderator's rule meets.

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
