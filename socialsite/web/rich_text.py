"""A text as HTML, with its links, mentions and tags; and what other sites show of a page."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Protocol

from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext

from socialsite.texts import Found, find, isolated, shortened, tag_url
from socialsite.web.fragments import HtmxRequest, cursor_of


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


# Turns people's texts into HTML: everything is escaped, web addresses, @mentions and #tags become links. Never
# lets user HTML through. What becomes a link is decided by `socialsite/texts.py`.

SHOWN_LENGTH = 40


def rich_text(text: str, mentions: Mapping[str, str] | None = None) -> SafeString:
    """Returns the text as HTML with links for web addresses, for tags, and for mentions of the given people (handle:
    id), or of all handles if None. Direction marks act on nothing that stands after it. Linear in the length of the
    text."""
    text = isolated(text)
    parts: list[str] = []
    position = 0
    for found in find(text):
        parts.append(escape(text[position : found.start]))
        parts.append(_link(text[found.start : found.end], found, mentions))
        position = found.end
    parts.append(escape(text[position:]))
    return SafeString("".join(parts))  # every part is escaped above


def _link(shown: str, found: Found, mentions: Mapping[str, str] | None) -> str:
    if found.tag:
        return f'<a href="{tag_url(found.tag)}">{escape(shown)}</a>'
    if found.handle:
        return _mention(shown, found.handle.lower(), mentions)
    is_whole = shown[0] in "hH"  # with its scheme
    scheme, _, address = shown.partition("://") if is_whole else ("https", "", shown)
    href = f"{scheme.lower()}://{address}"
    label = _shown(address)
    return f'<a href="{escape(href)}" rel="nofollow noopener ugc">{escape(label)}</a>'


def _mention(shown: str, handle: str, mentions: Mapping[str, str] | None) -> str:
    """Returns a link that says whom it means, because the handle may be another person's one day."""
    if mentions is None:
        return f'<a href="/@{handle}">{shown}</a>'
    if user_id := mentions.get(handle):
        return f'<a href="/@{handle}?id={escape(user_id)}">{shown}</a>'
    return shown


def _shown(address: str) -> str:
    """Returns as much of the address as fits. The end of its host, which shows the owner, is always visible."""
    if len(address) <= SHOWN_LENGTH:
        return address
    host = re.split(r"[/?#]", address, maxsplit=1)[0]
    if len(host) < SHOWN_LENGTH:
        return f"{address[: SHOWN_LENGTH - 1]}…"
    end = "…" if len(address) > len(host) else ""
    return f"…{host[len(end) + 1 - SHOWN_LENGTH :]}{end}"


# What search engines and other sites read of a page: its one address, whether to list it, and the preview of a
# link to it (OpenGraph). `templates/_link_preview.html` writes it.

# As OpenGraph names languages: with a territory.
LOCALES = {"en": "en_GB", "de": "de_DE", "zh-hans": "zh_CN"}
MOST_OF_TEXT = 200  # characters, as people count them


@dataclass(frozen=True, slots=True)
class LinkPreview:
    """`url` is the absolute address under which the page is to be known. Without a `title` the page has no preview, as
    it is a list, or not for everyone."""

    url: str
    is_indexed: bool = True
    title: str = ""
    description: str = ""
    kind: str = "website"
    image: str = ""
    is_large: bool = False  # whether the image is what the page is about

    @property
    def locale(self) -> str:
        return LOCALES[get_language() or "en"]


def preview_of_list(request: HtmxRequest, path: str, *, is_indexed: bool = True) -> LinkPreview:
    """Returns what is said of a list: its address without the cursor. Only its first page is listed by search
    engines, because the others change with every post."""
    url = request.build_absolute_uri(path)
    return LinkPreview(url, is_indexed=is_indexed and not cursor_of(request))


def absolute(request: HttpRequest, path: str) -> str:
    """Returns the absolute address, empty if there is none."""
    return request.build_absolute_uri(path) if path else ""


def beginning(text: str, most: int = MOST_OF_TEXT) -> str:
    """Returns the beginning of a text in one line."""
    return shortened(" ".join(text.split()), most)
