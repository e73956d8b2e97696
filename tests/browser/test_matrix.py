"""The pages that most people see, on every kind of screen, in light and dark, in every language."""

import pytest
from playwright.sync_api import Page, expect

from accounts.services.edit_profile import edit_profile
from feed.services.like_post import like_post
from relations.services.follow import follow
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.test_layouts import sideways
from tests.conftest import post

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

TABLET = {"width": 820, "height": 1180}
# Phone and desktop in English have all pages looked at in both schemes by test_accessibility.
SCREENS = ((PHONE, "light"), (PHONE, "dark"), (TABLET, "light"), (DESKTOP, "light"))
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


def look(page: Page, path: str, axe) -> list[str]:
    """What is wrong with a page in any size and scheme; colours are all that a scheme changes."""
    problems = []
    page.goto(path)
    for size, scheme in SCREENS:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        expect(page.locator(".htmx-request")).to_have_count(0)
        rules = () if scheme == "light" else ("color-contrast", "link-in-text-block")
        found = axe(page, *rules)
        if (pixels := sideways(page)) > 0:
            found.append(f"scrolls sideways by {pixels} pixels")
        problems += [f"{path} at {size['width']}, {scheme}: {problem}" for problem in found]
    return problems


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_are_right_on_every_screen(language, post_path, alice, signed_in, visitor, axe):
    options = {"locale": LANGUAGES[language], "viewport": PHONE}
    own, public = signed_in(alice, **options), visitor(**options)
    problems = look(public, "/signup", axe)
    for path in ("/", "/@bob", post_path, "/settings/profile", "/settings/appearance"):
        problems += look(own, path, axe)
    assert problems == []
    for page in (own, public):
        expect(page.locator("html")).to_have_attribute("lang", language)
