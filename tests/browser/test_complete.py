"""Suggestions while one types `@` or `#`: found, chosen by keys, mouse and touch, and never in the way."""

import pytest
from playwright.sync_api import Locator, Page, expect

from feed.posts.reads import Pointer
from feed.threads.writes import reply
from relations.follows.writes import follow
from tests.browser import steps
from tests.browser.conftest import DESKTOP, PHONE
from tests.conftest import person, post

LONGER_THAN_IT_WAITS = 400  # milliseconds without a letter before the script asks


@pytest.fixture
def people(alice, bob, drain_stream) -> None:
    """People whose handles begin with `bo`, of whom Alice follows the last, and tags that begin with `ca`."""
    last = person("bozena", "Božena Nová")
    follow(by=alice, user_id=last.user_id)
    post(bob, "#cats #caterpillar #猫咪")
    drain_stream()


@pytest.fixture
def page(people, alice, signed_in) -> Page:
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


def test_people_are_suggested_those_whom_one_follows_first(page, look):
    area = type_into(page, "Hello @bo")
    expect(options(page)).to_contain_text(["Božena Nová @bozena", "Bob Brandt @bob"])
    expect(page.get_by_text("Suggestions: 2. Choose with the arrow keys.")).to_be_attached()
    expect(selected(page)).to_contain_text("@bozena")
    area.press("ArrowDown")
    expect(selected(page)).to_contain_text("@bob")
    active = area.get_attribute("aria-activedescendant")
    assert active == selected(page).get_attribute("id")
    assert look(page) == []
    area.press("Enter")
    expect(area).to_have_value("Hello @bob ")
    expect(options(page)).to_have_count(0)
    expect(area).to_be_focused()


def test_the_word_alone_is_replaced_by_tab_by_mouse_and_by_enter(page):
    area = type_into(page, "#ca")
    expect(options(page)).to_have_text(["caterpillar", "cats"])
    area.press("ArrowUp")
    area.press("Tab")
    expect(area).to_have_value("#cats ")
    expect(area).to_be_focused()
    page.reload()
    expect(area).to_have_value("#cats ")  # the draft knows of it

    # One Chinese letter is enough, also without a space before it.
    area.fill("")
    type_into(page, "我爱#猫")
    expect(options(page)).to_have_text(["猫咪"])
    options(page).click()
    expect(area).to_have_value("我爱#猫咪 ")

    area.fill("Ask  about it")
    for _ in range(len(" about it")):
        area.press("ArrowLeft")
    area.press_sequentially("@boz", delay=15)
    expect(options(page)).to_have_count(1)
    area.press("Enter")
    expect(area).to_have_value("Ask @bozena about it")


def test_a_word_that_is_whole_already_leaves_keys_what_they_always_do(page):
    area = type_into(page, "@bob")
    expect(options(page)).to_have_count(1)
    expect(selected(page)).to_have_count(0)
    area.press("Enter")
    expect(area).to_have_value("@bob\n")
    type_into(page, "#cats")
    expect(options(page)).to_have_count(1)
    area.press("Tab")
    expect(area).not_to_be_focused()
    expect(area).to_have_value("@bob\n#cats")
    expect(options(page)).to_have_count(0)

    area.fill("")
    type_into(page, "#ca")
    expect(options(page)).to_have_count(2)
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
    expect(selected(page)).to_have_text("caterpillar")
    # Escape closes them until the next letter.
    area.press("Escape")
    expect(options(page)).to_have_count(0)
    expect(area).to_be_focused()
    expect(area).to_have_value("#ca")
    area.press("t")
    expect(options(page)).to_have_count(2)


def test_nothing_is_suggested_for_other_words(page):
    asked = []
    page.on("request", lambda request: asked.append(request.url.partition("/complete?q=")[2]))
    page.clock.install()
    area = steps.composer(page)
    for text in ("bo", "a@bo", "@bo ", "no#ca", "https://x.example/#ca"):
        area.fill(text)
        page.clock.run_for(LONGER_THAN_IT_WAITS)
        expect(options(page)).to_have_count(0)
    for text, found in (("#zz", 0), ("#ca", 2)):
        area.fill(text)
        with page.expect_response("**/complete?*"):
            page.clock.run_for(LONGER_THAN_IT_WAITS)
        expect(options(page)).to_have_count(found)
    assert [word for word in asked if word] == ["%23zz", "%23ca"]


def boxes(page: Page, area: Locator) -> tuple[dict, dict, float]:
    """The field, the list, and how high a line is."""
    line = area.evaluate("area => parseFloat(getComputedStyle(area).lineHeight)")
    listed = page.get_by_role("listbox", name="Suggestions").bounding_box()
    field = area.bounding_box()
    assert field
    assert listed
    return field, listed, line


def test_they_stand_beside_the_line_that_is_typed_and_never_over_it(people, alice, signed_in):
    for size, is_page in ((DESKTOP, True), (DESKTOP, False), (PHONE, True)):
        page = signed_in(alice, viewport=size)
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


def test_where_the_window_ends_they_stand_above_the_line(page):
    page.set_viewport_size({"width": 800, "height": 420})
    page.goto("/posts/new")
    area = page.locator(".composer-own textarea[data-draft]")
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


def test_a_tap_on_a_phone_chooses_and_keeps_the_keyboard(people, alice, signed_in):
    page = signed_in(alice, viewport=PHONE, has_touch=True)
    page.goto("/")
    area = type_into(page, "@bo")
    options(page).first.tap()
    expect(area).to_have_value("@bozena ")
    expect(area).to_be_focused()


def test_a_reply_suggests_the_people_of_the_page_first_and_without_a_request(
    page, alice, bob, carol
):
    root = post(bob)
    for author in (alice, carol):
        reply(by=author, to=Pointer(root, bob.user_id), content="Hello", nonce="n")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"/@bob/posts/{root}")
    area = page.get_by_label("Reply to @bob")
    area.press_sequentially("@")
    expect(options(page)).to_contain_text(["Bob Brandt @bob", "Carol 陈 @carol"])
    expect(page.get_by_text("Suggestions: 2. Choose with the arrow keys.")).to_be_attached()
    assert not [url for url in asked if "/complete?" in url]

    with page.expect_response("**/complete?*"):
        area.press("b")
        expect(selected(page)).to_contain_text("@bob")  # before the answer adds others
    expect(options(page)).to_contain_text(["@bob", "@bozena"])
    expect(selected(page)).to_contain_text("@bob")
    expect(page.get_by_text("Suggestions: 2. Choose with the arrow keys.")).to_be_attached()
    area.press("Enter")
    expect(area).to_have_value("@bob ")
