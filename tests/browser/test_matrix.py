"""The pages that most people see, on every kind of screen, in light and dark, in every language.

Each page is looked at in one of these ways a run, another one each time; in all of them with `FAULTS=long`.
"""

import pytest
from playwright.sync_api import expect

from accounts.profile.writes import edit_profile
from feed.likes.writes import like_post
from relations.follows.writes import follow
from tests.browser.screens import DESKTOP, PHONE
from tests.conftest import post
from tests.injected.rotation import IS_LONG, share

pytestmark = [
    pytest.mark.engines("embedded", reason="looks at pages, which no engine changes"),
    pytest.mark.timeout(900 if IS_LONG else 120),
]

TABLET = {"width": 820, "height": 1180}
LANGUAGES = {"en": "en-GB", "de": "de-DE", "zh-hans": "zh-CN"}  # of the page: of the browser
TEXTS = [
    "Ein Satz mit einer Donaudampfschifffahrtsgesellschaftskapitänsmütze, https://example.org/a/b",
    "今天看完了一本写海岛的小说。",
    "صباح الخير من البحر",
]


@pytest.fixture
def post_path(alice, bob, carol, drain_stream) -> str:
    """The address of a post that is liked; Alice follows its author, so it is on her home page."""
    follow(by=alice, user_id=bob.user_id)
    edit_profile(by=bob, name="Bob ברנדט", bio="Fahrradwerkstatt am Brunnen.", location="İstanbul")
    for text in TEXTS:
        post_id = post(bob, text)
    for fan in (alice, carol):
        like_post(by=fan, post_id=post_id, author_id=bob.user_id)
    drain_stream()
    return f"/@bob/posts/{post_id}"


def test_pages_are_right_on_every_screen(post_path, alice, signed_in, visitor, look):
    own = {language: signed_in(alice, locale=locale) for language, locale in LANGUAGES.items()}
    public = {language: visitor(locale=locale) for language, locale in LANGUAGES.items()}
    pages = [(own, path) for path in ("/", "/@bob", post_path)]
    pages += [(own, "/settings/profile"), (own, "/settings/appearance"), (public, "/signup")]
    problems = []
    for number, (browsers, path) in enumerate(pages):
        for language in share(LANGUAGES, one_of=3, salt=f"page {number} in a language"):
            page = browsers[language]
            page.goto(path)
            expect(page.locator("html")).to_have_attribute("lang", language)
            problems += look(page, sizes=(PHONE, TABLET, DESKTOP))
    assert problems == []
