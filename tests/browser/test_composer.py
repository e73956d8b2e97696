"""The composer: in a dialog and on a page, its tools, suggestions, and stories."""

from itertools import product

import pytest
from playwright.sync_api import Locator, Page, expect

from feed.posts.reads import Pointer
from feed.profiles.reads import list_posts
from feed.threads.writes import reply
from relations.follows.writes import follow
from socialsite.site_settings.word_filters import Effect
from tests.browser import steps
from tests.browser.screens import DESKTOP, PHONE, SIZES, sideways
from tests.browser.test_layouts import IS_ON_TOP, TWICE
from tests.conftest import person, post
from tests.faults.looks import posts_of
from tests.faults.processes import wait_until
from tests.feed.scenes import texts_of
from tests.injected.faults import share
from tests.moderation.staff import word_rule

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

PUBLISH = "feed.composing.writes.publish_post"


@pytest.fixture
def page(signed_in, alice) -> Page:
    page = signed_in(alice)
    page.goto("/")
    return page


def test_what_is_typed_at_home_is_counted_as_by_the_server_kept_and_posted_once(
    page, hold, alice, watch
):
    family, accented = "👩‍👩‍👧‍👦", "e\u0301"
    left = page.locator(".counter-left")
    steps.composer(page).fill("x" * 949)
    expect(left).to_be_empty()
    steps.composer(page).fill("x" * 960 + family * 10)
    expect(left).to_have_text("30")
    steps.composer(page).fill("x" * 980 + accented * 25)
    expect(left).to_have_text("-5")
    expect(page.locator(".counter")).to_have_class("counter is-used is-over")

    # Bytes, where they are the limit.
    steps.composer(page).fill("陈" * 1000)  # 3,000 bytes
    expect(left).to_have_text("0")
    steps.composer(page).fill("🙂" * 875)  # 3,500 bytes
    expect(left).to_have_text("Bytes left: 0")
    watch.expect("422")
    steps.write(page, "🙂" * 876)
    expect(page.get_by_role("alert")).to_contain_text("Use up to 3500 bytes (this has 3504).")
    expect(left).to_have_text("Bytes left: -4")  # also by the form that came back
    expect(steps.composer(page)).to_have_value("🙂" * 876)

    # What the counter allows the server takes.
    steps.composer(page).fill("x" * 985 + "\n \n\n\n" + "y" * 3 + family * 10)
    expect(left).to_have_text("0")
    page.get_by_role("button", name="Post", exact=True).click()
    expect(steps.posts(page)).to_have_count(1)

    # What is typed stays when the connection is lost, and is posted once however often it is sent.
    watch.expect("htmx:sendError")
    page.context.set_offline(True)
    steps.write(page, "On the train")
    expect(steps.toast(page)).to_contain_text("You seem to be offline.")
    expect(steps.composer(page)).to_have_value("On the train")
    page.context.set_offline(False)

    answer = hold(PUBLISH)
    for _ in range(3):
        steps.composer(page).press("Control+Enter")
    answer.set()
    expect(steps.card(page, "On the train")).to_have_count(1)
    page.reload()
    expect(steps.posts(page)).to_have_count(2)
    assert len(list_posts(alice.card).items) == 2


# A new post: in a dialog on a desktop, on a page on a phone, and nothing that was typed is lost.

LOW = {"width": 1280, "height": 560}
SMALL = {"width": 320, "height": 560}
CARET = "(area) => [area.selectionStart, area.selectionEnd]"


@pytest.fixture
def page_of_dialog(signed_in, alice, bob) -> Page:
    post(bob, "Hello")
    page = signed_in(alice, viewport=DESKTOP)
    page.goto("/local")
    return page


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog", name="New post")


def new_post(page: Page) -> None:
    page.get_by_role("link", name="New post").click()


def field(page: Page) -> Locator:
    return dialog(page).get_by_label(steps.SAY)


def test_the_dialog_opens_over_the_page_sends_once_and_keeps_what_is_typed(
    page_of_dialog, alice, watch, look
):
    watch.expect("422")
    new_post(page_of_dialog)
    expect(field(page_of_dialog)).to_be_focused()
    page_of_dialog.keyboard.press("Escape")
    expect(dialog(page_of_dialog)).to_be_hidden()
    expect(page_of_dialog.locator(".toast")).to_have_count(0)  # there was nothing to keep

    new_post(page_of_dialog)
    field(page_of_dialog).fill("x" * 1001)
    field(page_of_dialog).press("Control+Enter")
    expect(dialog(page_of_dialog).get_by_role("alert")).to_contain_text("Use up to 1000 characters")
    expect(field(page_of_dialog)).to_have_value("x" * 1001)  # what is refused stays
    field(page_of_dialog).fill("From the dialog")
    dialog(page_of_dialog).get_by_role("button", name="Post", exact=True).click()
    expect(steps.toast(page_of_dialog)).to_contain_text("Post published.")
    expect(dialog(page_of_dialog)).to_be_hidden()
    steps.same_place(page_of_dialog, "/local")
    new_post(page_of_dialog)
    expect(field(page_of_dialog)).to_have_value("")

    page_of_dialog.keyboard.press("Escape")
    expect(dialog(page_of_dialog)).to_be_hidden()
    # While a word is composed, Control and Enter send nothing.
    sent = []
    page_of_dialog.on(
        "request", lambda request: sent.append(request.url) if request.method == "POST" else 0
    )
    new_post(page_of_dialog)
    field(page_of_dialog).fill("Ni")
    for more in ("isComposing: true", "repeat: true"):
        field(page_of_dialog).evaluate(
            "(area) => area.dispatchEvent(new KeyboardEvent('keydown', "
            f"{{key: 'Enter', ctrlKey: true, bubbles: true, {more}}}))"
        )
    page_of_dialog.get_by_title("Add a content warning").click()
    page_of_dialog.get_by_label("Content warning").press("Control+Enter")
    expect(field(page_of_dialog)).to_be_focused()
    assert [url for url in sent if url.endswith("/posts")] == []
    field(page_of_dialog).press("Control+NumpadEnter")
    expect(dialog(page_of_dialog)).to_be_hidden()
    assert len([url for url in sent if url.endswith("/posts")]) == 1

    # Escape keeps what was typed as a draft, and a press beside the dialog does nothing.
    new_post(page_of_dialog)
    page_of_dialog.keyboard.type("Half a")
    page_of_dialog.mouse.click(5, 500)
    expect(dialog(page_of_dialog)).to_be_visible()
    field(page_of_dialog).press("Escape")
    expect(dialog(page_of_dialog)).to_be_hidden()
    expect(steps.toast(page_of_dialog)).to_contain_text("Draft kept.")
    wait_until(lambda: texts_of(alice) == ["Half a"], seconds=60)  # the browser has it meanwhile

    page_of_dialog.get_by_role("button", name="Continue").click()
    expect(field(page_of_dialog)).to_be_focused()
    assert field(page_of_dialog).evaluate(CARET) == [6, 6]
    page_of_dialog.keyboard.type(" sentence")
    page_of_dialog.reload()
    page_of_dialog.keyboard.press("n")
    page_of_dialog.keyboard.type(" more")  # while it comes
    expect(field(page_of_dialog)).to_have_value("Half a sentence more")
    expect(dialog(page_of_dialog).get_by_role("button", name="Post", exact=True)).to_be_enabled()
    assert field(page_of_dialog).evaluate(CARET) == [20, 20]

    field(page_of_dialog).fill("x" * 980)
    page_of_dialog.get_by_title("Add a content warning").click()
    assert look(page_of_dialog) == []


@pytest.mark.parametrize("size", share([LOW, PHONE, SMALL], one_of=3, salt="Post in sight"))
def test_on_a_phone_it_is_a_page_and_post_is_in_sight_on_every_screen(page_of_dialog, size):
    page_of_dialog.set_viewport_size(PHONE)
    new_post(page_of_dialog)
    steps.same_place(page_of_dialog, "/posts/new")
    expect(steps.composer(page_of_dialog)).to_be_focused()
    expect(page_of_dialog.get_by_role("navigation", name="Main")).to_be_hidden()
    page_of_dialog.keyboard.type("On the way")
    page_of_dialog.get_by_role("link", name="Cancel").click()
    steps.same_place(page_of_dialog, "/local")
    new_post(page_of_dialog)
    expect(steps.composer(page_of_dialog)).to_have_value("On the way")

    steps.composer(page_of_dialog).fill("")
    page_of_dialog.set_viewport_size(DESKTOP)
    page_of_dialog.goto("/")
    page_of_dialog.locator("#composer").get_by_label(steps.SAY).fill("Begun here")
    new_post(page_of_dialog)
    expect(field(page_of_dialog)).to_have_value("Begun here")
    languages = dialog(page_of_dialog).get_by_label("Language of the post")
    languages.select_option("nl")
    field(page_of_dialog).press("Control+Enter")
    expect(steps.posts(page_of_dialog).first).to_contain_text("Begun here")
    expect(page_of_dialog.locator("#composer").get_by_label(steps.SAY)).to_have_value("")

    page_of_dialog.goto("/local")
    new_post(page_of_dialog)
    expect(languages).to_have_value("nl")  # the language chosen last comes first
    expect(languages.locator("option").first).to_have_text("Nederlands")

    # Post is in sight on every screen, whatever is written and opened.
    page_of_dialog.set_viewport_size(size)
    page_of_dialog.goto("/local")
    new_post(page_of_dialog)
    area = page_of_dialog.locator("[data-draft]:focus")
    button = page_of_dialog.get_by_role("button", name="Post", exact=True)
    for text in ("One line", "Line\n" * 60):
        area.fill(text)
        expect(button).to_be_in_viewport(ratio=1)
    page_of_dialog.get_by_title("Add a content warning").click()
    page_of_dialog.get_by_label("Content warning").fill("Film")
    expect(button).to_be_in_viewport(ratio=1)
    page_of_dialog.get_by_title("Add a poll").click()
    expect(button).to_be_in_viewport(ratio=1)
    expect(page_of_dialog.get_by_title("Add a poll")).to_be_in_viewport(ratio=1)


# Suggestions while one types `@` or `#`: found, chosen by keys, mouse and touch, and never in the way.

LONGER_THAN_IT_WAITS = 400  # milliseconds without a letter before the script asks


@pytest.fixture
def people(alice, bob, drain_stream) -> None:
    """People whose handles begin with `bo`, of whom Alice follows the last, and tags that begin with `ca`."""
    last = person("bozena", "Božena Nová")
    follow(by=alice, user_id=last.user_id)
    post(bob, "#cats #caterpillar #猫咪")
    drain_stream()


@pytest.fixture
def page_at_home(people, alice, signed_in) -> Page:
    page = signed_in(alice)
    page.goto("/")
    return page


def options(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Suggestions").get_by_role("option")


def selected(page: Page) -> Locator:
    return page.locator("[role=option][aria-selected=true]")


def type_into(page: Page, text: str) -> Locator:
    area = steps.composer(page)
    area.press_sequentially(text, delay=15)
    return area


def test_suggestions_are_chosen_by_keys_and_mouse_and_never_in_the_way(page_at_home, look):
    # Those whom one follows come first.
    area = type_into(page_at_home, "Hello @bo")
    expect(options(page_at_home)).to_contain_text(["Božena Nová @bozena", "Bob Brandt @bob"])
    expect(page_at_home.get_by_text("Suggestions: 2. Choose with the arrow keys.")).to_be_attached()
    expect(selected(page_at_home)).to_contain_text("@bozena")
    area.press("ArrowDown")
    expect(selected(page_at_home)).to_contain_text("@bob")
    active = area.get_attribute("aria-activedescendant")
    assert active == selected(page_at_home).get_attribute("id")
    assert look(page_at_home) == []
    area.press("Enter")
    expect(area).to_have_value("Hello @bob ")
    expect(options(page_at_home)).to_have_count(0)
    expect(area).to_be_focused()

    # The word alone is replaced, by Tab, by mouse and by Enter.
    area.fill("")
    type_into(page_at_home, "#ca")
    expect(options(page_at_home)).to_have_text(["caterpillar", "cats"])
    area.press("ArrowUp")
    area.press("Tab")
    expect(area).to_have_value("#cats ")
    expect(area).to_be_focused()
    page_at_home.reload()
    expect(area).to_have_value("#cats ")  # the draft knows of it

    # One Chinese letter is enough, also without a space before it.
    area.fill("")
    type_into(page_at_home, "我爱#猫")
    expect(options(page_at_home)).to_have_text(["猫咪"])
    options(page_at_home).click()
    expect(area).to_have_value("我爱#猫咪 ")

    area.fill("Ask  about it")
    for _ in range(len(" about it")):
        area.press("ArrowLeft")
    area.press_sequentially("@boz", delay=15)
    expect(options(page_at_home)).to_have_count(1)
    area.press("Enter")
    expect(area).to_have_value("Ask @bozena about it")

    # A word that is whole already leaves keys what they always do.
    area.fill("")
    type_into(page_at_home, "@bob")
    expect(options(page_at_home)).to_have_count(1)
    expect(selected(page_at_home)).to_have_count(0)
    area.press("Enter")
    expect(area).to_have_value("@bob\n")
    type_into(page_at_home, "#cats")
    expect(options(page_at_home)).to_have_count(1)
    area.press("Tab")
    expect(area).not_to_be_focused()
    expect(area).to_have_value("@bob\n#cats")
    expect(options(page_at_home)).to_have_count(0)

    area.fill("")
    type_into(page_at_home, "#ca")
    expect(options(page_at_home)).to_have_count(2)
    # While an input method composes, keys belong to it.
    area.evaluate(
        """area => {
            for (const key of ["ArrowDown", "Enter"]) {
                const init = { key, bubbles: true, cancelable: true, isComposing: true };
                area.dispatchEvent(new KeyboardEvent("keydown", init));
            }
        }"""
    )
    expect(area).to_have_value("#ca")
    expect(selected(page_at_home)).to_have_text("caterpillar")
    # Escape closes them until the next letter.
    area.press("Escape")
    expect(options(page_at_home)).to_have_count(0)
    expect(area).to_be_focused()
    expect(area).to_have_value("#ca")
    area.press("t")
    expect(options(page_at_home)).to_have_count(2)


def boxes(page: Page, area: Locator) -> tuple[dict, dict, float]:
    """The field, the list, and how high a line is."""
    line = area.evaluate("area => parseFloat(getComputedStyle(area).lineHeight)")
    listed = page.get_by_role("listbox", name="Suggestions").bounding_box()
    field = area.bounding_box()
    assert field
    assert listed
    return field, listed, line


def test_suggestions_stand_beside_the_line_that_is_typed_or_above_it(
    page_at_home,
):
    page = page_at_home
    for size, is_page in ((DESKTOP, True), (DESKTOP, False), (PHONE, True)):
        page.set_viewport_size(size)
        page.goto("/posts/new" if is_page else "/")
        if not is_page:
            page.get_by_role("link", name="New post").first.click()
        area = page.locator(".composer-own textarea[data-draft]")
        area.fill("")  # what was typed before is a draft
        area.press_sequentially("One\nTwo\nHello @bo", delay=15)
        expect(options(page)).to_have_count(2)
        field, listed, line = boxes(page, area)
        padding = 9
        assert listed["y"] >= field["y"] + padding + 3 * line - 2
        assert listed["y"] <= field["y"] + padding + 4 * line
        assert listed["x"] >= 0
        assert listed["x"] + listed["width"] <= size["width"]
        assert listed["y"] + listed["height"] <= size["height"]
        options(page).last.click()
        expect(area).to_have_value("One\nTwo\nHello @bob ")

    # Where the window ends they stand above the line.
    page.set_viewport_size({"width": 800, "height": 420})
    page.goto("/posts/new")
    area = page.locator(".composer-own textarea[data-draft]")
    area.fill("")
    area.press_sequentially("\n" * 12 + "@bo", delay=5)
    expect(options(page)).to_have_count(2)
    caret = page.evaluate(
        """() => { const area = document.activeElement;
            const box = area.getBoundingClientRect();
            return box.top + 9 + 12 * parseFloat(getComputedStyle(area).lineHeight); }"""
    )
    listed = page.get_by_role("listbox", name="Suggestions").bounding_box()
    assert listed["y"] + listed["height"] <= caret
    assert listed["y"] >= 0


# The composer's tools begin where the text does, in each of their rows, and Post ends where it ends.

WIDTHS = (320, 360, 390)
# For each row of tools the distance of its first icon from the text, then that of Post from the end.
EDGES = """() => {
    const composer = document.querySelector(".composer");
    const text = composer.querySelector("textarea").getBoundingClientRect();
    const rows = new Map();
    for (const icon of composer.querySelectorAll(".composer-foot .icon")) {
        const { top, height, left } = icon.getBoundingClientRect();
        if (!icon.checkVisibility() || icon.closest(".composer-post, .part-body")) continue;
        const row = Math.round((top + height / 2) / 8);
        rows.set(row, Math.min(rows.get(row) ?? Infinity, left - text.left));
    }
    const post = composer.querySelector(".composer-post .button").getBoundingClientRect();
    return { rows: [...rows.values()], post: text.right - post.right };
}"""


def test_on_phones_tools_begin_with_the_text_and_a_tap_on_a_suggestion_keeps_the_keyboard(
    people, signed_in, alice
):
    phone = {"viewport": {"width": WIDTHS[0], "height": 740}, "is_mobile": True, "has_touch": True}
    page: Page = signed_in(alice, **phone)
    for path in ("/", "/posts/new"):
        page.goto(path)
        for width, size in product(WIDTHS, ("100%", "200%")):
            page.set_viewport_size({"width": width, "height": 740})
            page.evaluate(f"document.documentElement.style.setProperty('font-size', '{size}')")
            edges = page.evaluate(EDGES)
            assert edges["rows"], path
            assert all(abs(row) <= 1 for row in edges["rows"]), (path, width, size, edges)
            assert abs(edges["post"]) <= 1, (path, width, size, edges)
            assert sideways(page) <= 0, (path, width, size)

    # A tap on a suggestion chooses it.
    page.set_viewport_size(PHONE)
    page.goto("/")
    area = type_into(page, "@bo")
    options(page).first.tap()
    expect(area).to_have_value("@bozena ")
    expect(area).to_be_focused()


def test_a_reply_suggests_its_people_without_a_request_and_other_words_ask_for_nothing(
    page_at_home, alice, bob, carol
):
    root = post(bob)
    for author in (alice, carol):
        reply(by=author, to=Pointer(root, bob.user_id), content="Hello", nonce="n")
    urls = []
    page_at_home.on("request", lambda request: urls.append(request.url))
    page_at_home.goto(f"/@bob/posts/{root}")
    area = page_at_home.get_by_label("Reply to @bob")
    area.press_sequentially("@")
    expect(options(page_at_home)).to_contain_text(["Bob Brandt @bob", "Carol 陈 @carol"])
    expect(page_at_home.get_by_text("Suggestions: 2. Choose with the arrow keys.")).to_be_attached()
    assert not [url for url in urls if "/complete?" in url]

    with page_at_home.expect_response("**/complete?*"):
        area.press("b")
        expect(selected(page_at_home)).to_contain_text("@bob")  # before the answer adds others
    expect(options(page_at_home)).to_contain_text(["@bob", "@bozena"])
    expect(selected(page_at_home)).to_contain_text("@bob")
    expect(page_at_home.get_by_text("Suggestions: 2. Choose with the arrow keys.")).to_be_attached()
    area.press("Enter")
    expect(area).to_have_value("@bob ")

    # Nothing is suggested for other words, and nothing asked.
    page_at_home.goto("/")
    asked = []
    page_at_home.on(
        "request", lambda request: asked.append(request.url.partition("/complete?q=")[2])
    )
    page_at_home.clock.install()
    area = steps.composer(page_at_home)
    for text in ("bo", "a@bo", "@bo ", "no#ca", "https://x.example/#ca"):
        area.fill(text)
        page_at_home.clock.run_for(LONGER_THAN_IT_WAITS)
        expect(options(page_at_home)).to_have_count(0)
    for text, found in (("#zz", 0), ("#ca", 2)):
        area.fill(text)
        with page_at_home.expect_response("**/complete?*"):
            page_at_home.clock.run_for(LONGER_THAN_IT_WAITS)
        expect(options(page_at_home)).to_have_count(found)
    assert [word for word in asked if word] == ["%23zz", "%23ca"]


# A story is written in one composer: in the dialog, and on a phone's page.


def begin(page: Page, size: dict[str, int]) -> None:
    page.set_viewport_size(size)
    page.goto("/local")
    page.get_by_role("link", name="New post").click()
    expect(own(page).get_by_label(steps.SAY)).to_be_focused()


def own(page: Page) -> Locator:
    return page.locator(".composer-own")


def part(page: Page, number: int) -> Locator:
    return own(page).get_by_label(f"Text of post {number}", exact=True)


def write(page: Page, *texts: str) -> None:
    own(page).get_by_label(steps.SAY).fill(texts[0])
    for number, text in enumerate(texts[1:], 2):
        own(page).get_by_role("button", name="Add another post").click()
        expect(part(page, number)).to_be_focused()
        page.keyboard.type(text)


def publish(page: Page) -> None:
    own(page).get_by_role("button", name="Post", exact=True).click()
    expect(steps.toast(page)).to_contain_text("Post published.")


@pytest.mark.parametrize("size", SIZES)
def test_a_story_is_written_kept_mended_and_read_in_its_order(admin, signed_in, alice, watch, size):
    watch.expect("422")
    word_rule(admin, "cheap pills", Effect.REFUSE)
    page = signed_in(alice)
    begin(page, size)
    write(page, "Once upon a time", "Cheap pills", "No", "and that was all")
    own(page).get_by_role("button", name="Remove post 3").click()
    expect(part(page, 2)).to_be_focused()
    expect(part(page, 3)).to_have_value("and that was all")

    begin(page, size)  # what was typed comes back, and the removed post does not
    expect(part(page, 3)).to_have_value("and that was all")
    expect(page.locator("[data-part]")).to_have_count(2)

    own(page).get_by_role("button", name="Post", exact=True).click()
    expect(page.get_by_role("alert")).to_be_focused()  # that of the refused post
    expect(page.locator("[data-part]").first.get_by_role("alert")).to_be_visible()
    expect(part(page, 3)).to_have_value("and that was all")
    part(page, 2).fill("there was a table")
    publish(page)
    page.goto(f"/@alice/posts/{posts_of(alice)[-1]}")
    said = ["Once upon a time", "there was a table", "and that was all"]
    expect(page.locator(".post-text")).to_have_text(said)

    begin(page, size)
    expect(own(page).get_by_label(steps.SAY)).to_have_value("")
    expect(page.locator("[data-part]")).to_have_count(0)

    # Pressed before the script has come, the button leads to a page on which the new post has the focus.
    begin(page, PHONE)
    held = steps.hold(page, "**/story*.js")
    page.reload()
    own(page).get_by_label(steps.SAY).fill("One")
    own(page).get_by_role("button", name="Add another post").click()
    steps.same_place(page, "/posts")
    steps.let_go(page, "**/story*.js", held)
    page.wait_for_load_state("networkidle")  # all scripts have had their say
    expect(part(page, 2)).to_be_focused()


def test_it_is_accessible_and_with_ten_posts_and_large_text_post_is_in_sight(
    signed_in, alice, look
):
    page = signed_in(alice)
    for size in (DESKTOP, PHONE):
        begin(page, size)
        write(page, "One", "Two")
        part(page, 2).fill("x" * 980)
        assert look(page, sizes=(size,), height=2000) == []
        if size is DESKTOP:
            page.evaluate("localStorage.clear()")
    add = own(page).get_by_role("button", name="Add another post")
    for number in range(3, 11):
        add.click()
        expect(part(page, number)).to_be_focused()
    expect(add).to_be_hidden()  # ten are enough
    page.evaluate(TWICE)
    button = own(page).get_by_role("button", name="Post", exact=True)
    expect(button).to_be_in_viewport(ratio=1)
    assert button.evaluate(IS_ON_TOP)
