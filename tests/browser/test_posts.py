"""Posts as people meet them: liked, folded, edited, deleted, gone by themselves, and their menu."""

from datetime import timedelta
from itertools import product

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.people.restrictions import Restriction
from feed.likes.reads import list_likers
from feed.posts.reads import Pointer
from feed.publishing.writes import delete_post
from feed.sharing.writes import quote
from relations.follows.writes import follow
from socialsite.table import Unavailable, ids
from tests.browser import steps
from tests.browser.screens import DESKTOP, PHONE, SIZES
from tests.conftest import post
from tests.feed.scenes import answer, clock_at, end_of, ending_post
from tests.injected.faults import share
from tests.moderation.cases import A_SECOND_AGO, restrict
from tests.relations.scenes import relationship

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

SHARE_SCRIPT = "**/js/share.js"
SHARES = "navigator.share = async (what) => { window.shared = what; };"
GIVES_UP = """() => {
    navigator.share = async () => { throw new DOMException("gone", "AbortError"); };
}"""
HAS_NEITHER = """for (const name of ["clipboard", "share"])
    Object.defineProperty(navigator, name, { value: undefined });"""


@pytest.fixture
def bobs_post(alice, bob, drain_stream) -> str:
    """At the top of Alice's home."""
    follow(by=alice, user_id=bob.user_id)
    post_id = post(bob, "Buy my tea")
    drain_stream()
    return f"/@bob/posts/{post_id}"


def choose(page: Page, text: str, entry: str) -> None:
    steps.open_menu(steps.card(page, text))
    page.get_by_role("link", name=entry).click()


def test_the_link_of_a_post_is_copied_or_shared_from_its_menu_and_page_or_leads_to_it(
    signed_in, alice, bobs_post
):
    page = signed_in(alice)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/")
    choose(page, "Buy my tea", "Copy link")

    expect(steps.toast(page)).to_contain_text("Link copied.")
    assert page.evaluate("navigator.clipboard.readText()").endswith(bobs_post)
    expect(steps.card(page, "Buy my tea").locator("summary")).to_be_focused()
    expect(page.get_by_role("link", name="Copy link")).to_be_hidden()
    steps.same_place(page, "/")

    # An entry that has done its work closes the menu.
    menu = steps.card(page, "Buy my tea").locator("summary")
    menu.click()
    page.get_by_role("button", name="Save").click()
    expect(steps.toast(page)).to_contain_text("Saved. Only you can see it.")
    expect(page.get_by_role("button", name="Save")).to_be_hidden()
    expect(menu).to_be_focused()

    # The page of a post has its link, or what shares it.
    page.goto(bobs_post)
    page.locator(".post-detail > .post-when").get_by_role("link", name="Copy link").click()
    expect(steps.toast(page)).to_contain_text("Link copied.")
    assert page.evaluate("navigator.clipboard.readText()").endswith(bobs_post)

    page.add_init_script(SHARES)
    page.reload()
    page.locator(".post-when").get_by_role("link", name="Share…").click()
    assert page.evaluate("window.shared.url").endswith(bobs_post)
    steps.same_place(page, bobs_post)

    # Sharing hands title and address to the device.
    held = steps.hold(page, SHARE_SCRIPT)
    page.goto("/")
    menu = steps.card(page, "Buy my tea").locator("summary")
    share = page.get_by_role("button", name="Share…")
    menu.click()
    expect(share).to_have_count(0)
    steps.let_go(page, SHARE_SCRIPT, held)
    expect(share, "a menu that was open before the script came has the entry").to_be_visible()
    share.click()

    expect(menu).to_be_focused()
    expect(share).to_be_hidden()
    shared = page.evaluate("window.shared")
    assert shared["title"] == "Bob Brandt (@bob)"
    assert shared["url"] == page.url.rstrip("/") + bobs_post
    steps.same_place(page, "/")

    # Sharing that is given up is no error: the watch over every page would tell of one.
    page.evaluate(GIVES_UP)
    menu.click()
    share.click()
    expect(menu).to_be_focused()
    expect(page.locator(".toast")).to_have_count(0)

    # Where nothing can be copied or shared the link leads to the post.
    page = signed_in(alice)
    page.add_init_script(HAS_NEITHER)
    page.goto("/")
    steps.open_menu(steps.card(page, "Buy my tea"))
    expect(page.get_by_role("link", name="Copy link")).to_be_visible()
    expect(page.get_by_text("Share…")).to_be_hidden()
    page.get_by_role("link", name="Copy link").click()
    steps.same_place(page, bobs_post)


@pytest.mark.parametrize("size", SIZES)
def test_muting_and_blocking_from_a_post_lead_back_to_the_page_without_it(
    signed_in, alice, bob, carol, bobs_post, drain_stream, size
):
    follow(by=alice, user_id=carol.user_id)
    post(carol, "Read my book")
    drain_stream()
    page = signed_in(alice, viewport=size)
    page.goto("/?from=here")
    choose(page, "Buy my tea", "Mute @bob")
    page.get_by_label("7 days").check()
    page.get_by_role("button", name="Mute").click()

    expect(steps.toast(page)).to_contain_text("You’ve muted @bob.")
    expect(steps.card(page, "Buy my tea")).to_have_count(0)
    steps.same_place(page, "/?from=here")
    assert relationship(alice, bob).mutes

    choose(page, "Read my book", "Block @carol")
    page.get_by_role("button", name="Block").click()
    expect(steps.toast(page)).to_contain_text("You’ve blocked @carol.")
    expect(steps.posts(page)).to_have_count(0)
    steps.same_place(page, "/?from=here")
    assert relationship(alice, carol).blocks


SCREENS = [PHONE, DESKTOP, {"width": 844, "height": 390}, {"width": 820, "height": 700}]
PLACES = ["start", "center", "end"]
OUTSIDE = """() => {
    const {top, bottom, left, right} = document.querySelector("details[open] > .menu-list").getBoundingClientRect();
    return Math.max(-top, -left, bottom - innerHeight, right - innerWidth);
}"""


@pytest.mark.usefixtures("bobs_post")
def test_a_menu_opens_where_the_screen_has_room_for_it(signed_in, alice):
    posts = [post(alice, f"{number}") for number in range(8)]
    for scripts in (True, False):
        page = signed_in(alice, java_script_enabled=scripts)
        page.goto("/")
        for screen, place in share(
            product(SCREENS, PLACES), one_of=2, salt=f"menus, scripts {scripts}"
        ):
            page.set_viewport_size(screen)
            for button in (
                page.locator(".account > summary"),
                page.locator(f"#post-{posts[3]} summary"),
            ):
                button.evaluate("(element, block) => element.scrollIntoView({block})", place)
                button.click()
                assert page.evaluate(OUTSIDE) <= 0, (scripts, screen, place)
                button.press("Enter")


# A like shows at once, whatever the server takes; what the server refuses is taken back and said.

LIKE = "feed.likes.views.like_post"


@pytest.fixture
def post_id(bob) -> str:
    return post(bob, "Like me")


@pytest.fixture
def page(post_id, alice, signed_in) -> Page:
    page = signed_in(alice)
    page.goto("/@bob")
    return page


@pytest.fixture
def heart(page) -> Locator:
    return steps.heart(page.get_by_role("article"))


def fail(**_: object) -> None:
    raise Unavailable


def test_a_like_shows_at_once_and_is_taken_back_with_its_reason_if_refused(
    page, heart, post_id, alice, bob, hold, monkeypatch, watch
):
    watch.expect("403", "404", "503", "htmx:sendError")
    likes = steps.likes(page.get_by_role("article"))
    answer = hold(LIKE)
    assert steps.shown_after(heart) < 100
    steps.expect_state(heart, on=True)
    expect(likes).to_have_text("1 like")
    with page.expect_response("**/like"):
        answer.set()
    steps.expect_state(heart, on=True)
    expect(likes).to_have_text("1 like")

    for on in (False, True):
        with page.expect_response("**/like"):
            heart.click()
        steps.expect_state(heart, on=on)
    expect(likes).to_have_text("1 like")
    page.reload()
    steps.expect_state(heart, on=True)
    assert [liker.handle for liker in list_likers(post_id).items] == ["alice"]

    # Fast clicks end as the last one wished, or as it was where the server cannot save.
    with page.expect_response("**/like"):
        heart.click()
    steps.expect_state(heart, on=False)
    for clicks in (2, 3):
        answer = hold(LIKE)
        for click in range(clicks):
            heart.click()
            steps.expect_state(heart, on=click % 2 == 0)
        answer.set()

        expect(page.locator(".htmx-request")).to_have_count(0)
        liked = clicks % 2 == 1
        steps.expect_state(heart, on=liked)
        expect(steps.likes(page.get_by_role("article"))).to_be_visible(visible=liked)
        page.reload()
        steps.expect_state(heart, on=liked)
        assert len(list_likers(post_id).items) == liked

    with page.expect_response("**/like"):
        heart.click()
    steps.expect_state(heart, on=False)
    with monkeypatch.context() as fault:
        fault.setattr(LIKE, fail)
        answer = hold(LIKE)
        heart.click()
        heart.click()
        answer.set()
        expect(steps.toast(page)).to_contain_text("We can’t save this right now.")
    steps.expect_state(heart, on=False)
    expect(steps.likes(page.get_by_role("article"))).to_be_hidden()

    # A like that is refused is taken back and says why.
    page.reload()

    def expect_refusal(said: str) -> None:
        heart.click()
        expect(steps.toast(page)).to_contain_text(said)
        steps.expect_state(heart, on=False)
        expect(steps.likes(page.get_by_role("article"))).to_be_hidden()
        expect(heart, "the focus stays").to_be_focused()
        page.reload()

    with monkeypatch.context() as fault:
        fault.setattr(LIKE, fail)
        expect_refusal("We can’t save this right now.")

    page.context.set_offline(True)
    heart.click()
    expect(steps.toast(page)).to_contain_text("You seem to be offline.")
    steps.expect_state(heart, on=False)
    page.context.set_offline(False)
    for on in (True, False):  # once there is a connection it can be tried again
        with page.expect_response("**/like"):
            heart.click()
        steps.expect_state(heart, on=on)

    page.context.clear_cookies(name="csrf")
    expect_refusal("This page is out of date.")
    restrict(alice, Restriction.FROZEN)
    expect_refusal("you can read everything here, but you can’t post")
    restrict(alice, Restriction.FROZEN, lasts=A_SECOND_AGO)
    delete_post(by=bob, post_id=post_id)
    expect_refusal("This is no longer here. Reload the page.")


# A long post is folded in lists and opens without leaving them, with scripts and without.

LINES = "\n".join(f"Line {number}" for number in range(20))
PARAGRAPH = "A sentence of plain words, of which there are many here. " * 8
CHINESE = "这是一段很长的话，没有空格，也没有换行。" * 24
MOST_LINES = 13
LINES_OF = "(text) => text.clientHeight / parseFloat(getComputedStyle(text).lineHeight)"
HEIGHT = "(text) => [text.clientHeight, text.scrollHeight]"

sizes = pytest.mark.parametrize("viewport", SIZES)


@sizes
def test_a_long_post_is_folded_and_opens_in_its_place_with_scripts_and_without(
    alice, visitor, viewport
):
    post(alice, LINES + "\nhttps://example.org/")
    for has_scripts in (True, False):
        page = visitor(java_script_enabled=has_scripts, viewport=viewport)
        page.goto("/@alice")
        text = steps.posts(page).locator(".post-text")
        assert 9 < text.evaluate(LINES_OF) < MOST_LINES
        page.get_by_text("Show more").click()
        expect(page.get_by_text("Show less")).to_be_visible()
        shown, whole = text.evaluate(HEIGHT)
        assert shown == whole
        page.get_by_text("Show less").click()
        expect(page.get_by_text("Show more")).to_be_visible()
        assert text.evaluate(LINES_OF) < MOST_LINES
        steps.same_place(page, "/@alice")  # the post itself was not opened

        text.locator("a").focus()  # what the keyboard reaches in a folded text is seen
        expect(text.locator("a")).to_be_in_viewport()
        shown, whole = text.evaluate(HEIGHT)
        assert shown == whole

    # No post is taller than about twelve lines, and no button shows nothing.
    for content in (PARAGRAPH, CHINESE):
        post(alice, content)
    page = visitor(viewport=viewport)
    page.goto("/@alice")
    for name in ("Line", "sentence", "很长"):
        card = steps.card(page, name)
        text = card.locator(".post-text")
        lines, (shown, whole) = text.evaluate(LINES_OF), text.evaluate(HEIGHT)
        assert lines < MOST_LINES, name
        assert card.get_by_text("Show more").is_visible() == (whole > shown), name


# The form that edits a post: what stands first in the document stands first on the screen.

TOPS = """(form) => ["h2", "textarea", ".add-warning", ".tool-language", ".buttons"]
    .map((part) => form.querySelector(part).getBoundingClientRect().top)"""


def ask(page: Page, text: str) -> Locator:
    """The open dialog."""
    steps.open_menu(steps.card(page, text))
    page.get_by_role("link", name="Delete post").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    return dialog


@pytest.mark.parametrize("size", SIZES)
def test_the_form_that_edits_is_in_order_and_the_dialog_that_deletes_gives_the_focus_back(
    alice, signed_in, size
):
    post_id = post(alice, "First")
    alone = post(alice, "Second")
    page = signed_in(alice, viewport=size)
    page.goto(f"/@alice/posts/{post_id}/edit")
    tops = page.locator("form.edit").evaluate(TOPS)
    assert tops == sorted(tops)
    page.goto("/@alice")
    page.locator(f"#post-{post_id} summary").first.click()
    page.get_by_role("link", name="Edit post").click()
    tops = page.get_by_role("dialog").locator("form.edit").evaluate(TOPS)
    assert tops == sorted(tops)

    # Deleting asks first, in a dialog that the keyboard can use and that gives the focus back.
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.set_viewport_size(DESKTOP)
    dialog = ask(page, "Second")
    expect(page.locator("details.menu[open]"), "the menu is closed behind it").to_have_count(0)
    cancel = dialog.get_by_role("link", name="Cancel")
    expect(cancel).to_be_focused()
    cancel.press("Enter")
    expect(dialog).to_have_count(0)
    expect(steps.card(page, "Second").locator("summary")).to_be_focused()
    steps.same_place(page, "/@alice")

    ask(page, "Second")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(steps.card(page, "Second").locator("summary")).to_be_focused()

    ask(page, "Second")
    page.mouse.click(5, 5)
    expect(dialog).to_have_count(0)
    expect(steps.posts(page)).to_have_count(2)
    page.reload()
    expect(steps.posts(page), "nothing was deleted").to_have_count(2)

    # A placeholder takes the place of the post, and the focus.
    ask(page, "First").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Post deleted")).to_be_focused()
    expect(steps.posts(page)).to_have_count(1)
    page.reload()
    expect(steps.card(page, "Second")).to_be_visible()
    expect(page.get_by_text("Post deleted")).to_have_count(0)

    page.goto(f"/@alice/posts/{alone}")
    ask(page, "Second").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Post deleted")).to_be_focused()
    page.get_by_role("link", name="Back").click()
    expect(steps.posts(page)).to_have_count(0)


# A post that disappears by itself leaves the pages on which it is open, at its second.


def pass_time(time: str, *pages: Page) -> None:
    """Once the script that looks at the clock is there. The pages of a browser have one clock."""
    for page in pages:
        page.wait_for_load_state("networkidle")
    pages[0].clock.fast_forward(time)


@pytest.fixture
def page_with_clock(signed_in, alice, bob) -> Page:
    """Alice's browser, whose clock the test turns."""
    follow(by=alice, user_id=bob.user_id)
    page = signed_in(alice)
    page.clock.install()
    return page


def test_a_post_that_ends_leaves_open_pages_and_what_answers_and_quotes_it_stays(
    page_with_clock, alice, bob, carol, drain_stream, look
):
    post(bob, "Stays")
    post_id = ending_post(bob, "Goes")
    first = answer(carol, bob, post_id, "I answered")
    where = Pointer(post_id, bob.user_id)
    quote(by=carol, post=where, content="Look at this", nonce=ids.new_id())
    drain_stream()
    page_with_clock.goto("/")
    card = steps.card(page_with_clock, "Goes")
    expect(card).to_contain_text("Disappears in 1 hour")
    assert look(page_with_clock) == []
    answering, thread, quoting = (page_with_clock.context.new_page() for _ in range(3))
    answering.goto("/")
    steps.card(answering, "Goes").get_by_role("link", name="Reply", exact=True).click()
    text = answering.locator("[id^=reply-] textarea[name=content]")
    text.fill("I was just about to say")
    thread.goto(f"/@bob/posts/{post_id}")
    quoting.goto("/@carol")
    expect(quoting.locator(".quoted")).to_contain_text("Goes")

    card.locator(".post-time").focus()
    pages = page_with_clock, answering, thread, quoting
    pass_time("50:00", *pages)
    expect(card).to_be_visible()
    pass_time("10:01", *pages)
    expect(card).to_have_count(0)
    expect(page_with_clock.locator("#toasts")).to_contain_text("A post has disappeared.")
    expect(steps.card(page_with_clock, "Stays")).to_be_focused()
    expect(steps.card(answering, "Goes")).to_have_count(0)
    expect(text).to_have_value("I was just about to say")  # a begun reply is not lost

    # Replies and quoting posts stay without it.
    expect(thread.get_by_text("This post has disappeared.")).to_be_visible()
    expect(thread.get_by_text("I answered")).to_be_visible()
    expect(quoting.locator(".quoted")).to_have_text("The quoted post can’t be shown.")
    expect(steps.card(quoting, "Look at this")).to_be_visible()
    with clock_at(end_of(bob, post_id) + timedelta(seconds=1)):
        thread.goto(f"/@carol/posts/{first}")
        expect(thread.get_by_text("I answered")).to_be_visible()
        expect(thread.locator(".above")).not_to_contain_text("Goes")
