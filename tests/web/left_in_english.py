"""Finds texts of the site that stand on a page in English, though the page is in another language."""

import re
from functools import cache
from itertools import chain, zip_longest
from zoneinfo import available_timezones

from tests.web.catalogs import PLACEHOLDER, messages, read_catalog, sources, translations
from tests.web.html import Html

SPOKEN = ("aria-label", "alt", "title", "placeholder", "content")


def english_on(response, language):
    """Texts of the catalog that stand on the page as they are in English."""
    page = Html(response)
    zones = available_timezones()  # their names are names, such as Isle of Man
    names = {one.text for one in page.all("option") if one.attributes.get("value") in zones}
    found = set(spoken(page)) - names
    whole, patterns = english(language)
    filled = [text for text in patterns if any(text.fullmatch(part) for part in found)]
    return [*(whole & found), *filled]


def spoken(page):
    for element in page.elements:
        if element.tag not in ("script", "style"):
            yield from (" ".join(part.split()) for part in element.parts)
            yield from (element.attributes.get(name, "") for name in SPOKEN)
    yield from (text for toasts in page.all(id="toasts") for text in toasts.attributes.values())


@cache
def english(language):
    """The texts that are not written the same in the other language: whole ones, and a pattern for each other one."""
    catalog = list(messages(read_catalog(language)))
    known = {text for message in catalog for text in translations(message)}
    texts = {text for message in catalog for text in sources(message)} - known
    whole = {text for text in texts if not PLACEHOLDER.search(text)}
    return whole, [pattern(text) for text in texts - whole]


def pattern(text):
    words = [re.escape(part) for part in PLACEHOLDER.split(text)]
    blanks = [r"\d+" if name.endswith("d") else ".+" for name in PLACEHOLDER.findall(text)]
    return re.compile("".join(chain.from_iterable(zip_longest(words, blanks, fillvalue=""))))
