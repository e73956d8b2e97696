"""What a first visit to the home page weighs, photos that are near, and styles that come with a dialog."""

import gzip
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, expect

from accounts.people.viewer import Viewer
from benchmarks.production import COOKIE, collect_static, served
from relations.follows.writes import follow
from tests.browser import steps
from tests.browser.screens import SIZES
from tests.browser.test_accessibility import SHIFTS
from tests.browser.test_installed import IS_READY, KEPT, OFFLINE
from tests.conftest import post
from tests.feed.scenes import photo, post_photos, real_files

# What a first visit to the home page weighs, as readers get it in production: bytes, requests, nodes, shifts.
#
# Seconds are measured by `python -m benchmarks.page_load`.

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

KB = 1024
POSTS = 20
TEXT = "On the way to work I counted {} herons by the canal, and one of them looked at me for a long time. "
STARTED_EARLY = """() => {
    const [{ loadEventStart }] = performance.getEntriesByType("navigation");
    const early = performance.getEntriesByType("resource").filter(({ startTime }) => startTime < loadEventStart);
    return early.map(({ name }) => name).filter((name) => /later|sw[.]|webmanifest|offline/.test(name));
}"""
COUNT_SHIFTS = """
    window.shifts = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
"""


# What nobody waits for: it is fetched once the page has loaded.
AFTER_LOAD = re.compile(r"/js/later\.|/sw\.js|/js/sw\.|/app\.webmanifest|/offline|/live\b")


@dataclass
class Visit:
    """What the browser fetched, and the page that it then shows."""

    page: Page
    wire: dict[str, float] = field(default_factory=dict)  # bytes by address
    later: dict[str, float] = field(default_factory=dict)  # of what an open page does beside

    def of(self, ending: str) -> list[float]:
        return [size for url, size in self.wire.items() if url.partition("?")[0].endswith(ending)]


@pytest.fixture(scope="module")
def static_root(engine: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return collect_static(tmp_path_factory.mktemp("production"))


@pytest.fixture
def address(table: str, static_root: Path, tmp_path: Path) -> Iterator[str]:
    with served(tmp_path, static_root) as address:
        yield address


@pytest.fixture
def visit(
    address: str,
    browser: Browser,
    alice: Viewer,
    bob: Viewer,
    log_in: Callable[[Viewer], Any],
    drain_stream: Callable[[], None],
) -> Iterator[Visit]:
    """Alice's first visit to her timeline with twenty posts."""
    follow(by=alice, user_id=bob.user_id)
    for number in range(POSTS):
        post(bob, TEXT.format(number) * (1 + number % 3))
    drain_stream()
    context = browser.new_context(base_url=address, ignore_https_errors=True)
    value = log_in(alice).cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": COOKIE, "value": value, "url": address, "secure": True}])
    context.add_init_script(COUNT_SHIFTS)
    page = context.new_page()
    visit = Visit(page)
    devtools = context.new_cdp_session(page)
    addresses: dict[str, str] = {}
    devtools.send("Network.enable")
    devtools.on(
        "Network.responseReceived",
        lambda event: addresses.update({event["requestId"]: event["response"]["url"]}),
    )
    devtools.on(
        "Network.loadingFinished",
        lambda event: visit.wire.update(
            {addresses.get(event["requestId"], event["requestId"]): event["encodedDataLength"]}
        ),
    )
    assert page.goto("/").ok
    page.wait_for_load_state("networkidle")
    for url in [url for url in visit.wire if AFTER_LOAD.search(url)]:
        visit.later[url] = visit.wire.pop(url)
    yield visit
    context.close()


def test_a_first_visit_is_light_and_still_and_the_page_without_a_connection_is_of_that_version(
    visit, address, browser_type, browser_type_launch_args
):
    assert sum(visit.wire.values()) <= 44.75 * KB, visit.wire
    assert len(visit.wire) <= 7, visit.wire
    assert visit.later
    assert sum(visit.later.values()) <= 6 * KB, visit.later
    assert visit.page.evaluate(STARTED_EARLY) == []
    assert 0 < sum(visit.of(".css")) <= 9.125 * KB, visit.wire
    assert 0 < sum(visit.of(".js")) <= 21.625 * KB, visit.wire
    answer = visit.page.request.get("/", headers={"Accept-Encoding": "identity"})
    assert len(gzip.compress(answer.body())) <= 10.5 * KB
    assert visit.page.locator("article.post").count() == POSTS
    assert visit.page.evaluate("document.querySelectorAll('*').length") <= 1500
    static = [url for url in visit.wire if "/static/" in url]
    assert static
    for url in static:  # kept for ever, and compressed
        answer = visit.page.request.get(url, headers={"Accept-Encoding": "br"})
        assert "immutable" in answer.headers["cache-control"], url
        if url.endswith((".css", ".js")):
            assert answer.headers["content-encoding"] == "br", url

    visit.page.mouse.wheel(0, 2000)
    visit.page.wait_for_timeout(300)
    assert visit.page.evaluate("shifts") <= 0.02
    button = visit.page.get_by_role("button", name="Like").first
    with visit.page.expect_response("**/like") as answer:
        button.click()
    body = answer.value.body()
    assert answer.value.ok
    assert len(body) <= KB, body.decode()

    # Without a connection the worker's page is styled by the files of that version, and keeps to the policy.
    arguments = [*browser_type_launch_args["args"], "--ignore-certificate-errors"]
    chromium = browser_type.launch(**browser_type_launch_args | {"args": arguments})
    page = chromium.new_page(base_url=address)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto("/about")
    assert page.evaluate(IS_READY)
    steps.until(page, lambda: page.evaluate(f"{KEPT}.then((all) => all.length === 3)"))
    page.context.set_offline(True)
    page.goto("/about")
    expect(page.get_by_role("heading", name=OFFLINE)).to_be_visible()
    main = page.locator("main")
    assert main.evaluate("(main) => getComputedStyle(main).alignContent") == "center"
    assert page.locator("img").evaluate("(img) => img.naturalWidth") > 0
    assert [text for text in said if "Content Security Policy" in text] == []
    chromium.close()


# A page full of photos fetches those that are near, and nothing moves while they load.

POSTS_WITH_PHOTOS, PHOTOS = 20, 4
SHAPES = [(1600, 900), (900, 1600), (1600, 1200), (1000, 1000)]


@pytest.mark.parametrize("size", SIZES)
def test_a_page_of_eighty_photos_is_lazy_and_still(signed_in, alice, bob, drain_stream, size):
    follow(by=alice, user_id=bob.user_id)
    files = {shape: real_files(*shape) for shape in SHAPES}
    for number in range(POSTS_WITH_PHOTOS):
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
    expect(page.locator("article.post")).to_have_count(POSTS_WITH_PHOTOS)
    first = len([url for url in fetched if "/m/" in url])
    shown = page.locator("article.post img[srcset]").count()
    assert shown == sum(1 + number % PHOTOS for number in range(POSTS_WITH_PHOTOS))
    assert 0 < first < shown  # those far below wait
    for _ in range(12):
        page.mouse.wheel(0, size["height"])
        page.wait_for_timeout(100)
    page.wait_for_load_state("networkidle")
    assert len([url for url in fetched if "/m/" in url]) > first
    assert page.evaluate("shifts") == 0


# Home fetches the styles of its dialogs with the first one, which waits for them.

SHEET = "**/css/forms.css"
DISPLAY = "getComputedStyle(document.querySelector('#modal .field')).display"


@pytest.fixture
def home(alice, bob, signed_in, drain_stream) -> Page:
    """Alice's, with a post of Bob's."""
    follow(by=alice, user_id=bob.user_id)
    post(bob, "Buy my tea")
    drain_stream()
    page: Page = signed_in(alice)
    page.goto("/")
    return page


def report(page: Page) -> None:
    steps.open_menu(steps.card(page, "Buy my tea"))
    page.get_by_role("link", name="Report post").click()


def test_the_first_dialog_waits_for_its_styles_the_second_has_them_and_without_them_it_is_a_page(
    home,
):
    held = steps.hold(home, SHEET)
    dialog = home.locator("#modal")
    report(home)
    expect(dialog.locator(".field").first).to_be_attached()
    expect(dialog).to_be_hidden()

    steps.let_go(home, SHEET, held)
    expect(dialog).to_be_visible()
    assert home.evaluate(DISPLAY) == "grid"

    home.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    report(home)
    expect(dialog).to_be_visible()
    expect(home.locator("link[href$='forms.css']")).to_have_count(1)

    # Where they cannot be had it is a page.
    home.route(SHEET, lambda route: route.abort())
    home.goto("/")
    report(home)
    expect(home).to_have_url(re.compile("/report$"))
    expect(home.get_by_role("heading", name="Report this post")).to_be_visible()
