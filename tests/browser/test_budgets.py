"""What a first visit to the home page weighs, as readers get it in production: bytes, requests, nodes, shifts.

Seconds are measured by `python -m benchmarks.page_load`.
"""

import gzip
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page

from accounts.people.viewer import Viewer
from benchmarks.production import COOKIE, collect_static, served
from relations.follows.writes import follow
from tests.conftest import post

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

KB = 1024
POSTS = 20
TEXT = "On the way to work I counted {} herons by the canal, and one of them looked at me for a long time. "
SHIFTS = """
    window.shifts = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
"""


@dataclass
class Visit:
    """What the browser fetched, and the page that it then shows."""

    page: Page
    wire: dict[str, float] = field(default_factory=dict)  # bytes by address

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
    context.add_init_script(SHIFTS)
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
    yield visit
    context.close()


def test_a_first_visit_is_light_and_still_and_a_like_comes_back_as_less_than_a_kilobyte(visit):
    assert sum(visit.wire.values()) <= 44.75 * KB, visit.wire
    assert len(visit.wire) <= 7, visit.wire
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
