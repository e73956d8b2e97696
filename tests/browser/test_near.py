"""What comes beside the pointer and the focus: the card of a person, and what was searched for lately."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from feed.publishing.writes import publish_post
from relations.follows.writes import follow
from socialsite.table import ids
from tests.browser import steps
from tests.browser.screens import PHONE
from tests.conftest import post

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

SEARCH = "Search people"


@pytest.fixture
def page_of_local(alice, bob, carol, drain_stream, signed_in) -> Callable[..., Page]:
    """Alice's browser on the local timeline, on which she, Bob and Carol have posted, and Bob mentions Carol."""
    for author in (alice, carol):
        post(author)
    publish_post(by=bob, content="Ask @carol about it", nonce=ids.new_id())
    follow(by=bob, user_id=alice.user_id)
    drain_stream()

    def open_page(**options: object) -> Page:
        page: Page = signed_in(alice, **options)
        page.goto("/local")
        return page

    return open_page


def card(page: Page) -> Locator:
    return page.locator("#person-card")


def author(page: Page, handle: str) -> Locator:
    return page.locator(f"main .post-author[href='/@{handle}']")


def expect_on_screen(page: Page) -> None:
    expect(card(page)).to_be_in_viewport(ratio=1)


def test_a_card_comes_beside_a_name_stays_under_the_pointer_and_its_button_follows(
    page_of_local, axe
):
    page = page_of_local()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/@")[2]))
    author(page, "bob").hover()
    expect(card(page)).to_contain_text("Follows you")
    expect_on_screen(page)
    assert axe(page) == []

    button = card(page).get_by_role("button", name="Bob Brandt")
    with page.expect_response("**/follow"):
        button.click()  # over the gap between the two
    steps.expect_state(button, on=True)
    expect(card(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(card(page)).to_have_count(0)
    page.mouse.move(4, 4)

    # It is there at once the second time, as it was left. A mention has one; the own name has none.
    author(page, "bob").hover()
    steps.expect_state(button, on=True)
    page.mouse.move(4, 4)
    expect(card(page)).to_have_count(0)
    page.locator("main .post-text a").hover()
    expect(card(page)).to_contain_text("Carol 陈")
    author(page, "alice").hover()
    expect(card(page)).to_have_count(0)
    cards = [one.partition("?")[0] for one in asked if "/card" in one]
    assert cards == ["bob/card", "carol/card"]

    # Never off the screen, also at its foot, on a small one, and from right to left.
    page.set_viewport_size({"width": 400, "height": 420})
    page.evaluate("document.documentElement.dir = 'rtl'")
    for handle in ("bob", "carol"):
        author(page, handle).evaluate("(link) => link.scrollIntoView({ block: 'end' })")
        author(page, handle).hover()
        expect(card(page)).to_contain_text(f"@{handle}")
        expect_on_screen(page)


def test_a_card_comes_by_tab_and_is_walked_into_and_touch_follows_the_link(page_of_local):
    page = page_of_local()
    steps.tab_to(page, author(page, "bob"))
    expect(card(page)).to_be_visible()
    expect(author(page, "bob")).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Tab")
    expect(card(page).get_by_role("button", name="Bob Brandt")).to_be_focused()
    page.keyboard.press("Escape")
    expect(card(page)).to_have_count(0)
    expect(author(page, "bob")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(card(page)).to_be_visible()
    for _ in range(2):  # the button and the name
        page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(card(page), "the focus went on behind the name").to_have_count(0)
    expect(page.locator("main article:has(.post-author[href='/@bob']) .post-time")).to_be_focused()

    phone = page_of_local(viewport=PHONE, has_touch=True)
    author(phone, "bob").tap()
    steps.same_place(phone, "/@bob")
    expect(card(phone)).to_have_count(0)


def recents(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Recent searches").get_by_role("option")


def search(page: Page, text: str) -> None:
    page.goto("/local")
    page.get_by_label(SEARCH).fill(text)
    expect(page.get_by_role("combobox", name=SEARCH), "the script has come").to_be_focused()
    page.keyboard.press("Enter")
    steps.same_place(page, f"/search?q={text}")


def test_searches_of_before_are_offered_to_their_person_alone(page_of_local, axe):
    # One of signs is named as it was typed.
    page = page_of_local()
    page.evaluate("localStorage['draft:searches:alice'] = '[\"$&\"]'")
    page.goto("/local")
    page.get_by_label(SEARCH).click()
    expect(page.get_by_role("button", name="Remove “$&”")).to_be_visible()
    page.evaluate("localStorage.clear()")

    for text in ("tea", "trams", "herons"):
        search(page, text)
    page.goto("/local")
    page.keyboard.press("/")
    expect(recents(page)).to_have_text(["herons", "trams", "tea"])
    expect(page.get_by_text("Suggestions: 3.")).to_be_attached()
    assert axe(page) == []

    # Enter sends what is typed; an entry only where the arrow keys chose it.
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    steps.same_place(page, "/search?q=trams")
    page.get_by_label(SEARCH).fill("")
    expect(recents(page)).to_have_text(["trams", "herons", "tea"])
    page.keyboard.press("ArrowDown")
    page.keyboard.type("bob")
    expect(recents(page)).to_have_count(0)
    page.keyboard.press("Enter")
    steps.same_place(page, "/search?q=bob")

    page.get_by_label(SEARCH).fill("")
    page.get_by_role("button", name="Remove “trams”").click()
    expect(recents(page)).to_have_text(["bob", "herons", "tea"])
    page.get_by_role("button", name="Clear all").click()
    expect(recents(page)).to_have_count(0)
    assert steps.kept(page) == {}

    search(page, "secret")
    steps.sign_out(page)
    assert steps.kept(page) == {}
    # Also where a session ended by itself.
    page.evaluate("localStorage['draft:searches:alice'] = '[\"secret\"]'")
    steps.sign_in(page, "bob")
    expect(steps.title(page)).to_have_text("Home")
    page.wait_for_load_state()  # a key before the scripts is lost
    page.keyboard.press("/")
    expect(page.get_by_role("combobox", name=SEARCH)).to_be_focused()
    expect(recents(page)).to_have_count(0)
    assert page.evaluate("localStorage['draft:searches:alice'] ?? 'gone'") == "gone"
