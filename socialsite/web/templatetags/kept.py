"""`{% kept theme=preferences.theme %} … {% endkept %}`: a part of the frame of pages, drawn once and kept.

It is the same for everyone with the same language and the same values of what it names, and it sees nothing else: not
the request, nor who asks. What is a reader's own stands inside it in `{% live %} … {% endlive %}`, which is drawn for
each page, and sees what the page sees, but neither loops nor includes around it. Outside of a kept part `live` changes
nothing.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from django import template
from django.template import Engine, Template, TemplateSyntaxError
from django.template.base import FilterExpression, Node, NodeList, Parser, Token, token_kwargs
from django.template.context import Context
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from socialsite.web.drawings import Drawings, new_mark

register = template.Library()

BYTES = 4 << 20  # of each process
LIVE = new_mark()
PLACES = re.compile(rf"{LIVE}-(\d+)-")
FOUND = "live parts of what is being drawn"

Value = str | bool
ESCAPED = frozenset("<>&'\"")


class KeptNode(Node):
    """A part that is kept. Its key is the node itself, the language, and the values."""

    child_nodelists = ("nodelist",)

    def __init__(self, nodelist: NodeList, values: dict[str, FilterExpression]) -> None:
        self.nodelist, self.values = nodelist, values
        self._alone: Template | None = None
        self._live: list[LiveNode] = []

    def render(self, context: Context) -> SafeString:
        if self._alone is None:
            engine = context.template.engine if context.template else Engine.get_default()
            alone = Template("", engine=engine)
            alone.nodelist = self.nodelist
            self._alone = alone  # whole, as another thread may draw it at once
        values = [_plain(one.resolve(context, True)) for one in self.values.values()]
        drawn = DRAWINGS.of((self, get_language(), *values))
        if LIVE not in drawn:
            return drawn
        parts = PLACES.split(drawn)
        parts[1::2] = [self._live[int(number)].draw(context) for number in parts[1::2]]
        return mark_safe("".join(parts))  # noqa: S308 - what templates drew

    def draw(self, values: Sequence[Value]) -> SafeString:
        """Draws it from these values alone, with marks in place of what is live."""
        given = dict(zip(self.values, values, strict=True))
        assert self._alone is not None
        drawn = self._alone.render(Context({**given, FOUND: self._place_of}))
        return mark_safe(drawn.strip("\n"))  # noqa: S308 - the lines of the tags: bytes of a first visit

    def _place_of(self, node: "LiveNode") -> int:
        # Each live part keeps its number for good, in whatever order and however often the drawings have them.
        if node not in self._live:
            self._live.append(node)
        return self._live.index(node)


class LiveNode(Node):
    """What is drawn for each page."""

    child_nodelists = ("nodelist",)

    def __init__(self, nodelist: NodeList) -> None:
        self.nodelist = nodelist

    def render(self, context: Context) -> SafeString:
        place_of: Callable[[LiveNode], int] | None = context.get(FOUND)
        return SafeString(f"{LIVE}-{place_of(self)}-") if place_of else self.draw(context)

    def draw(self, context: Context) -> SafeString:
        return mark_safe(self.nodelist.render(context).strip("\n"))  # noqa: S308 - as above


@register.tag
def kept(parser: Parser, token: Token) -> KeptNode:
    bits = token.split_contents()[1:]
    values = token_kwargs(bits, parser)
    if bits:
        raise TemplateSyntaxError("kept takes names with their values alone")
    nodelist = parser.parse(("endkept",))
    parser.delete_first_token()
    return KeptNode(nodelist, values)


@register.tag
def live(parser: Parser, _token: Token) -> LiveNode:
    nodelist = parser.parse(("endlive",))
    parser.delete_first_token()
    return LiveNode(nodelist)


# What the navigation shows as the present page: its own pages, and the areas of some.
PAGES = {
    "/",
    "/explore",
    "/posts/new",
    "/notifications",
    "/local",
    "/friends",
    "/about",
    "/login",
    "/signup",
}
AREAS = ("/messages", "/saved", "/settings", "/moderation")


@register.filter
def in_nav(path: str | None) -> str:
    """Returns the address if the navigation may have it, the area in which it is, or nothing."""
    if not path or path in PAGES:
        return path or ""
    first = f"/{path[1:].partition('/')[0]}"
    return path if path == first in AREAS else f"{first}/" if first in AREAS else ""


def _plain(value: object) -> Value:
    """Returns a value of which nothing but its text can be seen. A template escapes it."""
    if value is None:
        return ""
    if isinstance(value, bool) or type(value) is str:
        return value
    # HTML that is ready is equal to the text that must be escaped. Words in quotes are ready too, and need no escaping.
    if isinstance(value, SafeString) and not ESCAPED.intersection(value):
        return value[:]
    raise TypeError(
        f"a kept part takes texts and whether something is so, not {type(value).__name__}"
    )


def _draw(key: tuple[Any, ...]) -> SafeString:
    node, _language, *values = key
    return node.draw(values)


DRAWINGS: Drawings[tuple[Any, ...]] = Drawings(_draw, most_bytes=BYTES)
