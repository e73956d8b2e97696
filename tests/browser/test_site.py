"""What holds of all pages: refusals, offline, without JavaScript, and hostile text. That no page says an error:
`test_every_page.py`."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from accounts.people.restrictions import Restriction
from accounts.profile.writes import edit_profile
from feed.publishing.writes import delete_post
from relations.follows.writes import follow
from socialsite.table import Unavailable
from tests.browser import steps
from tests.browser.screens import SIZES
from tests.conftest import post
from tests.moderation.cases import restrict

embedded_alone = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

MOVING = {"reduced_motion": "no-preference"}  # as it is for most people
# What password managers and other add-ons of browsers do.
MARK_FIELDS = (
    "for (const one of document.querySelectorAll('input, textarea')) one.style.color = 'red'"
)


# In debug mode, as `make run` has it, an error answer leaves the page whole, and a toast says what happened.


@pytest.fixture
def debug_mode(settings) -> None:
    settings.DEBUG = True


@pytest.fixture
def post_id(bob) -> str:
    return post(bob, "Bob was here")


@pytest.fixture
def page(post_id, alice, signed_in) -> Page:
    page = signed_in(alice)
    page.goto("/@bob")
    return page


def expect_whole(page: Page) -> None:
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()
    expect(steps.card(page, "Bob was here")).to_be_visible()
    assert page.title().startswith("Bob Brandt")


def expect_refusal(page: Page, status: int, says: str) -> None:
    """Liking is answered so, and the page stays."""
    button = page.get_by_role("main").get_by_role("button", name="Like").first
    with page.expect_response(lambda answer: answer.request.method == "POST") as answer:
        button.click()
    assert answer.value.status == status
    expect(steps.toast(page)).to_contain_text(says)
    steps.expect_state(button, on=False)
    expect_whole(page)


@embedded_alone
@pytest.mark.usefixtures("debug_mode")
def test_a_refused_like_says_why_or_leads_to_signing_in_and_older_posts_that_they_are_gone(
    page, alice, bob, carol, post_id, watch
):
    watch.expect("403", "404", "410")
    for number in range(25):
        post(carol, f"Post {number}")
    page.goto("/@carol")
    restrict(carol, Restriction.SUSPENDED)
    with page.expect_response("**/@carol?page=*") as answer:
        page.get_by_role("link", name="Older posts").scroll_into_view_if_needed()
    assert answer.value.status == 410
    expect(steps.toast(page)).to_contain_text("This is no longer here. Reload the page.")
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()
    expect(steps.card(page, "Post 24")).to_be_visible()

    page.goto("/@bob")
    restrict(alice, Restriction.FROZEN)
    expect_refusal(page, 403, "you can read everything here")
    delete_post(by=bob, post_id=post_id)
    expect_refusal(page, 404, "This is no longer here. Reload the page.")
    page.context.clear_cookies(name="csrf")  # as that of a page from before signing in again
    expect_refusal(page, 403, "This page is out of date.")

    post(bob, "Again")
    page.goto("/@bob")
    page.wait_for_load_state("networkidle")  # what the page fetches by itself needs the session too
    page.context.clear_cookies(name="session")
    page.get_by_role("button", name="Like").click()
    expect(page.get_by_role("heading", name="Welcome back")).to_be_visible()
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()


# A refused form says what is wrong, takes the focus there, and keeps what was typed.


@pytest.fixture
def _refusals_are_meant(watch):
    watch.expect("422")


@pytest.mark.usefixtures("_refusals_are_meant")
def test_sign_up_leads_to_every_mistake_and_a_post_that_is_refused_stays_where_it_was(
    strict, signed_in, alice, visitor
):
    page = strict
    page.goto("/signup")
    page.get_by_label("Handle").fill("a b")
    page.get_by_label("Display name").fill("Dora Díaz")
    page.get_by_label("Password").fill("short")
    with page.expect_response("**/signup") as answer:
        page.get_by_role("button", name="Sign up").click()
    assert answer.value.status == 422

    summary = page.get_by_role("alert")
    expect(summary).to_be_focused()
    expect(summary.get_by_role("listitem")).to_have_text(["Handle", "Email", "Password"])
    expect(page.get_by_text("3 to 30 characters")).to_have_count(
        1
    )  # not again above it, nor as help
    expect(page.get_by_text("At least 12 characters")).to_have_count(1)
    expect(page.get_by_label("Handle")).to_have_value("a b")
    expect(page.get_by_label("Display name")).to_have_value("Dora Díaz")
    expect(page.get_by_label("Handle")).to_have_accessible_description(
        re.compile("Use 3 to 30 characters")
    )
    expect(page.get_by_label("Email")).to_have_accessible_description(
        re.compile("never show.*Fill this in")
    )

    summary.get_by_role("link", name="Password").click()
    expect(page.get_by_label("Password")).to_be_focused()

    # A window that changes its size meanwhile is no error, as on phones, whose keyboard goes as the next page comes.
    page = visitor(**MOVING)
    for width in (500, 800, 500, 800):
        page.goto("/signup")
        page.get_by_label("Handle").fill("bob")
        with page.expect_response("**/signup"):
            page.locator("#sign-up").get_by_role("button", name="Sign up").click()
        page.set_viewport_size({"width": width, "height": 700})
        expect(page.get_by_role("alert")).to_be_visible()

    page = signed_in(alice)
    page.goto("/")
    button = page.get_by_role("button", name="Post", exact=True)
    expect(button).to_be_disabled()
    steps.composer(page).fill("   ")
    expect(button).to_be_disabled()
    steps.write(page, "x" * 1020)
    expect(page.get_by_role("alert")).to_contain_text("Use up to 1000 characters (this has 1020).")
    expect(page.get_by_role("alert")).to_be_focused()
    expect(steps.composer(page)).to_have_value("x" * 1020)
    steps.same_place(page, "/")

    steps.composer(page).fill("short enough")
    page.reload()
    expect(button).to_be_enabled()
    button.click()
    expect(steps.posts(page)).to_have_count(1)
    expect(steps.posts(page)).to_contain_text("short enough")
    expect(steps.posts(page)).to_be_focused()
    expect(button).to_be_disabled()
    expect(page.get_by_role("alert")).to_have_count(0)


# Whatever people type shows as text: nothing runs, nothing loads, no page breaks.
#
# The watch over every page (watch.py) fails these tests on a dialog, a CSP violation or a request to another
# host.

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "</textarea><iframe src=//evil.example>",
    "{{ 7|add:7 }} {% debug %} ${alert(1)}",
    "' onmouseover='alert(1)",
    "<style>*{display:none}</style>",
    "<form action=//evil.example><button>x",
    "hx-get=//evil.example hx-trigger=load",
    "javascript:alert(1)",
    "<!--",
]
LINKS = 'https://x.example/"onmouseover="alert(1) https://x.example/<script>alert(1)</script>'


def test_hostile_text_shows_as_it_was_typed_and_comes_back_so_in_drafts_and_forms(
    alice, bob, signed_in, drain_stream, strict, watch
):
    for text in HOSTILE:
        post(alice, text)
    follow(by=bob, user_id=alice.user_id)
    for person, text in ((alice, HOSTILE[0]), (bob, HOSTILE[2])):
        edit_profile(by=person, name=text, bio=" ".join(HOSTILE), location=HOSTILE[1])
    drain_stream()
    page = signed_in(bob)
    for path in ("/", "/local", "/@alice", "/@alice/followers"):
        page.goto(path)
        if path.endswith("followers"):
            expect(page.locator("article.person .name")).to_have_text(HOSTILE[2])
            expect(page.locator("article.person .bio")).to_have_text(" ".join(HOSTILE))
        else:
            expect(steps.posts(page).locator(".post-text")).to_have_text(HOSTILE[::-1])
            expect(steps.posts(page).first.locator(".name")).to_have_text(HOSTILE[0])
        harmful = "script, iframe, style, [onerror], [onload], [onmouseover], [hx-trigger=load]"
        expect(page.locator(f"main :is({harmful})"), path).to_have_count(0)

    # Links lead only where they say.
    strict.goto(f"/@alice/posts/{post(alice, LINKS)}")
    links = strict.locator(".post-text a")

    assert links.evaluate_all("(links) => links.map((link) => link.getAttribute('href'))") == [
        "https://x.example/",
        "https://x.example/",
    ]
    expect(strict.locator(".post-text")).to_have_text(LINKS.replace("https://", ""))

    # A draft and a refused form come back as text.
    watch.expect("422")
    page = signed_in(alice)
    page.goto("/posts/new")
    steps.composer(page).fill(HOSTILE[3])
    page.reload()
    expect(steps.composer(page)).to_have_value(HOSTILE[3])

    long = HOSTILE[3] * 30
    steps.write(page, long)
    expect(page.get_by_role("alert")).to_be_visible()
    expect(steps.composer(page)).to_have_value(long)

    page.goto("/")
    steps.write(page, HOSTILE[1])
    card = steps.posts(page).first
    expect(card.locator(".post-text")).to_have_text(HOSTILE[1])
    with page.expect_response("**/like"):
        steps.heart(card).click()
    steps.expect_state(steps.heart(card), on=True)
    steps.open_menu(card)
    card.get_by_role("link", name="Delete post").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Post deleted")).to_be_visible()


# Without a connection the page stays, says why, and keeps what was typed, whatever is pressed.

SAYS = "You seem to be offline."
PRESSES: dict[str, Callable[[Page], None]] = {
    "a link": lambda page: steps.posts(page).locator(".post-time").click(),
    "a link of htmx": lambda page: steps.posts(page).locator(".reply .action").click(),
    "a card": lambda page: steps.posts(page).locator(".post-text").click(),
    "an entry of a menu": lambda page: (
        steps.open_menu(steps.posts(page)),
        page.get_by_role("link", name="Delete post").click(),
    ),
    "a button that sends": lambda page: (
        steps.open_menu(steps.posts(page)),
        page.get_by_role("link", name="Quote post").click(),
    ),
    "a place": lambda page: page.get_by_role("link", name="Explore").click(),
}


def lose_connection(page: Page) -> None:
    """The page asks once whether the site is there all the same."""
    page.wait_for_load_state("networkidle")
    with page.expect_event("requestfailed"):
        page.context.set_offline(True)


@embedded_alone
@pytest.mark.parametrize("size", SIZES)
def test_every_press_says_so_and_leads_nowhere_and_forms_and_posts_keep_what_was_typed(
    alice, bob, signed_in, watch, size
):
    watch.expect("htmx:sendError")
    post(alice, "My own words")
    page = signed_in(alice, viewport=size)
    for what, press in PRESSES.items():
        page.goto("/@alice")
        lose_connection(page)
        press(page)
        expect(steps.toast(page), what).to_contain_text(SAYS)
        steps.same_place(page, "/@alice")
        page.context.set_offline(False)
    press(page)
    expect(steps.title(page)).to_have_text("Explore")

    # A form without htmx, in JavaScript, as all else of Playwright waits for the page that does not come.
    page = signed_in(alice)
    page.goto("/settings/profile")
    page.locator("[name=bio]").fill("Bakes bread.")
    lose_connection(page)
    page.evaluate("document.querySelector('main form [type=submit]').click()")
    page.wait_for_function(
        "(says) => document.getElementById('toasts').textContent.includes(says)", arg=SAYS
    )
    assert page.evaluate("document.querySelector('[name=bio]').value") == "Bakes bread."
    page.context.set_offline(False)
    page.evaluate("document.querySelector('main form [type=submit]').click()")
    expect(steps.toast(page)).to_contain_text("saved")
    page.goto("/@alice")
    expect(page.get_by_text("Bakes bread.")).to_be_visible()

    # What could not be posted is kept, though something else goes well next.
    for address in ("/posts/new", "/"):
        page = signed_in(alice)
        page.goto(address)
        steps.composer(page).fill("On the train")
        lose_connection(page)
        page.evaluate("document.querySelector('.composer [data-posts]').click()")
        page.wait_for_function(
            "(says) => document.getElementById('toasts').textContent.includes(says)", arg=SAYS
        )
        page.context.set_offline(False)
        toast_of_elsewhere(page)
        page.goto("/")
        expect(page.locator(".toast-success")).to_be_visible()
        expect(steps.composer(page)).to_have_value("On the train")


def toast_of_elsewhere(page: Page) -> None:
    """What another tab did waits to be said by the page that comes next."""
    page.evaluate(
        """() => {
            const body = new URLSearchParams(new FormData(document.getElementById("act")));
            body.set("on", "0");
            return fetch("/@bob/mute", { method: "POST", redirect: "manual", body });
        }"""
    )


@pytest.fixture
def page_grown_old(signed_in, alice) -> Page:
    page = signed_in(alice)
    page.goto("/")
    return page


# A page that is out of date says so, or leads to the sign-in page; what was typed is never lost.


def test_after_signing_in_anew_or_out_in_another_tab_nothing_that_was_typed_is_lost(
    page_grown_old, watch
):
    watch.expect("403")
    steps.composer(page_grown_old).fill("Written for an hour")
    page_grown_old.context.clear_cookies(name="csrf")
    page_grown_old.get_by_role("button", name="Post", exact=True).click()

    expect(steps.toast(page_grown_old)).to_contain_text("This page is out of date.")
    expect(steps.composer(page_grown_old)).to_have_value("Written for an hour")
    steps.toast(page_grown_old).get_by_role("link", name="Reload").click()
    expect(steps.toast(page_grown_old)).to_have_text("")
    expect(steps.composer(page_grown_old)).to_have_value("Written for an hour")
    page_grown_old.get_by_role("button", name="Post", exact=True).click()
    expect(steps.posts(page_grown_old).first).to_contain_text("Written for an hour")

    # A form that is sent as a page gets a page that explains, and the text is kept there too.
    page_grown_old.goto("/posts/new")
    page_grown_old.context.clear_cookies(name="csrf")
    steps.write(page_grown_old, "Also kept")
    expect(
        page_grown_old.get_by_role("heading", name="This page was open for a long time")
    ).to_be_visible()
    page_grown_old.goto("/posts/new")
    expect(steps.composer(page_grown_old)).to_have_value("Also kept")

    # After signing out in another tab one signs in and finds the text again.
    page_grown_old.goto("/")
    steps.composer(page_grown_old).fill("Nearly done")
    other = page_grown_old.context.new_page()
    other.goto("/local")
    steps.sign_out(other)
    expect(steps.sign_up_link(other)).to_be_visible()

    page_grown_old.get_by_role("button", name="Post", exact=True).click()
    expect(page_grown_old.get_by_role("heading", name="Welcome back")).to_be_visible()
    steps.sign_in(page_grown_old, "alice")
    expect(steps.composer(page_grown_old)).to_have_value("Nearly done")


# Toasts: good news goes when trouble comes, and trouble stays.


@embedded_alone
def test_good_news_goes_when_trouble_comes_and_a_field_that_an_add_on_marked_is_replaced(
    alice, bob, signed_in, monkeypatch, watch
):
    watch.expect("422", "503")

    def fail(**_: object) -> None:
        raise Unavailable

    page = signed_in(alice, **MOVING)
    page.goto("/")
    steps.write(page, "Good news")
    expect(steps.card(page, "Good news")).to_be_visible()
    expect(steps.toast(page)).to_contain_text("Post published.")
    with page.expect_response("**/posts") as answer:
        steps.write(page, "x" * 1100)
    assert answer.value.status == 422
    expect(page.get_by_role("alert")).to_be_visible()
    expect(steps.toast(page), "a refused form ends it").to_have_text("")

    steps.write(page, "More of it")
    expect(steps.toast(page)).to_contain_text("Post published.")
    monkeypatch.setattr("feed.likes.views.like_post", fail)
    steps.heart(steps.card(page, "Good news")).click()
    expect(steps.toast(page)).to_contain_text("We can’t save this right now.")
    expect(steps.toast(page), "a fault ends it").not_to_contain_text("Post published.")

    # htmx copies the style of a field to the one that comes in its place, if it is told to.
    page.goto(f"/@bob/posts/{post(bob, 'Look')}")
    for text in ("At the foot", "Again"):
        page.evaluate(MARK_FIELDS)
        page.get_by_label("Reply to @bob").fill(text)
        page.locator("#reply").get_by_role("button", name="Reply").click()
        expect(steps.card(page, text)).to_be_visible()
        expect(page.get_by_label("Reply to @bob")).to_have_value("")


@pytest.fixture
def watched_page(strict):
    strict.goto("/about")
    return strict


# The watch over every page sees what it is there for.


def seen(watch, page) -> str:
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    problems = " | ".join(watch.problems)
    watch.problems.clear()
    return problems


def test_it_sees_what_the_policy_stops_an_error_in_a_script_and_a_fault(watch, watched_page):
    watched_page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), {text: '1'}))"
    )
    assert "CSP: script-src-elem inline" in seen(watch, watched_page)

    watched_page.evaluate("document.body.setAttribute('style', 'color: red')")
    assert "CSP: style-src-attr inline" in seen(watch, watched_page)

    watched_page.evaluate("new Image().src = 'https://x.example/pixel.gif'")
    assert "CSP: img-src https://x.example/pixel.gif" in seen(watch, watched_page)

    watched_page.evaluate("setTimeout(() => { throw new Error('broken') })")
    watched_page.evaluate("new Promise((resolve) => setTimeout(resolve))")
    assert "script error: broken" in seen(watch, watched_page)

    watched_page.goto("/@nobody_here")
    assert "404 /@nobody_here" in seen(watch, watched_page)


# Without JavaScript people come, post, like, delete and go: forms are pages, and menus open by themselves.


def test_a_visitor_signs_up_posts_likes_deletes_signs_out_and_signs_in(table, visitor, watch):
    watch.expect("422")
    page = visitor(java_script_enabled=False)
    steps.sign_up(page, "dora", "Dora Díaz")
    expect(steps.toast(page)).to_contain_text("Welcome, Dora Díaz!")

    page.goto("/")
    steps.write(page, "x" * 1001)
    expect(page.get_by_role("alert")).to_contain_text("Use up to 1000 characters (this has 1001).")
    expect(steps.composer(page)).to_have_value("x" * 1001)
    steps.write(page, "Written without a script")
    expect(steps.title(page)).to_have_text("Post")
    expect(steps.toast(page)).to_contain_text("Post published.")

    card = steps.card(page, "Written without a script")
    for on in (True, False):
        steps.heart(card).click()
        steps.expect_state(steps.heart(card), on=on)

    steps.open_menu(card)
    page.get_by_role("link", name="Delete post").click()
    expect(steps.title(page)).to_have_text("Delete post")
    expect(card).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    expect(steps.toast(page)).to_contain_text("Post deleted.")
    expect(steps.posts(page)).to_have_count(0)

    steps.sign_out(page)
    expect(steps.sign_up_link(page)).to_be_visible()
    steps.sign_in(page, "dora")
    expect(steps.title(page)).to_have_text("Home")
