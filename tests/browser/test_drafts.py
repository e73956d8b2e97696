"""What one writes is kept: with each letter in the browser, soon on the server, and on the other device."""

import pytest
from playwright.sync_api import Page, expect

from accounts.people.viewer import Viewer
from tests.browser import steps
from tests.browser.screens import PHONE
from tests.faults.processes import wait_until
from tests.feed.composing.shelves import drafts_of, texts_of


@pytest.fixture
def page(signed_in, alice) -> Page:
    page = signed_in(alice)
    page.goto("/posts/new")
    return page


def are_kept(viewer: Viewer, texts: list[str]) -> None:
    """Waits until these are the person's drafts: a slow machine saves what is typed in parts."""
    wait_until(lambda: texts_of(viewer) == texts, seconds=60)


def saved(page: Page) -> None:
    expect(page.locator(".composer-saved")).to_contain_text("Saved ")


def type_more(page: Page, text: str) -> None:
    """As one types on: the caret stands at the end."""
    steps.composer(page).press("Control+End")
    steps.composer(page).press_sequentially(text)


def test_what_is_typed_is_soon_a_draft_which_a_reload_and_the_other_device_go_on_with(
    page, alice, signed_in
):
    steps.composer(page).fill("Half")
    are_kept(alice, ["Half"])
    saved(page)
    page.reload()
    expect(steps.composer(page)).to_have_value("Half")
    type_more(page, " a thought")
    page.goto("/drafts")  # leaving saves it
    are_kept(alice, ["Half a thought"])
    page.reload()
    expect(page.locator(".shelved-text")).to_have_text("Half a thought")
    assert [draft.version for draft in drafts_of(alice)] == [2]

    phone = signed_in(alice, viewport=PHONE)
    phone.goto("/drafts")
    phone.get_by_role("link", name="Continue").click()
    expect(steps.composer(phone)).to_have_value("Half a thought")
    type_more(phone, ", ended here")
    are_kept(alice, ["Half a thought, ended here"])
    saved(phone)
    phone.get_by_role("button", name="Post", exact=True).click()
    expect(steps.title(phone)).to_have_text("Post")
    assert texts_of(alice) == []

    phone.goto("/posts/new")
    expect(steps.composer(phone)).to_have_value("")
    steps.composer(phone).fill("Second")  # a draft of its own
    are_kept(alice, ["Second"])
    saved(phone)


def test_two_devices_at_once_keep_both_texts(page, alice, signed_in, watch):
    watch.expect("409")
    steps.composer(page).fill("Plan")
    saved(page)
    phone = signed_in(alice, viewport=PHONE)
    phone.goto(drafts_of(alice)[0].url)
    type_more(phone, " A")
    are_kept(alice, ["Plan A"])
    saved(phone)

    type_more(page, " B")
    expect(steps.toast(page)).to_contain_text("Both texts are in your drafts.")
    wait_until(lambda: sorted(texts_of(alice)) == ["Plan A", "Plan B"], seconds=60)

    page.get_by_role("button", name="Post", exact=True).click()
    expect(steps.title(page)).to_have_text("Post")
    assert texts_of(alice) == ["Plan A"]


LEFT_BY_A_DEAD_BROWSER = """([draft, text]) => {
    localStorage.setItem(`draft:alice:draft:${draft}`, text);
    localStorage.setItem(`draft:at:alice:draft:${draft}`, JSON.stringify({ draft, version: "1", isSent: false }));
}"""


def test_letters_that_only_the_browser_had_are_back_where_the_draft_is_continued(page, alice):
    steps.composer(page).fill("Online")
    saved(page)
    (draft,) = drafts_of(alice)
    page.evaluate(LEFT_BY_A_DEAD_BROWSER, [draft.draft_id, "Online, offline"])
    page.goto(draft.url)
    expect(steps.composer(page)).to_have_value("Online, offline")
    are_kept(alice, ["Online, offline"])
    saved(page)


def test_home_and_the_composers_own_page_share_one_which_ends_wherever_it_is_posted(
    page, alice, signed_in, hold, watch
):
    page.goto("/")
    steps.composer(page).fill("Once")
    page.reload()
    expect(steps.composer(page)).to_have_value("Once")
    page.goto("/posts/new")
    expect(steps.composer(page)).to_have_value("Once")
    saved(page)
    watch.expect("422")
    phone = signed_in(alice, viewport=PHONE)
    phone.goto(drafts_of(alice)[0].url)
    phone.get_by_role("button", name="Post", exact=True).click()
    expect(steps.title(phone)).to_have_text("Post")
    page.goto("/")
    expect(steps.composer(page)).to_have_value("")
    assert page.evaluate("JSON.stringify(localStorage)") == "{}"

    answer = hold("feed.composing.views.save_draft")
    steps.composer(page).fill("Quick")
    expect(page.locator(".composer-saved")).to_contain_text("Saving …")
    page.get_by_role("button", name="Post", exact=True).click()  # while it saves
    answer.set()
    expect(steps.card(page, "Quick")).to_have_count(1)
    expect(page.locator(".composer-saved")).to_have_text("")
    assert texts_of(alice) == []
    page.reload()
    expect(steps.composer(page)).to_have_value("")

    page.goto("/posts/new")
    steps.write(page, "There")
    expect(steps.title(page)).to_have_text("Post")
    page.goto("/")
    expect(steps.composer(page)).to_have_value("")


def test_a_draft_is_deleted_in_a_dialog_that_asks(page, alice):
    steps.composer(page).fill("Never mind")
    saved(page)
    page.goto("/drafts")
    page.get_by_role("link", name="Delete").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Never mind")
    dialog.get_by_role("button", name="Delete").click()
    expect(steps.toast(page)).to_contain_text("Draft deleted.")
    assert texts_of(alice) == []
    page.goto("/posts/new")
    expect(steps.composer(page)).to_have_value("")
    assert page.evaluate("JSON.stringify(localStorage)") == "{}"


def test_what_is_typed_over_a_draft_that_was_published_elsewhere_is_a_draft_of_its_own(
    page, alice, signed_in, watch
):
    watch.expect("422")
    steps.composer(page).fill("Twice")
    saved(page)
    phone = signed_in(alice, viewport=PHONE)
    phone.goto(drafts_of(alice)[0].url)
    phone.get_by_role("button", name="Post", exact=True).click()
    expect(steps.title(phone)).to_have_text("Post")
    assert texts_of(alice) == []
    type_more(page, " is better")
    are_kept(alice, ["Twice is better"])
    steps.sign_out(page)
    expect(steps.sign_up_link(page)).to_be_visible()
    assert texts_of(alice) == ["Twice is better"]


def test_signing_out_keeps_the_last_letters_on_the_server_alone(page, alice):
    steps.composer(page).fill("Goodbye")
    steps.sign_out(page)
    expect(steps.sign_up_link(page)).to_be_visible()
    assert page.evaluate("JSON.stringify(localStorage)") == "{}"
    assert texts_of(alice) == ["Goodbye"]
