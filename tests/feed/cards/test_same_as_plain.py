"""The card is that of plain Django templates, which stand frozen among the benchmarks: same HTML, less work."""

import re
from functools import cache
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.template.backends.django import DjangoTemplates
from django.test import RequestFactory
from django.utils import translation

from accounts.people.viewer import VISITOR, Viewer
from feed.cards.post_card import PostCard
from tests.feed.cards.shown import NOW, STATES, VIEWERS, WAYS, card_in
from tests.feed.expiring import clock_at
from tests.injected.rotation import share

# A quarter, another one each run; what the card itself must say has tests of its own.
SOME_STATES = share(STATES, one_of=4, salt="states of a card")
INCLUDED = '{% for card in cards %}{% include "feed/_post.html" %}{% endfor %}'
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="\w+"')


class Tokens(HTMLParser):
    """What a browser reads: tags with their attributes, in any order, and texts with their white space as one."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[Any] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, sorted(attrs, key=str)))

    def handle_endtag(self, tag: str) -> None:
        self.found.append(f"/{tag}")

    def handle_data(self, data: str) -> None:
        words = " ".join(data.split())
        if words:
            self.found.append(words)


def engine(*folders: Path, **libraries: str) -> DjangoTemplates:
    """The site's own, or one that finds the templates of other folders first and leaves their white space."""
    own = settings.TEMPLATES[0]
    loading = {} if folders else {"loaders": own["OPTIONS"]["loaders"]}
    options = {
        "context_processors": [
            "django.template.context_processors.request",
            "socialsite.web.preferences.in_templates",
        ],
        "libraries": own["OPTIONS"]["libraries"] | libraries,
    }
    dirs = [*folders, *own["DIRS"]]
    given = {"NAME": "", "DIRS": dirs, "APP_DIRS": not loading, "OPTIONS": options | loading}
    return DjangoTemplates(given)


PLAIN = engine(
    settings.BASE_DIR / "benchmarks" / "templates" / "plain", posts="tests.feed.cards.plain_posts"
)
OWN = engine()


@cache
def compiled(by: DjangoTemplates, source: str) -> Any:
    return by.from_string(source)


def drawn(
    by: DjangoTemplates, source: str, card: PostCard, viewer: Viewer, **way: Any
) -> list[Any]:
    request = RequestFactory().get("/local?page=<2>")
    request.user = viewer
    html = compiled(by, source).render({"cards": [card, card], **way}, request)
    return Tokens(TOKEN.sub("", html)).found


def assert_same(state: str, viewer: Viewer, way: str) -> None:
    """The card drawn by the site, twice on a page, is what the frozen templates draw."""
    card, options = card_in(state, viewer=viewer), WAYS[way]
    given = "".join(f" {name}={name}" for name in options)
    own = f"{{% load posts %}}{{% for card in cards %}}{{% post_card card{given} %}}{{% endfor %}}"
    found = drawn(OWN, own, card, viewer, **options)
    assert found == drawn(PLAIN, INCLUDED, card, viewer, **options), (state, way)
    assert card.post_id in str(found)


@pytest.mark.parametrize("state", SOME_STATES)
def test_a_card_is_that_of_plain_templates_for_everyone_and_in_every_way(state):
    with clock_at(NOW):
        for viewer, way in product(VIEWERS.values(), WAYS):
            assert_same(state, viewer, way)


@pytest.mark.parametrize("language", ["de", "zh-hans"])
def test_so_it_is_in_every_language(language):
    viewers, ways = [VISITOR, VIEWERS["bob"]], ["in a list", "on its page"]
    with translation.override(language), clock_at(NOW):
        for state, viewer, way in product(SOME_STATES[::2], viewers, ways):
            assert_same(state, viewer, way)
