"""People in a sentence: two names, or the first and how many others."""

from collections.abc import Sequence
from typing import Protocol

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext


class Named(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def url(self) -> str: ...


def linked_names(named: Sequence[Named], people: int) -> SafeString:
    """Returns the named people, at least one, as links. Of more than two `people` only the first is named."""
    links = [
        format_html('<a href="{}"><bdi>{}</bdi></a>', person.url, person.name)
        for person in named[:2]
    ]
    others = max(0, people - len(links))
    if len(links) == 2 and not others:
        return format_html(gettext("{first} and {second}"), first=links[0], second=links[1])
    if not others:
        return links[0]
    others += len(links) - 1
    text = ngettext("{first} and {n} other", "{first} and {n} others", others)
    return format_html(text, first=links[0], n=others)
