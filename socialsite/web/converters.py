"""Handles, post ids and tags in addresses. Anything else there is a 404 before it reaches a view."""

from django.urls import register_converter

from socialsite.table import ids
from socialsite.texts import fold_tag


class HandleConverter:
    """A handle in upper or lower case, which means the handle in lower case."""

    regex = "[A-Za-z0-9_]{3,30}"

    def to_python(self, value: str) -> str:
        return value.lower()

    def to_url(self, value: str) -> str:
        return value


class IdConverter:
    regex = ids.PATTERN

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class TagConverter:
    """A tag in any spelling, which means the folded one."""

    regex = "[^/]{1,400}"

    def to_python(self, value: str) -> str:
        tag = fold_tag(value)
        if not tag:
            raise ValueError("no tag")
        return tag

    def to_url(self, value: str) -> str:
        return value


register_converter(HandleConverter, "handle")
register_converter(IdConverter, "id")
register_converter(TagConverter, "tag")
