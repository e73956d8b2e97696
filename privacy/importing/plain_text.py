"""The text of a post that is written in HTML, as Mastodon writes them: paragraphs, line breaks, links and mentions.
Nothing of the HTML is kept."""

from collections.abc import Mapping
from html.parser import HTMLParser
from typing import NamedTuple

MOST_CHARACTERS = 30_000
MOST_MARKS = 1_500  # angle brackets: a parser may take long for many that nothing closes
BLOCKS = frozenset(
    {"p", "div", "blockquote", "pre", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6"}
)
UNSEEN = frozenset({"script", "style", "template", "title", "head"})


class _Reader(HTMLParser):
    def __init__(self, names: Mapping[str, str]) -> None:
        super().__init__(convert_charrefs=True)
        self.names = names
        self.parts: list[str] = []
        self.hidden = 0
        self.mention = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in UNSEEN:
            self.hidden += 1
        elif tag == "br":
            self.parts.append("\n")
        elif tag == "li":
            self.parts.append("\n- ")
        elif tag in BLOCKS:
            self.parts.append("\n\n")
        elif tag == "a" and not self.mention:
            self.mention = self.names.get(dict(attrs).get("href") or "", "")
            self.parts.append(self.mention)

    def handle_endtag(self, tag: str) -> None:
        if tag in UNSEEN:
            self.hidden = max(0, self.hidden - 1)
        elif tag in BLOCKS:
            self.parts.append("\n\n")
        elif tag == "a":
            self.mention = ""

    def handle_data(self, data: str) -> None:
        if not (self.hidden or self.mention):
            self.parts.append(data.replace("\n", " "))


class TooMuch(ValueError):
    """The HTML is longer than that of any post."""


class Named(NamedTuple):
    """Someone whom a post mentions: the address of their page, and their name with its site."""

    url: str
    name: str


def plain_text(html: str, mentioned: list[Named]) -> str:
    """Returns the text. Who is mentioned is named with the site that they are on, as the same handle is another person
    here. Raises `TooMuch`."""
    if len(html) > MOST_CHARACTERS or html.count("<") > MOST_MARKS:
        raise TooMuch
    reader = _Reader(dict(mentioned))
    reader.feed(html)
    reader.close()
    lines = "".join(reader.parts).split("\n")
    text = "\n".join(" ".join(line.split()) for line in lines).strip()
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text
