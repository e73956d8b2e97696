"""What people do on the pages, in the words that the pages use."""

import re
from collections.abc import Callable
from contextlib import suppress

from playwright.sync_api import Locator, Page, Route, expect

from tests.conftest import PASSWORD
from tests.faults.processes import wait_until

SAY = "What would you like to say?"
A_SAVING = 10_500  # milliseconds; a draft is saved 2 s after the last letter, and 10 s after the saving before
SHOWN_AFTER = """(button) => new Promise((resolve) => {
    const observer = new MutationObserver(() => resolve(performance.now() - started));
    let started;
    button.addEventListener("click", () => { started = performance.now(); }, { capture: true, once: true });
    observer.observe(button, { attributes: true, attributeFilter: ["aria-pressed"] });
    button.click();
})"""


def sign_up(page: Page, handle: str, name: str) -> None:
    page.goto("/signup")
    page.get_by_label("Handle").fill(handle)
    page.get_by_label("Display name").fill(name)
    page.get_by_label("Email").fill(f"{handle}@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()


def sign_up_link(page: Page) -> Locator:
    """The link in the navigation, which visitors alone have."""
    return page.get_by_role("navigation", name="Main").get_by_role("link", name="Sign up")


def sign_in(page: Page, account: str, password: str = PASSWORD) -> None:
    page.goto("/login")
    page.get_by_label("Handle or email").fill(account)
    page.get_by_label("Password").fill(password)
    page.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()


def write(page: Page, text: str) -> None:
    page.get_by_label(SAY).fill(text)
    page.get_by_role("button", name="Post", exact=True).click()


def composer(page: Page) -> Locator:
    return page.get_by_label(SAY)


def posts(page: Page) -> Locator:
    return page.locator("article.post")


def card(page: Page, text: str) -> Locator:
    """The one post with this text."""
    return posts(page).filter(has_text=text)


def heart(post: Locator) -> Locator:
    return post.get_by_role("button", name="Like")


def likes(post: Locator) -> Locator:
    return post.locator(".like-count")


def open_menu(post: Locator) -> None:
    post.locator("summary").click()


def sign_out(page: Page) -> None:
    page.locator(".account summary").click()
    page.get_by_role("button", name="Sign out").click()


def kept(page: Page) -> object:
    """What this browser keeps of what was typed, by name; what is unread (`waiting.js`) is no part of that."""
    return page.evaluate("(({ waiting, ...typed }) => typed)({ ...localStorage })")


def toast(page: Page) -> Locator:
    return page.locator("#toasts")


def let_save(page: Page, holds: Callable[[], bool]) -> None:
    """Turns the page's clock, which the test has installed, until what was typed is saved as is wished. A slow machine
    saves it in parts."""
    for _ in range(200):
        page.clock.fast_forward(A_SAVING)
        with suppress(AssertionError):
            wait_until(holds, seconds=0.3)
            return
    assert holds()


def title(page: Page) -> Locator:
    return page.get_by_role("heading", level=1)


def shown_after(button: Locator) -> float:
    """Clicks it, and tells how many milliseconds the page took to show the wanted state."""
    return float(button.evaluate(SHOWN_AFTER))


def expect_state(button: Locator, *, on: bool) -> None:
    expect(button).to_have_attribute("aria-pressed", "true" if on else "false")


def reload_until(page: Page, locator: Locator) -> None:
    """Loads the page anew until the stream worker has done its part."""
    for _ in range(100):
        if locator.count():
            break
        page.reload()
    expect(locator).to_be_attached()


def is_focused(page: Page) -> str:
    """What has the focus: its id, else its tag and text."""
    return page.evaluate(
        "(({id, tagName, textContent}) => id || `${tagName} ${textContent.trim()}`)(document.activeElement)"
    )


def tab_to(page: Page, target: Locator, *, ring: Locator | None = None) -> None:
    """Presses Tab until the target has the focus, and looks for the ring around it, or around its card."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if target.evaluate("(element) => element === document.activeElement"):
            break
    expect_focus(target, ring=ring)


def choose(page: Page, select: Locator, option: str) -> None:
    """Goes down the list that has the focus until an option that begins so is chosen. Letters would find it, too, but
    only if they come fast."""
    chosen = "(element) => element.selectedOptions[0].textContent.trim()"
    for _ in range(80):
        if select.evaluate(chosen).startswith(option):
            return
        page.keyboard.press("ArrowDown")
    raise AssertionError(f"there is no option {option}")


def expect_focus(target: Locator, *, ring: Locator | None = None) -> None:
    """It has the focus, and one sees that."""
    expect(target).to_be_focused()
    expect(target).to_be_in_viewport()
    expect(ring or target).to_have_css("outline-style", "solid")


def scroll_to_end(page: Page) -> None:
    """Scrolls down as long as there is more to load."""
    end = page.get_by_text("You’ve reached the end.")
    while not end.count():
        before = posts(page).count()
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        expect(end.or_(posts(page).nth(before)).first).to_be_attached()


def same_place(page: Page, path: str) -> None:
    expect(page).to_have_url(re.compile(rf"^https?://[^/]+{re.escape(path)}$"))


def until(page: Page, holds: Callable[[], object]) -> None:
    """Waits for what no selector and no expression of the page tells; the page goes on meanwhile."""
    for _ in range(600):
        if holds():
            return
        page.wait_for_timeout(50)
    assert holds()


def hold(page: Page, address: str) -> list[Route]:
    """Requests for the address wait in the list that is returned, until `let_go`."""
    held: list[Route] = []
    page.route(address, lambda route: held.append(route))
    return held


def let_go(page: Page, address: str, held: list[Route]) -> None:
    for route in held:
        route.continue_()
    page.unroute(address)
