"""Takes out of texts what nobody sees and no script needs, and keeps direction marks within the text they stand in.

Contacts, chats and slides put such signs around what is copied from them. Joiners and variation selectors stay: scripts
and emoji need them.
"""

import regex

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
    `\\n` in a text of several lines, and spaces in others, except for those that a keyboard makes."""
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
