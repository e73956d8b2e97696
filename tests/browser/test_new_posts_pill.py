"""New posts wait behind a pill until one asks for them; the page never moves by itself."""

import pytest
from playwright.sync_api import Page, Route, expect

from relations.follows.writes import follow
from socialsite.table import Unavailable
from tests.browser import steps
from tests.browser.screens import DESKTOP
from tests.conftest import post

A_POLL = 15_500  # milliseconds; the page asks every 15 seconds, and twice as late each time nothing happened
HIDDEN = """(hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def page(alice, bob, drain_stream, signed_in) -> Page:
    """Bob's home, of whose clock the test is the master."""
    for number in range(15):
        post(alice, f"Old {number:02}")
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    page = signed_in(bob)
    page.clock.install()
    page.goto("/")
    return page


def test_the_pill_says_how_many_and_shows_them_on_a_click(page, alice, drain_stream):
    page.evaluate("scrollTo(0, 400)")
    for text, said in (("One", "1 new post"), ("Two", "2 new posts")):
        post(alice, text)
        drain_stream()
        page.clock.fast_forward(A_POLL)
        expect(page.get_by_role("link", name=said)).to_be_visible()
    assert page.evaluate("scrollY") == 400
    expect(steps.posts(page).first).to_contain_text("Old 14")

    pill = page.locator("#pill")
    pill.click()
    expect(steps.posts(page).first).to_contain_text("Two")
    expect(steps.posts(page).nth(1)).to_contain_text("One")
    expect(steps.posts(page).first).to_be_focused()
    expect(steps.posts(page).first).to_be_in_viewport()
    expect(steps.posts(page)).to_have_count(17)
    expect(pill).to_have_count(0)

    # Own posts are shown at once and not counted; the counting begins anew.
    steps.write(page, "My own words")
    expect(steps.posts(page).first).to_contain_text("My own words")
    post(alice, "Three")
    drain_stream()
    page.clock.fast_forward(A_POLL)
    page.get_by_role("link", name="1 new post").click()
    expect(steps.posts(page).first).to_contain_text("Three")
    expect(steps.card(page, "My own words")).to_have_count(1)
    expect(steps.posts(page)).to_have_count(19)


@pytest.mark.parametrize("size", [{"width": 360, "height": 740}, DESKTOP])
def test_the_pill_covers_neither_the_head_nor_a_composer(page, alice, drain_stream, size):
    page.set_viewport_size(size)
    post(alice, "Brand new")
    drain_stream()
    page.clock.fast_forward(A_POLL)
    pill = page.locator("#pill")
    expect(pill).to_be_visible()
    for height in (0, 60, 150, 1200):
        page.evaluate("height => scrollTo(0, height)", height)
        box = pill.bounding_box()
        for other in (page.locator(".topbar"), page.locator("#composer")):
            above = other.bounding_box()
            assert box["y"] >= above["y"] + above["height"], height

    steps.posts(page).nth(9).get_by_role("link", name="Reply").click()
    expect(page.locator(".feed [name=content]")).to_be_focused()
    expect(pill).to_be_hidden()


def test_an_answer_that_comes_after_the_press_does_not_bring_the_pill_back(
    page, alice, drain_stream
):
    post(alice, "Brand new")
    drain_stream()
    page.clock.fast_forward(A_POLL)
    pill = page.get_by_role("link", name="1 new post")
    expect(pill).to_be_visible()
    post(alice, "Newer still")
    drain_stream()
    late: list[Route] = []
    page.route("**/pulse?*", lambda route: late.append(route))
    with page.expect_request("**/pulse?*"):
        page.clock.fast_forward(A_POLL)
    pill.click()
    expect(steps.posts(page).first).to_contain_text("Newer still")
    late[0].continue_()
    page.unroute("**/pulse?*")
    with page.expect_response("**/pulse?*"):
        page.clock.fast_forward(2 * A_POLL)
    expect(page.locator("#pill")).to_have_count(0)
    expect(steps.posts(page)).to_have_count(17)


def test_nothing_new_a_fault_and_a_hidden_tab_show_nothing(page, monkeypatch, watch):
    watch.expect("503")
    with page.expect_response("**/pulse?*") as answer:
        page.clock.fast_forward(A_POLL)
    assert answer.value.status == 204
    expect(page.locator("#pill")).to_have_count(0)

    def fail(*_: object, **__: object) -> None:
        raise Unavailable

    with monkeypatch.context() as fault:
        fault.setattr("notifications.views.has_newer", fail)
        with page.expect_response("**/pulse?*") as answer:
            page.clock.fast_forward(2 * A_POLL)
        assert answer.value.status == 503
    expect(steps.toast(page)).to_have_text("")

    asked: list[str] = []
    page.on("request", lambda request: "/pulse?" in request.url and asked.append(request.url))
    page.evaluate(HIDDEN, True)
    for _ in range(5):
        page.clock.run_for(A_POLL)
    assert asked == []
    page.evaluate(HIDDEN, False)
    with page.expect_response("**/pulse?*"):
        page.clock.run_for(A_POLL)


def test_a_session_that_ended_leaves_the_page_and_its_text_and_is_told_once(page):
    steps.composer(page).fill("Half a sentence")
    page.context.clear_cookies(name="session")
    with page.expect_response("**/pulse?*"):
        page.clock.fast_forward(A_POLL)
    expect(steps.toast(page)).to_contain_text("This page is out of date.")
    expect(steps.composer(page)).to_have_value("Half a sentence")
    steps.same_place(page, "/")

    steps.toast(page).get_by_role("button").click()
    with page.expect_response("**/pulse?*"):
        page.clock.fast_forward(2 * A_POLL)
    expect(steps.toast(page)).to_have_text("")
