"""The installed site in a browser: its worker, the offline page, what stays of a person after signing out, shares of
other apps, what comes by push, and one unread number everywhere."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from accounts.models import Bell
from accounts.people.viewer import Viewer
from accounts.profile.writes import edit_profile
from feed.likes.writes import like_post
from relations.follows.writes import follow
from socialsite.table import write_batch
from socialsite.web import installed
from tests.browser import steps
from tests.browser.test_site import HOSTILE, SAYS, lose_connection
from tests.conftest import post
from tests.faults.looks import posts_of

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

OFFLINE = "You are offline"
# The worker has the page: what the page asks for goes by it.
IS_READY = """navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller
    || new Promise((done) => { navigator.serviceWorker.oncontrollerchange = done; })).then(() => true)"""
TOOK_OVER = """(query) => {
    const { scriptURL, state } = navigator.serviceWorker.controller;
    return scriptURL.endsWith(query) && state === "activated";
}"""
UNNOTICED = "window.isDeaf = addEventListener('offline', (event) => event.stopImmediatePropagation(), true) ?? true"
REACHES = "fetch('/about', { method: 'HEAD', cache: 'no-store' }).then(() => true, () => false)"
KEPT = """caches.keys().then((names) => Promise.all(names.map(async (name) =>
    (await (await caches.open(name)).keys()).map(({ url }) => url.slice(origin.length))))).then((all) => all.flat())"""


@pytest.fixture
def page(signed_in, alice) -> Page:
    page = signed_in(alice, service_workers="allow")
    page.goto("/")
    assert page.evaluate(IS_READY)
    return page


def press(page: Page, selector: str) -> None:
    """In JavaScript, as all else of Playwright waits for the page that does not come."""
    page.evaluate("(selector) => document.querySelector(selector).click()", selector)


def lose_unnoticed(page: Page) -> None:
    """The browser does not tell, as where there is a network and nothing behind it."""
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.isDeaf")
    page.context.set_offline(True)


def find_connection(page: Page) -> None:
    """The worker hears of it last."""
    page.context.set_offline(False)
    (worker,) = page.context.service_workers
    steps.until(page, lambda: worker.evaluate(REACHES))


def says_offline(page: Page) -> None:
    page.wait_for_function(
        "(says) => document.getElementById('toasts').textContent.includes(says)", arg=SAYS
    )


# The worker and its page


def test_it_keeps_the_offline_page_and_nothing_that_a_person_saw(page, alice, look):
    """One story: what it keeps, the page that it shows without a connection, and its language and colours."""
    asked = []
    page.context.on("request", lambda request: asked.append(request.url))
    post(alice, "My own words")
    for address in ("/@alice", "/notifications", "/messages", "/settings/profile", "/about"):
        page.goto(address)
    page.wait_for_load_state("networkidle")
    kept = page.evaluate(KEPT)
    assert "/offline?l=en&t=auto" in kept
    others = [path for path in kept if path != "/offline?l=en&t=auto"]
    assert others
    assert all(path.startswith("/static/") for path in others), others
    page.evaluate("navigator.serviceWorker.getRegistration().then((one) => one.update())")
    again = [url for url in asked if "/sw.js" in url]
    assert again == [], "no page asks for the worker again within the hour"

    lose_connection(page)
    page.goto("/@alice")
    expect(page.get_by_role("heading", name=OFFLINE)).to_be_visible()
    steps.same_place(page, "/@alice")
    assert page.locator("img").evaluate("(img) => img.naturalWidth") > 0
    assert look(page) == []
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", name=OFFLINE)).to_be_visible()
    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_text("My own words")).to_be_visible()

    page.goto("/settings/appearance")
    page.get_by_label("Language").select_option("de")
    page.get_by_label("Dark").check()
    page.get_by_role("button", name="Save").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.wait_for_function(TOOK_OVER, arg="l=de&t=dark")
    assert "/offline?l=de&t=dark" in page.evaluate(KEPT)
    lose_connection(page)
    page.goto("/@alice")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


@pytest.fixture
def new_version(monkeypatch) -> Iterator[Callable[[], None]]:
    """Calling it puts a new version of the site in place, whose offline page has another picture. Pages that are opened
    after this fixture look at each visit and not once an hour."""
    monkeypatch.setattr("socialsite.web.installed.HOUR", 0)

    def begin() -> None:
        monkeypatch.setattr("socialsite.web.installed.LOGO", "icons/icon-192.png")
        installed._script.cache_clear()

    yield begin
    installed._script.cache_clear()


def test_a_new_version_takes_over_at_once_and_drops_what_the_old_one_kept(new_version, page):
    (before,) = page.evaluate("caches.keys()")
    page.evaluate("caches.open('of a version before')")
    new_version()
    page.goto("/about")
    steps.until(
        page,
        lambda: page.evaluate(
            f"caches.keys().then((all) => all.length === 1 && all[0] !== '{before}')"
        ),
    )
    assert "/static/icons/icon-192.png" in page.evaluate(KEPT)
    expect(steps.title(page)).to_have_text("About")


# In the middle of writing


def test_what_is_typed_in_a_form_stays_when_it_cannot_be_sent_or_left(page, watch):
    """With a connection whose loss the browser tells, and one whose loss it does not notice."""
    watch.expect("dialog")
    say_who_one_is(page)
    lose_connection(page)
    expect_kept(page)
    find_connection(page)
    expect_sent(page)

    # Closing it asks.
    asked: list[str] = []
    page.on("dialog", lambda dialog: asked.append(dialog.type))
    page.goto("/settings/profile")
    page.locator("[name=bio]").press_sequentially("Daily. ")
    lose_connection(page)
    page.evaluate("navigation.onnavigate = null")  # as a reader's own button does not ask the page
    page.evaluate("setTimeout(() => location.reload())")
    steps.until(page, lambda: asked)
    assert "Daily. " in page.evaluate("document.querySelector('[name=bio]').value")
    assert asked == ["beforeunload"]
    find_connection(page)

    # Unnoticed, links that lead nowhere leave it alone, too.
    page = page.context.new_page()
    page.add_init_script(UNNOTICED)
    say_who_one_is(page)
    lose_unnoticed(page)
    press(page, "a[href='/explore']")
    expect_kept(page, pressed=True)
    find_connection(page)
    say_who_one_is(page)
    lose_unnoticed(page)
    expect_kept(page)
    find_connection(page)
    expect_sent(page)

    # What is opened in another tab has the offline page there, and says it nowhere else.
    page.goto("/settings/profile")
    lose_unnoticed(page)
    with page.context.expect_page() as opened:
        page.locator("a[href='/explore']:visible").first.click(modifiers=["ControlOrMeta"])
    expect(opened.value.get_by_role("heading", name=OFFLINE)).to_be_visible()
    assert page.locator("#toasts").inner_text().strip() == ""


def say_who_one_is(page: Page) -> None:
    page.goto("/settings/profile")
    page.locator("[name=bio]").fill("Bakes bread.")


def expect_kept(page: Page, *, pressed: bool = False) -> None:
    """The form is sent, or something was `pressed`: the page stays with what was typed, and says why."""
    if not pressed:
        press(page, "main form [type=submit]")
    says_offline(page)
    assert page.evaluate("location.pathname") == "/settings/profile"
    assert page.evaluate("document.querySelector('[name=bio]').value") == "Bakes bread."


def expect_sent(page: Page) -> None:
    press(page, "main form [type=submit]")
    expect(page).to_have_url(re.compile("/@alice$"))
    expect(page.get_by_text("Bakes bread.")).to_be_visible()


def test_a_post_in_the_middle_of_writing_is_kept_and_sent_by_nobody(page, alice, watch):
    watch.expect("console error: htmx:sendError")
    page.add_init_script(UNNOTICED)
    page.goto("/posts/new")
    steps.composer(page).fill("On the train")
    lose_unnoticed(page)
    press(page, ".composer [data-posts]")
    says_offline(page)
    page.evaluate(
        "document.querySelector('.composer textarea').focus()"
    )  # of Playwright the keyboard alone does not wait for the page that does not come
    page.keyboard.type(", again")
    page.reload()
    expect(page.get_by_role("heading", name=OFFLINE)).to_be_visible()
    find_connection(page)
    page.get_by_role("link", name="Try again").click()
    expect(steps.composer(page)).to_have_value("On the train, again")
    page.wait_for_load_state("networkidle")
    assert posts_of(alice) == []
    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.get_by_text("On the train, again")).to_be_visible()


# After signing out


def test_after_signing_out_no_page_of_the_last_person_is_to_be_had(page, alice, bob):
    post(alice, "My own words")
    seen = ["/", "/@alice", "/notifications", "/settings/profile", "/posts/new", "/messages"]
    for address in seen:
        page.goto(address)
    page.goto("/posts/new")
    steps.composer(page).fill("A secret")
    page.wait_for_load_state("networkidle")
    page.goto("/")
    steps.sign_out(page)
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
    page.evaluate(IS_READY)
    assert "A secret" not in page.evaluate("JSON.stringify(localStorage)")
    assert page.evaluate("localStorage.getItem('waiting')") is None
    lose_connection(page)
    for address in seen:
        page.goto(address)
        expect(page.get_by_role("heading", name=OFFLINE), address).to_be_visible()
        assert "alice" not in page.content().lower()
    for _ in range(page.evaluate("history.length") - 1):
        page.go_back()
        content = page.content()
        for private in ("My own words", "A secret", "Alice Archer"):
            assert private not in content, page.url


# Shares


def share(page: Page, **given: str) -> None:
    page.goto("/about")
    page.evaluate("(given) => location.assign(`/posts/new?${new URLSearchParams(given)}`)", given)
    page.wait_for_url("**/posts/new?*")


def test_a_share_is_text_leaves_what_was_being_written_alone_and_goes_on_when_loaded_again(
    page, alice
):
    page.goto("/posts/new")
    steps.composer(page).fill("A post of my own")
    page.wait_for_load_state("networkidle")
    share(page, title="Herons", url="https://example.org/")
    expect(steps.composer(page)).to_have_value("Herons\nhttps://example.org/")
    steps.composer(page).press("End")
    with page.expect_response("**/drafts"):
        steps.composer(page).press_sequentially(" - look!")
    page.reload()
    expect(steps.composer(page)).to_have_value("Herons\nhttps://example.org/ - look!")
    page.goto("/posts/new")
    expect(steps.composer(page)).to_have_value("A post of my own")
    assert posts_of(alice) == []

    share(page, title="Herons", url="https://example.org/")
    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.locator(".toast-success")).to_be_visible()
    expect(steps.posts(page).locator(".post-text")).to_have_text("Herons example.org/ - look!")
    share(page, title="Herons", url="https://example.org/")
    expect(steps.composer(page)).to_have_value("Herons\nhttps://example.org/")

    hostile = " ".join(HOSTILE)
    share(page, title=hostile, url=f"javascript:alert(1)//{hostile}")
    expect(steps.composer(page)).to_have_value(re.compile(re.escape(hostile)))
    expect(page.locator("main :is(iframe, style, [onerror], [onload])")).to_have_count(0)


# The page that says how to install it


def test_a_browser_that_can_install_gets_a_button(page, look):
    page.goto("/settings/app")
    button = page.get_by_role("button", name="Install")
    expect(button).to_have_count(0)
    assert look(page) == []
    page.wait_for_load_state("networkidle")
    page.evaluate(
        """() => {
            const event = new Event("beforeinstallprompt", { cancelable: true });
            event.prompt = async () => { document.body.dataset.asked = event.defaultPrevented; };
            dispatchEvent(event);
        }"""
    )
    button.click()
    expect(page.locator("body")).to_have_attribute("data-asked", "true")
    expect(button).to_have_count(0)  # a browser asks once
    assert look(page) == []


# What comes by push. No push service answers this browser, and it shows no notifications, so a page posts the same to
# the worker, in which the browser's two functions note what they were asked.

NOTED = """() => {
    self.noted = [];
    registration.showNotification = async (title, options) => { noted.push(["shown", title, options]); };
    navigator.setAppBadge = async (number) => { noted.push(["badge", number]); };
    navigator.clearAppBadge = async () => { noted.push(["badge", 0]); };
}"""


def noted(context: BrowserContext, count: int) -> list[Any]:
    worker = context.service_workers[-1]
    for _ in range(100):
        found = worker.evaluate("self.noted")
        if len(found) >= count:
            return list(found)
        context.pages[0].wait_for_timeout(50)
    raise AssertionError(found)


SENT = "(show) => navigator.serviceWorker.controller.postMessage({ show })"


LEADS = {
    "/messages/bob": "/messages/bob",
    None: "/",
    "https://evil.example/": "/",
    "//evil.example/x": "/",
    "javascript:alert(1)": "/",
    "data:text/html,x": "/",
}


def test_a_notification_says_what_was_sent_leads_nowhere_else_and_a_click_brings_its_tab(page):
    worker = page.context.service_workers[-1]
    worker.evaluate(NOTED)
    here = page.evaluate("location.origin")
    for number, (url, leads) in enumerate(LEADS.items()):
        page.evaluate(SENT, {"title": "bob wrote", "tag": "messages", "badge": 3, "url": url})
        badge, shown = noted(page.context, 2 * number + 2)[-2:]
        assert badge == ["badge", 3]
        assert shown[1] == "bob wrote"
        assert shown[2]["tag"] == "messages"
        assert shown[2]["data"]["url"] == f"{here}{leads}", url

    # A push shows the same.
    worker.evaluate(NOTED)
    data = {"title": "3 people liked your post", "url": "/notifications", "badge": 0}
    worker.evaluate(
        "(data) => dispatchEvent(new PushEvent('push', { data: JSON.stringify(data) }))", data
    )
    badge, shown = noted(page.context, 2)
    assert (badge, shown[1]) == (["badge", 0], "3 people liked your post")
    worker.evaluate(
        """() => {
            clients.matchAll = async () => [
                { url: `${location.origin}/`, focus: () => noted.push(["focus", "/"]) },
                { url: `${location.origin}/notifications#n`, focus: () => noted.push(["focus", "/notifications"]) },
            ];
            clients.openWindow = (url) => noted.push(["opened", new URL(url).pathname]);
            open(here("/notifications"));
            open(here("/messages"));
        }"""
    )
    assert noted(page.context, 4)[2:] == [["focus", "/notifications"], ["opened", "/messages"]]


# One unread number: on the bell, beside the messages, in the title, on the icon, in every tab

ICON = """
    window.icon = null;
    navigator.setAppBadge = async (number) => { window.icon = number; };
    navigator.clearAppBadge = async () => { window.icon = 0; };
"""
HIDDEN = """(hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def tabs(signed_in, alice, bob, drain_stream) -> tuple[Page, Page]:
    """Two of Alice's, who has one notification. The second one is in the background."""
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    first = signed_in(alice)
    first.context.add_init_script(ICON)
    second = first.context.new_page()
    for page in (second, first):
        page.goto("/about")
        has_number(page, 1)
    second.evaluate(HIDDEN, True)
    return first, second


def has_number(page: Page, number: int, shown: str = "") -> None:
    """In the title and on the icon."""
    if number:
        expect(page).to_have_title(re.compile(rf"^\({re.escape(shown or str(number))}\) "))
    else:
        expect(page).not_to_have_title(re.compile(r"^\("))
    page.wait_for_function("(number) => window.icon === number", arg=number)


def test_what_one_tab_hears_of_or_reads_is_the_number_of_all_tabs(tabs, alice, bob, drain_stream):
    first, second = tabs
    mine = post(alice, "My own words")
    like_post(by=bob, post_id=mine, author_id=alice.user_id)
    drain_stream()
    first.evaluate("document.getElementById('pulse').dispatchEvent(new Event('pulse'))")
    for page in tabs:
        has_number(page, 2)  # in the title of a tab in the background, too
    second.evaluate(HIDDEN, False)
    expect(second.locator("#bell-badge .nav-badge")).to_contain_text("2")
    second.evaluate(HIDDEN, True)

    third = first.context.new_page()
    third.goto("/")
    first.goto("/notifications")
    for page in (first, second, third):
        page.wait_for_function("() => !document.title.startsWith('(')", timeout=5000)
        has_number(page, 0)
    expect(third.locator("#bell-badge .nav-badge")).to_have_count(0)

    first.go_back()  # to an older page, which shows the number of now
    first.wait_for_function("() => !document.title.startsWith('(')", timeout=5000)
    has_number(first, 0)


def test_the_number_is_right_for_late_scripts_numbers_in_titles_a_hundred_and_visitors(
    tabs, alice, bob
):
    first, second = tabs
    second.close()
    held: list[Route] = []
    first.route("**/js/later*.js", lambda route: held.append(route))
    with first.expect_request("**/js/later*.js"), first.expect_response("**/notifications/read"):
        first.goto("/notifications")
    steps.until(
        first, lambda: first.evaluate("document.getElementById('pulse').dataset.count === ''")
    )
    held[0].continue_()  # what is read before they are there is counted by the scripts after load
    first.unroute("**/js/later*.js")
    has_number(first, 0)

    # A title that begins with a number keeps it.
    edit_profile(by=bob, name="(5) bakers", bio="", location="")
    ring(alice, 1)
    first.goto("/@bob")
    has_number(first, 1)
    title = first.title().removeprefix("(1) ")
    assert title.startswith("(5) bakers")
    first.goto("/notifications")
    expect(first.locator("#bell-badge .nav-badge")).to_have_count(0)
    first.goto("/@bob")
    expect(first).to_have_title(title)
    first.wait_for_load_state("networkidle")
    assert first.title() == title

    ring(alice, 99)
    first.goto("/about")
    expect(first.locator("#bell-badge .nav-badge")).to_contain_text("99+")
    has_number(first, 99, "99+")

    first.goto("/")
    steps.sign_out(first)
    expect(first.get_by_role("link", name="Sign in").first).to_be_visible()
    has_number(first, 0)
    assert json.loads(first.evaluate("JSON.stringify(localStorage)")) == {}


def ring(viewer: Viewer, number: int) -> None:
    """So many are unseen."""
    unseen = {f"group{n}": f"place.{n}" for n in range(number)}
    bell = Bell.new(user_id=viewer.user_id, unseen=unseen, asking=(), changes=number)
    write_batch(puts=[bell])
