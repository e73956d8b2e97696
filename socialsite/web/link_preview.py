"""What search engines and other sites read of a page: its one address, whether to list it, and the preview of a link to
it (OpenGraph). `templates/_link_preview.html` writes it."""

from dataclasses import dataclass

from django.http import HttpRequest
from django.utils.translation import get_language

from socialsite.texts.shortened import shortened
from socialsite.web.fragments import cursor_of
from socialsite.web.requests import HtmxRequest

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
