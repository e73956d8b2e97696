"""`{% icon "heart" %}`: one drawing from static/icons/sprite.svg, which has what home draws, or from rooms.svg, which
has the others. Its name is the id of its symbol.

`{% inlined "feed/_like_button.html" %}`: an include that is looked up when the template is compiled.

`{% key_row "g h" _("Go to Home") %}`: a row of the tables of keys.

`{{ post.html|plain_text|shortened:90 }}`: the beginning of what HTML says, as text.
"""

import html
import re

from django import template
from django.conf import settings
from django.template import Engine
from django.template.base import FilterExpression, Node, NodeList, Parser, TextNode, Token
from django.template.context import Context
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join, strip_tags
from django.utils.safestring import SafeString

from socialsite.texts import shortened

register = template.Library()

SPRITE, ROOMS = "icons/sprite.svg", "icons/rooms.svg"
IN_ROOMS = frozenset(
    re.findall(r'<symbol id="([^"]+)"', (settings.BASE_DIR / "static" / ROOMS).read_text())
)


@register.tag
def icon(parser: Parser, token: Token) -> Node:
    """Draws an icon. It is decoration only: the words beside it, or a `visually-hidden` span, give its meaning.

    A name in quotes is drawn when the template is compiled: a page of twenty posts has 150 of them.
    """
    _tag, name = token.split_contents()
    expression = parser.compile_filter(name)
    if isinstance(expression.var, str) and not settings.DEBUG:
        return TextNode(_draw(expression.var))
    return IconNode(expression)


class IconNode(Node):
    """An icon whose name the template is given."""

    def __init__(self, name: FilterExpression) -> None:
        self.name = name

    def render(self, context: Context) -> SafeString:
        return _draw(str(self.name.resolve(context)))


@register.simple_tag
def site_languages() -> list[tuple[str, str]]:
    """Returns the languages of the site, each by its own name. Django's tag would translate the names."""
    return settings.LANGUAGES


@register.tag
def inlined(parser: Parser, token: Token) -> Node:
    """Puts another template in this place, with the same context. What each card includes is a fifth of drawing it."""
    _tag, name = token.split_contents()
    return InlinedNode(Engine.get_default().get_template(name.strip('"')).nodelist)


class InlinedNode(Node):
    """The nodes of another template."""

    def __init__(self, nodelist: NodeList) -> None:
        self.nodelist = nodelist

    def render(self, context: Context) -> SafeString:
        return self.nodelist.render(context)


@register.simple_tag
def key_row(keys: str, does: str) -> SafeString:
    """Draws a row of the tables of keys: what is pressed, with spaces between, and what it does."""
    pressed = [format_html("<kbd>{}</kbd>", key) if key != "–" else key for key in keys.split()]
    return format_html(
        '<tr>\n<th scope="row">\n{}\n</th>\n<td>{}</td>\n</tr>',
        format_html_join(" ", "{}", [(one,) for one in pressed]),
        does,
    )


@register.filter
def plain_text(written: str) -> str:
    """Returns the text of HTML, with signs in place of their entities."""
    return html.unescape(strip_tags(written))


register.filter(shortened)


def _draw(name: str) -> SafeString:
    sprite = static(ROOMS if name in IN_ROOMS else SPRITE)
    return format_html(
        '<svg class="icon" aria-hidden="true"><use href="{}#{}"/></svg>', sprite, name
    )
