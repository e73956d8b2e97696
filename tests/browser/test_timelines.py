"""New posts, older posts, notifications and search."""

from itertools import product

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from feed.likes.writes import like_post
from relations.follows.writes import follow
from relations.friends.writes import request_friend
from socialsite.table import Unavailable
from tests.browser import steps
from tests.browser.conftest import PHONE
from tests.browser.screens import DESKTOP
from tests.conftest import person, post
from tests.feed.scenes import answer

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


def test_the_pill_says_how_many_covers_nothing_and_shows_them_on_a_click_for_good(
    page, alice, drain_stream
):
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

    # It covers neither the head nor a composer.
    post(alice, "Brand new")
    drain_stream()
    page.clock.fast_forward(A_POLL)
    pill = page.locator("#pill")
    expect(pill).to_be_visible()
    for size, height in product(({"width": 360, "height": 740}, DESKTOP), (0, 60, 150, 1200)):
        page.set_viewport_size(size)
        page.evaluate("height => scrollTo(0, height)", height)
        box = pill.bounding_box()
        for other in (page.locator(".topbar"), page.locator("#composer")):
            above = other.bounding_box()
            assert box["y"] >= above["y"] + above["height"], (size, height)

    steps.posts(page).nth(9).get_by_role("link", name="Reply").click()
    expect(page.locator(".feed [name=content]")).to_be_focused()
    expect(pill).to_be_hidden()

    # An answer that comes after the press does not bring it back.
    page.goto("/")
    before = steps.posts(page).count()
    post(alice, "Brand newer")
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
    expect(steps.posts(page)).to_have_count(before + 2)


def test_nothing_new_a_fault_and_a_hidden_tab_show_nothing_and_a_session_that_ended_is_told_once(
    page, monkeypatch, watch
):
    watch.expect("503")
    page.wait_for_load_state("networkidle")  # it asks 15 seconds after its script has come
    with page.expect_response("**/pulse?*") as answer:
        page.clock.fast_forward(A_POLL)
    assert answer.value.status == 204
    expect(page.locator("#pill")).to_have_count(0)

    def fail(*_: object, **__: object) -> None:
        raise Unavailable

    with monkeypatch.context() as fault:
        fault.setattr("notifications.views.find_newer", fail)
        with page.expect_response("**/pulse?*") as answer:
            page.clock.fast_forward(2 * A_POLL)
        assert answer.value.status == 503
    expect(steps.toast(page)).to_have_text("")

    asked: list[str] = []
    page.on("request", lambda request: "/pulse?" in request.url and asked.append(request.url))
    page.evaluate(HIDDEN, True)
    for _ in range(5):
        page.clock.fast_forward(A_POLL)
    assert asked == []
    page.evaluate(HIDDEN, False)
    with page.expect_response("**/pulse?*"):
        page.clock.fast_forward(A_POLL)

    # A session that ended leaves the page and its text, and is told once.
    page.goto("/")
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


# Older posts come by themselves while one scrolls, each once; the back button finds the same place again.

POSTS = 65  # four pages
TOP = "(post) => post.getBoundingClientRect().top"
IS_THERE = """([id, top]) => {
    const post = document.getElementById(id);
    return post && Math.abs(post.getBoundingClientRect().top - top) < 2;
}"""


@pytest.fixture
def texts(bob) -> list[str]:
    """What Bob posted, newest first."""
    texts = [f"Number {number:02} of Bob" for number in range(POSTS)]
    for text in texts:
        post(bob, text)
    return texts[::-1]


def shown(page: Page) -> list[str]:
    return [text.strip() for text in steps.posts(page).locator(".post-text").all_inner_texts()]


def test_scrolling_shows_every_post_once_back_finds_the_place_and_the_link_gives_the_focus_on(
    texts, alice, bob, signed_in
):
    page = signed_in(alice)
    page.goto("/@bob")
    post(bob, "In between")  # what is written meanwhile shifts nothing
    steps.scroll_to_end(page)
    assert shown(page) == texts
    expect(page.get_by_role("link", name="Older posts")).to_have_count(0)
    steps.same_place(page, "/@bob")

    card = steps.card(page, texts[45])
    card.scroll_into_view_if_needed()
    assert page.evaluate("scrollY") > 1000
    place = [card.get_attribute("id"), card.evaluate(TOP)]
    card.locator(".post-time").click()
    expect(steps.title(page)).to_have_text("Post")
    page.evaluate("history.back()")
    steps.same_place(page, "/@bob")
    page.wait_for_function(IS_THERE, arg=place)

    page = signed_in(alice, viewport={"width": 1366, "height": 300})
    page.goto("/@bob")
    # In a window this low the link is still there: what loads by itself begins 1,200 px before it.
    link = page.get_by_role("link", name="Older posts")
    link.evaluate("(link) => link.focus({ preventScroll: true })")
    expect(link).to_be_focused()
    page.keyboard.press("Enter")

    expect(steps.posts(page).nth(20)).to_be_focused()


# Notifications as people meet them: a badge on every page, read as soon as they are seen, answered in place.

A_PULSE = 15_500  # milliseconds; a waiting page asks every 15 seconds
pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


@pytest.fixture
def told(alice, bob, carol, drain_stream) -> None:
    """Alice is told something of every kind that others cause."""
    mine = post(alice, "What a morning, and what a long walk along the river it became after all")
    for fan in (bob, carol):
        like_post(by=fan, post_id=mine, author_id=alice.user_id)
        follow(by=fan, user_id=alice.user_id)
    answer(bob, alice, mine, "Frost on every roof")
    post(carol, "Did @alice see it?")
    request_friend(by=bob, user_id=alice.user_id)
    drain_stream()


def badge(page: Page) -> object:
    return page.get_by_role("navigation", name="Main").locator("#bell-badge .nav-badge")


@pytest.mark.usefixtures("told")
def test_notifications_are_read_in_every_window_answered_there_and_come_to_a_page_that_waits(
    alice, bob, carol, signed_in, drain_stream, look
):
    page = signed_in(alice)
    other = page.context.new_page()
    other.goto("/about")
    expect(badge(other)).to_contain_text("5")
    page.goto("/notifications")
    expect(badge(page)).to_have_count(0)
    expect(page).to_have_title("Notifications · socialsite")
    expect(page.locator(".note-new")).to_have_count(5)
    assert look(page) == []
    other.reload()
    expect(badge(other)).to_have_count(0)
    page.reload()
    expect(page.locator(".note")).to_have_count(5)
    expect(page.locator(".note-new")).to_have_count(0)

    reply = steps.card(page, "Frost on every roof").get_by_role("link", name="Reply", exact=True)
    reply.click()
    page.get_by_label("Reply to @bob").fill("And no coffee left")
    page.get_by_role("button", name="Reply", exact=True).click()
    expect(steps.toast(page)).to_contain_text("Reply published.")
    page.goto("/settings/notifications")
    assert look(page) == []

    # A badge comes to a page that waits, and into its title.
    page.clock.install()
    page.goto("/about")
    title = page.title()
    asked: list[str] = []
    page.on("request", lambda request: "/pulse?" in request.url and asked.append(request.url))
    page.evaluate(HIDDEN, True)
    page.clock.fast_forward(10 * A_PULSE)
    assert asked == [], "a hidden page does not ask"
    post(bob, "What does @alice say?")
    drain_stream()
    page.evaluate(HIDDEN, False)
    expect(badge(page)).to_contain_text("1")
    expect(page).to_have_title(f"(1) {title}")

    request_friend(by=carol, user_id=alice.user_id)
    drain_stream()
    page.clock.fast_forward(A_PULSE)
    expect(page).to_have_title(f"(2) {title}")


@pytest.fixture
def page_of_searcher(alice, bob, carol, drain_stream, signed_in) -> Page:
    """Alice's browser; Bob and Carol have posted."""
    for author in (bob, carol):
        post(author)
    drain_stream()
    return signed_in(alice)


# Searching as one types: on its page, in the right column, by keys, on a phone, and in lists of one's own.


def box(page: Page) -> Locator:
    return page.get_by_role("main").get_by_label("Search people")


def people(page: Page) -> Locator:
    return page.locator("article.person")


def beside(page: Page) -> Locator:
    return page.get_by_role("complementary").get_by_label("Search people")


def hits(page: Page) -> Locator:
    return page.locator("#side-found a")


def test_people_are_found_while_one_types_and_by_scrolling_on_and_what_was_typed_goes_along(
    page_of_searcher, alice, drain_stream, axe
):
    page_of_searcher.goto("/explore")
    expect(people(page_of_searcher)).to_have_count(2)
    box(page_of_searcher).press_sequentially("bo", delay=40)
    expect(people(page_of_searcher)).to_have_count(1)
    expect(people(page_of_searcher)).to_contain_text("Bob Brandt")
    expect(page_of_searcher.locator("#found-says")).to_have_text("1 result")
    steps.same_place(page_of_searcher, "/search?q=bo")
    expect(box(page_of_searcher)).to_be_focused()

    box(page_of_searcher).fill("nobody")
    expect(page_of_searcher.get_by_text("We couldn’t find “nobody”.")).to_be_visible()
    box(page_of_searcher).fill("")
    expect(page_of_searcher.get_by_role("link", name="Explore people to follow")).to_be_visible()
    box(page_of_searcher).fill("陈")
    expect(people(page_of_searcher)).to_have_count(1)
    expect(people(page_of_searcher)).to_contain_text("Carol 陈")
    page_of_searcher.reload()
    expect(people(page_of_searcher)).to_contain_text("Carol 陈")
    expect(box(page_of_searcher)).to_have_value("陈")

    # Enter asks at once, and keeps the focus.
    box(page_of_searcher).fill("bob")
    box(page_of_searcher).press("Enter")
    expect(people(page_of_searcher)).to_contain_text("Bob Brandt")
    expect(box(page_of_searcher)).to_be_focused()

    # What was typed goes along to the lists of one's own.
    post(alice, "Soup at noon")
    page_of_searcher.goto("/explore")
    box(page_of_searcher).press_sequentially("soup", delay=40)
    page_of_searcher.get_by_role("link", name="Your posts").click()
    expect(page_of_searcher.locator("article.post mark")).to_have_text("Soup")
    steps.same_place(page_of_searcher, "/search?in=posts&q=soup")
    assert axe(page_of_searcher) == []
    field = page_of_searcher.get_by_role("searchbox", name="Search your posts")
    field.fill("noon tea")
    expect(page_of_searcher.locator("article.post")).to_have_count(1)  # until it is sent
    field.press("Enter")
    expect(
        page_of_searcher.get_by_text("We couldn’t find “noon tea” in your posts.")
    ).to_be_visible()

    # Many are found by scrolling on.
    for number in range(30):
        person(f"anna{number:02}", f"Anna A{number:02}")
    drain_stream()
    page = page_of_searcher
    page.goto("/search?tab=people&q=anna")
    expect(people(page).first).to_be_visible()
    while (shown := people(page).count()) < 30:
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        expect(people(page).nth(shown)).to_be_attached()
    expect(people(page)).to_have_count(30)


def test_the_right_column_finds_while_one_types_by_keys_too_and_a_phone_has_five_places_instead(
    page_of_searcher, axe, visitor
):
    for path in ("/@bob", "/settings/profile"):
        page_of_searcher.goto(path)
        expect(page_of_searcher.locator(".side-person")).to_have_count(1 if path == "/@bob" else 2)
        place = page_of_searcher.locator(".side-card").bounding_box()
        beside(page_of_searcher).press_sequentially("bo", delay=40)
        expect(hits(page_of_searcher)).to_have_count(1)
        expect(hits(page_of_searcher)).to_contain_text("Bob Brandt")
        expect(page_of_searcher.locator("#side-found-says")).to_have_text("1 person found")
        expect(beside(page_of_searcher)).to_be_focused()
        steps.same_place(page_of_searcher, path)
        assert page_of_searcher.locator(".side-card").bounding_box() == place, path
    assert axe(page_of_searcher) == []

    beside(page_of_searcher).fill("nobody")
    expect(page_of_searcher.locator("#side-found")).to_contain_text("We couldn’t find “nobody”.")
    beside(page_of_searcher).fill("")
    expect(page_of_searcher.locator("#side-found")).to_be_hidden()
    beside(page_of_searcher).fill("carol")
    beside(page_of_searcher).press("Enter")
    expect(people(page_of_searcher)).to_contain_text("Carol 陈")
    steps.same_place(page_of_searcher, "/search?q=carol")

    # A phone has no right column, but five places and the menu.
    page_of_searcher.set_viewport_size(PHONE)
    asked = []
    page_of_searcher.on("request", lambda request: asked.append(request.url))
    page_of_searcher.goto("/")
    expect(steps.composer(page_of_searcher)).to_be_visible()
    links = page_of_searcher.get_by_role("navigation", name="Main").get_by_role("link")
    expect(links).to_have_text(["Home", "Explore", "New post", "Notifications", "Messages"])
    page_of_searcher.locator(".account summary").click()
    for place in ("Friends", "Settings"):
        expect(page_of_searcher.locator(".account").get_by_role("link", name=place)).to_be_visible()
    page_of_searcher.keyboard.press("Escape")
    links.filter(has_text="Explore").click()
    expect(people(page_of_searcher)).to_have_count(2)
    assert not [url for url in asked if "people-to-follow" in url]

    # Keys walk through what was found, hide it and open it, for visitors too.
    page = visitor()
    page.goto("/local")
    page.keyboard.press("/")
    page.keyboard.type("bob")
    expect(hits(page)).to_contain_text("Bob Brandt")
    chosen = page.get_by_role("option", selected=True)
    page.keyboard.press("ArrowDown")
    expect(chosen).to_contain_text("Bob Brandt")
    expect(beside(page), "the focus stays in the field").to_be_focused()
    page.keyboard.press("Escape")
    expect(hits(page)).to_be_hidden()
    expect(beside(page)).to_be_focused()
    expect(beside(page)).to_have_value("bob")

    # Typing on shows it again, leaving hides it, and coming back shows it.
    beside(page).press_sequentially("b")
    beside(page).press("Backspace")
    expect(hits(page)).to_be_visible()
    steps.title(page).click()
    expect(hits(page)).to_be_hidden()
    beside(page).click()
    expect(hits(page)).to_be_visible()

    beside(page).fill("c")
    expect(hits(page)).to_contain_text("Carol 陈")
    page.keyboard.press("ArrowDown")
    expect(chosen).to_contain_text("Carol 陈")
    page.keyboard.press("ArrowUp")
    expect(chosen, "above the first is the text itself").to_have_count(0)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    steps.same_place(page, "/@carol")
