"""Reposts, quotes, polls, conversations, and saved posts."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from feed.polls.models import PollWish
from feed.posts.reads import Pointer
from feed.publishing.writes import delete_post
from feed.saved.writes import create_folder, save_post
from feed.sharing.writes import repost
from feed.threads.writes import set_reply_aside
from photos.reads import list_album
from relations.follows.writes import follow
from tests.browser import photographs as photos
from tests.browser import steps
from tests.browser.screens import DESKTOP, PHONE, SIZES, sideways
from tests.conftest import post
from tests.feed.scenes import (
    DRINKS,
    answer,
    ask,
    folder_names,
    photo,
    quoted_by,
    real_files,
    saved_ids,
    vote_for,
)

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def test_a_repost_shows_before_the_server_answers_is_taken_back_and_keeps_all_in_one_column(
    alice, bob, carol, signed_in, drain_stream, hold, look
):
    follow(by=alice, user_id=bob.user_id)
    repost(by=bob, post=Pointer(post(carol, "Pass it on"), carol.user_id))
    drain_stream()
    page = signed_in(alice)
    page.goto("/")
    card = steps.card(page, "Pass it on")
    expect(card.locator(".post-reposted")).to_have_text("Bob Brandt reposted")
    assert look(page) == []

    button, count = card.get_by_role("button", name="Repost"), card.locator(".repost-count")
    answer_now = hold("feed.sharing.writes.repost")
    assert steps.shown_after(button) < 100
    with page.expect_response("**/repost"):
        answer_now.set()
    steps.expect_state(button, on=True)
    expect(count).to_have_text("2 reposts")
    drain_stream()
    with page.expect_response("**/repost"):
        button.click()
    steps.expect_state(button, on=False)
    expect(count).to_have_text("1 repost")
    card.get_by_role("link", name="1 repost").click()
    expect(steps.title(page)).to_have_text("Reposted by")

    # All that a card shows is in one column.
    follow(by=carol, user_id=alice.user_id)
    heron = photo(alice, "A heron", files=real_files(160, 120))
    quoting = quoted_by(alice, bob, post(bob), photos=[heron], poll=PollWish(DRINKS))
    repost(by=alice, post=Pointer(quoting, alice.user_id))
    drain_stream()
    page = signed_in(carol)
    for address in ("/", f"/@alice/posts/{quoting}"):
        page.goto(address)
        for size in (PHONE, DESKTOP):
            page.set_viewport_size(size)
            parts = [".post-text", ".post-photos", ".poll", ".quoted"]
            boxes = [page.locator(f"#post-{quoting} > {part}").bounding_box() for part in parts]
            assert len({(box["x"], box["width"]) for box in boxes}) == 1, (address, size)
            tops = [box["y"] for box in boxes]
            assert tops == sorted(tops)
            actions = page.locator(f"#post-{quoting} .post-actions").bounding_box()
            assert actions["y"] >= boxes[-1]["y"] + boxes[-1]["height"]
            assert boxes[0]["x"] - 10 <= actions["x"] <= boxes[0]["x"], (address, size)


def test_a_post_is_quoted_with_a_photo_and_a_poll_and_its_author_takes_it_out(
    alice, bob, signed_in, drain_stream, look
):
    post_id = post(bob, "Worth more words")
    page = signed_in(alice)
    page.goto("/@bob")
    steps.open_menu(steps.card(page, "Worth more words"))
    page.get_by_role("link", name="Quote post").click()
    expect(page.locator("blockquote")).to_contain_text("Worth more words")
    steps.composer(page).focus()
    photos.choose(page, photos.file())
    photos.describe(page, "A heron")
    page.locator(".part-poll > summary").click()
    for number in (1, 2):
        page.get_by_label(f"Answer {number}", exact=True).fill(DRINKS[number])
    photos.expect_there(page, 1)
    assert look(page) == []
    steps.write(page, "These, for example")
    expect(steps.title(page)).to_have_text("Post")
    quoting, card = page.url, steps.card(page, "These, for example")
    expect(card.locator("blockquote")).to_contain_text("Worth more words")
    expect(card.get_by_role("img", name="A heron", exact=True)).to_be_visible()
    expect(card.locator(".poll bdi")).to_have_text(DRINKS[1:])
    card.get_by_role("link", name="Quoted post by Bob Brandt").click()
    steps.same_place(page, f"/@bob/posts/{post_id}")

    drain_stream()
    page = signed_in(bob)
    for address in ("/quotes", "/replies"):
        page.goto(f"/@bob/posts/{post_id}{address}")
        assert look(page) == []
    page.goto(quoting)
    assert look(page) == []
    steps.open_menu(steps.posts(page))
    page.get_by_role("button", name="Remove my post from this quote").click()
    expect(steps.posts(page).locator(".quoted-gone")).to_be_visible()


# Polls as people meet them: asked and answered by mouse and keyboard.


def poll(page: Page) -> Locator:
    return page.locator(".poll")


def results(page: Page) -> Locator:
    return poll(page).get_by_role("listitem")


def answers(page: Page) -> Locator:
    """The fields of answers that one sees."""
    return page.locator(".part-poll input[type=text]:visible")


def begin_poll(page: Page) -> None:
    page.goto("/posts/new")
    page.locator(".part-poll > summary").click()
    expect(answers(page).first).to_be_visible()


def test_a_poll_is_asked_with_as_many_answers_as_it_needs(alice, signed_in, look):
    page = signed_in(alice)
    begin_poll(page)
    expect(answers(page)).to_have_count(2)
    expect(answers(page).first).to_be_focused()
    for number, text in enumerate(["Tea", "Mud", "Coffee", "Water"]):
        if number >= 2:
            page.get_by_role("button", name="Add an answer").click()
            expect(answers(page).nth(number)).to_be_focused()
        answers(page).nth(number).fill(text)
    page.get_by_role("button", name="Remove answer 2").click()
    expect(answers(page)).to_have_count(3)
    assert [field.input_value() for field in answers(page).all()] == [*DRINKS]
    expect(answers(page).nth(1)).to_be_focused()
    assert look(page) == []
    steps.write(page, "What do you drink?")
    expect(steps.title(page)).to_have_text("Post")
    expect(results(page).locator("bdi")).to_have_text([*DRINKS])
    expect(poll(page)).to_contain_text("You can’t vote in your own poll")


def test_one_votes_by_keyboard_and_again_and_learns_where_one_has_voted_meanwhile(
    alice, bob, carol, signed_in, drain_stream, look, watch
):
    watch.expect("409")
    open_id, early_id = ask(alice), ask(alice, several=True, early=True, change=True)
    vote_for(carol, alice, early_id, 0, 1)
    drain_stream()
    page = signed_in(bob)
    page.goto("/@alice")
    expect(poll(page)).to_have_count(2)
    page.get_by_text("Show the results").click()
    assert look(page) == []

    page.goto(f"/@alice/posts/{open_id}")
    vote_for(bob, alice, open_id, 0)  # in another tab
    page.get_by_label("Water").check()
    page.get_by_role("button", name="Vote", exact=True).click()
    expect(poll(page).get_by_role("alert")).to_contain_text("You’ve already voted")
    expect(results(page).first).to_contain_text("your choice")
    expect(page.get_by_role("button", name="Vote", exact=True)).to_have_count(0)
    assert look(page) == []

    # By keyboard one votes, and votes again.
    post_id = ask(alice, change=True)
    page.goto(f"/@alice/posts/{post_id}")
    steps.tab_to(page, page.get_by_label("Tea"))
    page.keyboard.press("ArrowDown")
    expect(page.get_by_label("Coffee")).to_be_checked()
    expect(page.locator("progress")).to_have_count(0)  # no results yet
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(poll(page)).to_be_focused()
    expect(results(page).nth(1)).to_contain_text("your choice")
    expect(poll(page)).to_contain_text("1 person voted")
    page.keyboard.press("Tab")
    expect(page.get_by_text("Change your vote")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_label("Water")).to_be_checked()
    page.keyboard.press("Enter")
    expect(results(page).nth(2)).to_contain_text("your choice")

    # With large text results are no wider than the card.
    page.set_viewport_size({"width": 320, "height": 640})
    page.reload()
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    expect(results(page)).to_have_count(3)
    assert sideways(page) <= 0


# A conversation as people meet it: answered in place and at the foot of the page, with drafts of their own.


def test_a_reply_is_written_below_what_it_answers_with_its_draft_and_at_the_foot_with_a_photo(
    alice, bob, signed_in
):
    for text in ("First", "Second"):
        post(alice, text)
    page = signed_in(bob)
    page.goto("/@alice")
    composers = page.get_by_label("Reply to @alice")
    for number, text in enumerate(("First", "Second"), 1):
        steps.card(page, text).get_by_role("link", name="Reply", exact=True).click()
        expect(composers).to_have_count(number)
    expect(composers.nth(0)).to_be_focused()  # that of the newer post, opened last, stands above
    composers.nth(0).fill("To the second")
    composers.nth(1).fill("To the first")

    page.reload()
    steps.card(page, "First").get_by_role("link", name="Reply", exact=True).click()
    expect(composers).to_have_value("To the first")
    page.get_by_role("button", name="Reply", exact=True).click()
    expect(steps.toast(page)).to_contain_text("Reply published.")
    expect(steps.card(page, "To the first")).to_be_visible()
    expect(composers).to_have_count(0)
    page.reload()
    expect(steps.posts(page)).to_have_count(2)

    # At the foot of a page it joins the list.
    root = post(alice, "What a morning")
    page.goto(f"/@alice/posts/{root}")
    for number, text in enumerate(("Frost on every roof", "And then the sun"), 1):
        page.get_by_label("Reply to @alice").fill(text)
        page.get_by_role("button", name="Reply", exact=True).click()
        expect(page.locator("#replies article")).to_have_count(number)
        expect(page.get_by_label("Reply to @alice")).to_have_value("")
    page.get_by_label("Reply to @alice").focus()
    photos.choose(page, photos.file())
    photos.describe(page, "A heron")
    page.get_by_role("button", name="Reply", exact=True).last.click()
    picture = page.locator("#replies").get_by_role("img", name="A heron", exact=True)
    expect(picture).to_be_visible()
    assert picture.evaluate("one => one.decode().then(() => one.naturalWidth)") > 0
    expect(page.locator("#reply [data-tile]")).to_have_count(0)
    assert len(list_album(bob).items) == 1
    page.reload()
    expect(page.locator("#replies article")).to_have_count(3)


def test_a_conversation_is_accessible_and_fits(alice, bob, carol, signed_in, look):
    root = post(alice, "What a morning")
    first = answer(bob, alice, root, "Frost on every roof")
    for by in (alice, carol):
        deeper = answer(by, bob, first, f"So says {by.handle}")
        for number in range(6):
            deeper = answer(bob if number % 2 else alice, by, deeper, "And more")
            by = bob if number % 2 else alice
    answer(alice, alice, root, "Part two of this story")
    rude = Pointer(answer(bob, alice, root, "A rude reply"), bob.user_id)
    set_reply_aside(by=alice, reply=rude, on=True)
    page = signed_in(carol)
    for address in (f"/@bob/posts/{first}", f"/@bob/posts/{first}/reply"):
        page.goto(address)
        assert look(page) == []
    page.goto(f"/@alice/posts/{root}")
    expect(steps.card(page, "A rude reply")).to_be_hidden()
    page.get_by_text("Replies hidden by the author").click()
    expect(steps.card(page, "A rude reply")).to_be_visible()
    assert look(page) == []


# Saving posts to read later: in dialogs that give the focus back, and rows that change where they are.

SAVED = "Saved. Only you can see it."
REMOVED = "Removed from your saved posts."


def row(page: Page, text: str) -> Locator:
    return page.locator(".saved").filter(has_text=text)


def open_dialog(page: Page, text: str) -> Locator:
    """Of a post that is saved."""
    steps.open_menu(steps.card(page, text))
    steps.card(page, text).locator(".menu-list").get_by_text(
        re.compile("^(Save|Folder and note…)$")
    ).click()
    form = page.get_by_role("dialog").locator("form.save")
    expect(form).to_be_visible()
    return form


@pytest.mark.parametrize("size", SIZES)
def test_a_post_is_saved_filed_changed_and_removed_and_its_folder_renamed_and_deleted(
    signed_in, alice, bob, size, watch
):
    watch.expect("422")
    post_id = post(bob, "Read me")
    page = signed_in(alice, viewport=size)
    page.goto("/@bob")
    menu = steps.card(page, "Read me").locator("summary")
    steps.open_menu(steps.card(page, "Read me"))
    steps.card(page, "Read me").get_by_role("button", name="Save", exact=True).click()
    expect(steps.toast(page)).to_contain_text(SAVED)
    assert saved_ids(alice) == [post_id]
    page.keyboard.press("Escape")
    expect(menu).to_be_focused()
    open_dialog(page, "Read me")
    page.keyboard.press("Escape")
    expect(menu).to_be_focused()

    form = open_dialog(page, "Read me")
    form.get_by_label("New folder").fill("x" * 31)
    form.get_by_label("Private note").fill("For Sunday")
    form.get_by_role("button", name="Save").click()
    expect(page.locator("#save_new_folder_error")).to_contain_text("30 characters")
    expect(form.get_by_label("Private note")).to_have_value("For Sunday")
    form.get_by_label("New folder").fill("Recipes")
    form.get_by_role("button", name="Save").click()
    expect(steps.toast(page)).to_contain_text(SAVED)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(menu).to_be_focused()
    steps.same_place(page, "/@bob")

    page.locator(".account summary").click()  # of a phone; elsewhere it stands beside the page
    page.locator(".rail").get_by_role("link", name="Saved", exact=True).click()
    page.locator(".chips-row").get_by_role("link", name="Recipes").click()
    expect(row(page, "Read me")).to_contain_text("For Sunday")
    assert saved_ids(alice) == [post_id]

    page.goto("/@bob")
    open_dialog(page, "Read me").get_by_role("button", name="Remove").click()
    expect(steps.toast(page)).to_contain_text(REMOVED)
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert saved_ids(alice) == []

    # A row is changed and removed where it is.
    (recipes,) = folder_names(alice)
    for text in ("First", "Second"):
        post_id = post(bob, text)
        save_post(by=alice, post_id=post_id, author_id=bob.user_id, folder_id=recipes)
    page.set_viewport_size(DESKTOP)
    page.goto("/saved")
    row(page, "Second").get_by_role("link", name="Edit").click()
    form = page.locator("form.save")
    expect(form.locator("h2")).to_have_text("Saved post")
    form.get_by_label("Folder", exact=True).select_option("No folder")
    form.get_by_label("Private note").fill("Soup")
    form.get_by_role("button", name="Save").click()
    expect(row(page, "Second")).to_contain_text("Soup")
    expect(row(page, "Second").locator(".chip")).to_have_count(0)
    expect(row(page, "Second")).to_be_focused()
    steps.same_place(page, "/saved")
    # The changed row leads back to the page that it stands on.
    mute = row(page, "Second").locator("a", has_text="Mute @")
    expect(mute).to_have_attribute("href", re.compile(r"next=%2Fsaved$"))

    row(page, "Second").get_by_role("button", name="Remove").click()
    placeholder = page.locator(f"#saved-{post_id}")
    expect(placeholder).to_contain_text(REMOVED)
    expect(placeholder).to_be_focused()
    placeholder.get_by_role("button", name="Undo").click()
    expect(row(page, "Second")).to_contain_text("Soup")
    expect(row(page, "Second")).to_be_focused()
    expect(page.locator(".saved").first).to_contain_text("Second")

    open_dialog(page, "Second").get_by_role("button", name="Remove").click()
    expect(placeholder).to_contain_text(REMOVED)
    assert post_id not in saved_ids(alice)

    # A folder is renamed and deleted in dialogs.
    create_folder(by=alice, name="Books")
    save_post(by=alice, post_id=post(bob, "Third"), author_id=bob.user_id, folder_id=recipes)
    page.set_viewport_size(size)
    page.goto(f"/saved?folder={recipes}")
    page.get_by_role("link", name="Rename Recipes").click()
    form = page.get_by_role("dialog").locator("form.confirm")
    form.get_by_label("Name").fill("Kitchen")
    form.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("heading", name="Kitchen")).to_be_visible()
    expect(steps.toast(page)).to_contain_text("Folder renamed.")
    page.get_by_role("link", name="Delete Kitchen").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(steps.toast(page)).to_contain_text("Folder deleted.")
    expect(row(page, "Third")).to_be_visible()
    assert list(folder_names(alice).values()) == ["Books"]


def test_the_pages_and_dialogs_break_no_rule_of_accessibility(signed_in, alice, bob, look):
    recipes = create_folder(by=alice, name="Recipes")
    for number, text in enumerate(("Gone", "בוקר טוב", "Read me")):
        post_id, folder = post(bob, text), recipes if number else ""
        where = {"post_id": post_id, "author_id": bob.user_id, "folder_id": folder}
        save_post(by=alice, **where, note=f"Note {text}")
        if text == "Gone":
            delete_post(by=bob, post_id=post_id)
    page = signed_in(alice)
    problems = []
    for address in (
        "/saved",
        "/saved?q=nothing",
        f"/@bob/posts/{post_id}/save",
        f"/saved/folder/rename?folder={recipes}",
    ):
        page.goto(address)
        problems += look(page)
    page.goto(f"/saved?folder={recipes}")
    row(page, "Read me").get_by_role("link", name="Edit").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    problems += look(page)
    page.keyboard.press("Escape")
    row(page, "Read me").get_by_role("button", name="Remove").click()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    problems += look(page)
    assert problems == []
