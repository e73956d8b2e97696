"""Prose of the code's own pages: words between backticks are code."""

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def prose(text: str) -> SafeString:
    """Returns the text as HTML, with `code` where backticks say so."""
    parts = enumerate(text.split("`"))
    return format_html_join(
        "",
        "{}",
        ((format_html("<code>{}</code>", part) if at % 2 else part,) for at, part in parts),
    )
