"""A view has at most one filled button, so that the eye finds what is usually done there."""

import pytest
from playwright.sync_api import Page, expect

from relations.services.befriend import request_friend
from relations.services.follow import follow
from tests.browser import steps
from tests.browser.screens import DESKTOP, PHONE
from tests.conftest import person, post
from tests.injected.rotation import share

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

OWN = [
    "/",
    "/local",
    "/explore",
    "/search?q=o",
    "/@bob",
    "/@alice",
    "/@bob/followers",
    "/posts/new",
    "/friends",
]
OWN += [
    "/saved",
    "/drafts",
    "/scheduled",
    "/photos",
    "/circles",
    "/requests",
    "/settings/profile",
    "/settings/privacy",
    "/settings/old-posts",
    "/settings/security",
    "/settings/passkeys",
    "/settings/handle",
    "/settings/close",
    "/settings/email",
    "/settings/blocks",
]
PUBLIC = ["/", "/local", "/explore", "/@bob", "/login", "/signup", "/password/forgot", "/about"]
# What has the colour of the primary button as its background, on the screen and not behind something.
FILLED = """() => {
    const probe = document.createElement("i");
    probe.className = "button";
    document.body.append(probe);
    const filled = getComputedStyle(probe).backgroundColor;
    probe.remove();
    return [...document.querySelectorAll("a, button")]
        .filter((element) => element.checkVisibility() && element.matches(":not(.skip-link)"))
        .filter((element) => {
            const { left, right, top, bottom } = element.getBoundingClientRect();
            return right > 0 && left < innerWidth && bottom > 0 && top < innerHeight;
        })
        .filter((element) => getComputedStyle(element).backgroundColor === filled)
        .map((element) => element.textContent.trim());
}"""


@pytest.fixture
def page(alice, bob, carol, signed_in, drain_stream) -> Page:
    dora, erik = person("dora"), person("erik")
    for other in (carol, dora, erik):
        follow(by=other, user_id=bob.user_id)
        post(other, "Hello")
    request_friend(by=dora, user_id=alice.user_id)
    request_friend(by=erik, user_id=alice.user_id)
    drain_stream()
    return signed_in(alice)


def crowded(page: Page, paths: list[str]) -> list[str]:
    """Each page on a phone or a desktop, the other one in another run."""
    found = []
    for path in paths:
        for size in share([PHONE, DESKTOP], one_of=2, salt=f"filled buttons of {path}"):
            page.set_viewport_size(size)
            page.goto(path)
            page.wait_for_load_state("networkidle")
            filled = page.evaluate(FILLED)
            if len(filled) > 1:
                found.append(f"{path}, {size['width']} wide: {filled}")
    return found


def test_for_members(page):
    assert crowded(page, OWN) == []
    page.goto("/")
    page.wait_for_load_state("networkidle")
    assert page.evaluate(FILLED) == []
    steps.composer(page).fill("Hello")  # Post becomes that button once there is something to post
    expect(page.get_by_role("button", name="Post", exact=True)).to_be_enabled()
    assert page.evaluate(FILLED) == ["Post"]


def test_for_visitors(page, visitor):
    assert crowded(visitor(), PUBLIC) == []


def test_the_bar_of_a_phone_has_labels_and_an_icon_for_each(page, visitor):
    for phone in (page, visitor()):
        phone.set_viewport_size(PHONE)
        phone.goto("/local")
        links = phone.get_by_role("navigation", name="Main").locator("a:visible")
        expect(links).to_have_count(5)
        icons = set()
        for link in links.all():
            label = link.locator(".nav-label")
            expect(label).to_be_in_viewport()
            assert label.bounding_box()["width"] > 10
            icons.add(link.locator("use").get_attribute("href").rpartition("#")[2])
        assert len(icons) == 5
        assert not icons & {"users-round", "users", "user-plus"}
