"""`{% icon "heart" %}`: one drawing from static/icons/sprite.svg (its names stand in that file's first comment)."""

from functools import cache

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

SPRITE = "icons/sprite.svg"


@register.simple_tag
def icon(name: str) -> SafeString:
    """Returns an icon. It is decoration only: the words beside it, or a `visually-hidden` span, give its meaning."""
    return _draw(name) if settings.DEBUG else _draw_once(name)


def _draw(name: str) -> SafeString:
    return format_html(
        '<svg class="icon" aria-hidden="true"><use href="{}#{}"/></svg>', static(SPRITE), name
    )


# The address is fixed while a process lives, and a page of twenty posts asks for it forty times.
_draw_once = cache(_draw)
