"""A page full of photos fetches those that are near, and nothing moves while they load."""

import pytest
from playwright.sync_api import expect

from relations.follows.writes import follow
from tests.browser.screens import SIZES
from tests.browser.test_photos_accessible import SHIFTS
from tests.feed.photographs import photo, post_photos, real_files

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

POSTS, PHOTOS = 20, 4
SHAPES = [(1600, 900), (900, 1600), (1600, 1200), (1000, 1000)]


@pytest.mark.parametrize("size", SIZES)
def test_a_page_of_eighty_photos_is_lazy_and_still(signed_in, alice, bob, drain_stream, size):
    follow(by=alice, user_id=bob.user_id)
    files = {shape: real_files(*shape) for shape in SHAPES}
    for number in range(POSTS):
        shapes = [SHAPES[(number + n) % len(SHAPES)] for n in range(1 + number % PHOTOS)]
        photos = [
            photo(bob, f"Heron {n} of {number}", width=wide, height=high, files=files[wide, high])
            for n, (wide, high) in enumerate(shapes)
        ]
        post_photos(bob, *photos, content=f"Post {number}")
    drain_stream()
    page = signed_in(alice, viewport=size)
    page.add_init_script(SHIFTS)
    fetched = []
    page.on("response", lambda answer: fetched.append(answer.url))
    answer = page.goto("/")
    page.wait_for_load_state("networkidle")
    assert answer
    expect(page.locator("article.post")).to_have_count(POSTS)
    first = len([url for url in fetched if "/m/" in url])
    shown = page.locator("article.post img[srcset]").count()
    assert shown == sum(1 + number % PHOTOS for number in range(POSTS))
    assert 0 < first < shown  # those far below wait
    for _ in range(12):
        page.mouse.wheel(0, size["height"])
        page.wait_for_timeout(100)
    page.wait_for_load_state("networkidle")
    assert len([url for url in fetched if "/m/" in url]) > first
    assert page.evaluate("shifts") == 0
