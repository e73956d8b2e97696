"""Accounts as people meet them: menu, profile, handle, password, and first steps."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from feed.likes.writes import like_post
from relations.follows.writes import follow
from relations.friends.writes import request_friend
from tests.accounts.pictures import camera_jpeg, encode, halves
from tests.accounts.scenes import one_letter, send_letters
from tests.browser import steps
from tests.browser.screens import DESKTOP, PHONE, SIZES
from tests.browser.test_accessibility import SHIFTS
from tests.conftest import PASSWORD, post

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def entries(page: Page) -> list[str]:
    page.locator(".account summary").click()
    shown = page.locator(".account .menu-list").locator("a:visible, button:visible")
    return [text.split("\n")[0].strip() for text in shown.all_inner_texts()]


def test_it_has_what_the_bar_of_a_phone_or_the_rail_has_not(
    alice, bob, signed_in, drain_stream, mod
):
    request_friend(by=bob, user_id=alice.user_id)
    drain_stream()
    page = signed_in(alice, viewport=DESKTOP)
    page.goto("/")
    own = ["View profile", "Drafts", "Photos", "About", "Sign out"]
    assert entries(page) == own
    page.set_viewport_size(PHONE)
    page.reload()
    assert entries(page) == [
        "View profile", "Friends", "Saved", "Drafts", "Photos", "Settings", "About", "Sign out",
    ]  # fmt: skip
    friends = page.locator(".account").get_by_role("link", name="Friends")
    expect(friends).to_contain_text("1 request is waiting")

    # Staff find moderation in the bar and the rail.
    page = signed_in(mod)
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        page.goto("/")
        nav = page.get_by_role("navigation", name="Main")
        expect(nav.get_by_role("link", name="Moderation")).to_be_visible()
        assert "Moderation" not in entries(page)


# A new picture is previewed before it is saved, and then stands everywhere its person is named.

PICTURE = {"name": "me.jpg", "mimeType": "image/jpeg", "buffer": camera_jpeg()}


@pytest.fixture
def page(signed_in, alice) -> Page:
    page = signed_in(alice)
    page.goto("/settings/profile")
    return page


def address(picture: Locator) -> str:
    """The address of a picture that has really been loaded and is square."""
    picture.scroll_into_view_if_needed()
    expect(picture).to_have_js_property("complete", True)
    width = picture.evaluate("(image) => image.naturalWidth")
    assert width == picture.evaluate("(image) => image.naturalHeight") > 0
    return str(picture.get_attribute("src"))


# A header picture is previewed, fits its screen, and moves nothing while it comes.

WIDE = {"name": "wide.jpg", "mimeType": "image/jpeg", "buffer": encode(halves((1600, 700)), "JPEG")}
COVERS = "**/media/headers/*"
LOADED = """() => {
    const image = document.querySelector(".profile img.cover");
    return image?.complete && image.naturalWidth > 0;
}"""


def save(page: Page) -> None:
    page.get_by_label("Header picture", exact=True).set_input_files(WIDE)
    page.get_by_role("button", name="Save").click()
    expect(steps.toast(page)).to_contain_text("Profile saved.")


@pytest.mark.parametrize("size", SIZES)
def test_pictures_are_seen_before_and_everywhere_after_they_are_saved_and_move_nothing(
    page, alice, bob, signed_in, size, look
):
    post_id = post(alice, "With a face")
    follow(by=alice, user_id=bob.user_id)
    like_post(by=alice, post_id=post_id, author_id=alice.user_id)
    page.get_by_label("Picture", exact=True).set_input_files(PICTURE)
    expect(page.locator(".avatar-field img")).to_have_attribute("src", re.compile("^blob:"))
    page.get_by_role("button", name="Save").click()
    expect(steps.toast(page)).to_contain_text("Profile saved.")

    new = address(page.locator(".profile .avatar"))
    assert address(page.locator(".account .avatar")) == new
    assert address(steps.card(page, "With a face").locator("img.avatar")) == new
    bobs = signed_in(bob)
    for path in ("/@alice", f"/@alice/posts/{post_id}/likers", "/@bob/followers"):
        bobs.goto(path)
        assert address(bobs.locator("main img.avatar").first) == new
    page.goto("/")
    assert address(page.locator(".composer .avatar")) == new

    page.goto("/settings/profile")
    page.get_by_label("Remove picture").check()
    page.get_by_role("button", name="Save").click()
    expect(page.locator("span.avatar").first).to_have_text("A")
    expect(page.locator("img.avatar")).to_have_count(0)

    # A header picture.
    page.goto("/settings/profile")
    page.set_viewport_size(size)
    expect(page.locator(".header-field div.cover")).to_be_visible()
    page.get_by_label("Header picture", exact=True).set_input_files(WIDE)
    expect(page.locator(".header-field img.cover")).to_have_attribute("src", re.compile("^blob:"))
    save(page)
    page.wait_for_function(LOADED)
    box = page.locator(".profile img.cover").bounding_box()
    assert box
    assert abs(box["width"] - 3 * box["height"]) < 2
    assert look(page) == []

    page.get_by_role("link", name="Edit profile").click()  # in place of the header
    expect(page.locator(".header-field img.cover")).to_be_visible()
    assert look(page) == []
    page.get_by_label("Remove header picture").check()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".profile div.cover")).to_be_visible()
    expect(page.locator("img.cover")).to_have_count(0)

    page.goto("/settings/profile")
    save(page)
    held = steps.hold(page, COVERS)
    page.add_init_script(SHIFTS)
    page.set_viewport_size(size)
    with page.expect_request(COVERS) as asked:
        page.goto("/@alice", wait_until="domcontentloaded")
    assert asked.value.url.endswith("-750.webp")
    cover, name = page.locator(".profile img.cover"), page.locator(".profile-name")
    expect(name).to_be_visible()
    before = cover.bounding_box(), name.bounding_box()
    steps.let_go(page, COVERS, held)
    page.wait_for_function(LOADED)
    assert (cover.bounding_box(), name.bounding_box()) == before
    assert page.evaluate("window.shifts") == 0


# Changing a password, seen as it is typed; and a handle, confirmed, done, and taken back.

NEW = "a quieter battery staple"


def test_a_handle_and_a_password_are_changed_and_other_browsers_are_out(alice, signed_in):
    other, page = signed_in(alice), signed_in(alice)
    page.goto("/settings/profile")
    page.get_by_role("link", name="Change handle").click()
    page.get_by_label("New handle").fill("@Alicia")
    page.get_by_role("button", name="Change handle").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_label("New handle")).to_have_value("alicia")
    page.get_by_role("button", name="Change handle").click()
    expect(page.get_by_role("status").filter(has_text="You’re @alicia now.")).to_be_visible()
    page.goto("/@alice/followers")
    steps.same_place(page, "/@alicia/followers")
    page.goto("/settings/handle")
    page.get_by_role("button", name="Take back @alice").click()
    expect(page.get_by_text("Your handle is @alice.")).to_be_visible()

    page.goto("/settings/security")
    page.get_by_role("link", name="Change password").click()
    page.get_by_label("Your password now").fill(PASSWORD)
    new = page.get_by_label("New password")
    new.fill(NEW)
    show = page.locator(".field", has=new).get_by_role("button", name="Show password")
    expect(new).to_have_attribute("type", "password")
    show.click()
    expect(new).to_have_attribute("type", "text")
    expect(show).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_role("status").filter(has_text="Your password has changed.")).to_be_visible()
    page.goto("/settings/profile")
    expect(steps.title(page)).to_have_text("Settings")
    other.goto("/settings/profile")
    expect(steps.title(other)).to_have_text("Sign in")


# Signing up, confirming an address, and coming back to an account whose password is forgotten.


@pytest.mark.parametrize("viewport", SIZES)
def test_one_signs_up_in_two_languages_confirms_the_address_and_comes_back_without_the_password(
    table, visitor, viewport
):
    page = visitor(viewport=viewport)
    page.goto("/signup?next=/local")
    page.get_by_label("Handle").fill("dora")
    page.get_by_label("Display name").fill("Dora Díaz")
    page.get_by_label("Email").fill("dora@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Deutsch").locator("visible=true").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.get_by_role("button", name="English").locator("visible=true").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.get_by_label("Handle"), "a change of language erases nothing").to_have_value("dora")
    expect(page.get_by_label("Display name")).to_have_value("Dora Díaz")
    expect(page.get_by_label("Email")).to_have_value("dora@example.org")
    expect(page.get_by_label("Password")).to_have_value("")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Password").press("Enter")
    expect(page).to_have_url("/local")

    page.goto("/")
    page.get_by_role("link", name="Email settings").click()
    expect(page.get_by_role("main")).to_contain_text("Not confirmed yet")
    [letter] = send_letters()
    page.goto(letter.path)
    page.get_by_role("button", name="Confirm this address").click()
    expect(steps.toast(page)).to_contain_text("Your email address is confirmed.")
    page.goto("/settings/email")
    expect(page.get_by_role("main")).to_contain_text("dora@example.org")
    expect(page.get_by_role("main")).to_contain_text("Confirmed.")

    page.goto("/")
    steps.sign_out(page)
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
    page.goto("/login")
    page.get_by_role("link", name="Forgot your password?").click()
    page.get_by_label("Email").fill("dora@example.org")
    page.get_by_role("button", name="Send the link").click()
    expect(steps.title(page)).to_have_text("Look in your inbox")
    page.goto(one_letter().path)
    page.get_by_label("New password").fill(NEW)
    page.get_by_role("button", name="Set password").click()
    expect(steps.toast(page)).to_contain_text("Your password has changed.")
    steps.sign_in(page, "dora@example.org", NEW)
    expect(steps.title(page)).to_have_text("Home")


OWN_PICTURE = {"name": "me.png", "mimeType": "image/png", "buffer": encode(halves(), "PNG")}


# First steps after signing up, and the profile edited in place.


@pytest.fixture
def authors(alice, bob, carol, drain_stream) -> None:
    for author in (alice, bob, carol):
        post(author, f"I am {author.name}")
    drain_stream()


def test_a_newcomer_takes_the_three_steps(authors, visitor: Callable[..., Page]):
    page = visitor()
    steps.sign_up(page, "dora", "Dora Díaz")
    expect(steps.title(page)).to_have_text("First steps")
    expect(page.get_by_role("heading", name="Good to have you, Dora Díaz")).to_be_visible()

    # From here on by the keyboard alone, but for the dialog in which one chooses a file.
    page.get_by_label("Picture", exact=True).set_input_files(OWN_PICTURE)
    steps.tab_to(page, page.get_by_label("About you"))
    page.keyboard.type("Walks far.")
    steps.tab_to(page, page.get_by_role("button", name="Save"))
    page.keyboard.press("Enter")
    expect(steps.toast(page)).to_contain_text("Profile saved.")
    expect(page.locator(".avatar-field img")).to_be_visible()

    progress = page.locator("#welcome-progress")
    expect(progress).to_have_text("0 of 3")
    for number, name in enumerate(["Alice Archer", "Bob Brandt", "Carol 陈"], 1):
        button = page.get_by_role("main").get_by_role("button", name=name)
        steps.tab_to(page, button)
        page.keyboard.press("Enter")
        expect(progress).to_contain_text(f"{number} of 3" if number < 3 else "Done.")
        steps.expect_focus(button)
    steps.same_place(page, "/welcome")
    steps.tab_to(page, page.get_by_role("link", name="Go to your timeline"))
    page.keyboard.press("Enter")
    expect(steps.title(page)).to_have_text("Home")


def edit(page: Page) -> None:
    page.get_by_role("link", name="Edit profile").click()


def test_the_profile_is_edited_in_place_with_a_picture_and_what_is_refused_keeps_what_was_typed(
    alice, signed_in, axe, watch
):
    page = signed_in(alice)
    page.goto("/@alice")
    edit(page)
    expect(page.get_by_role("heading", name="Edit profile")).to_be_focused()
    assert axe(page) == []
    # Cancelling leaves it as it was.
    page.get_by_label("Display name").fill("Somebody else")
    page.get_by_role("link", name="Cancel").click()
    expect(page.get_by_role("link", name="Edit profile")).to_be_focused()
    expect(page.get_by_role("heading", name="Alice Archer", level=2)).to_be_visible()
    steps.same_place(page, "/@alice")

    edit(page)
    page.get_by_label("Display name").fill("Alice Neu")
    page.get_by_label("Location").fill("Leipzig")
    page.get_by_label("Picture", exact=True).set_input_files(OWN_PICTURE)
    expect(page.locator(".avatar-field img")).to_have_attribute("src", re.compile("^blob:"))
    page.get_by_role("button", name="Save").click()
    expect(steps.toast(page)).to_contain_text("Profile saved.")
    expect(page.get_by_role("heading", name="Alice Neu", level=2)).to_be_visible()
    expect(steps.title(page)).to_have_text("Alice Neu")
    expect(page.locator(".profile img.avatar")).to_be_visible()
    expect(page.get_by_role("link", name="Edit profile")).to_be_focused()
    steps.same_place(page, "/@alice")
    assert axe(page) == []

    watch.expect("422")
    page.goto("/settings/profile")
    page.get_by_label("About you").fill("Kept")
    file = {"name": "me.png", "mimeType": "image/png", "buffer": b"<svg onload=alert(1)>"}
    page.get_by_label("Picture", exact=True).set_input_files(file)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_be_focused()
    expect(page.get_by_text("We couldn’t use that picture.")).to_be_visible()
    expect(page.get_by_label("About you")).to_have_value("Kept")

    # In place it is the same.
    page.goto("/@alice")
    edit(page)
    page.get_by_label("Display name").fill("")
    page.get_by_label("About you").fill("Half a thought")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_be_focused()
    expect(page.get_by_label("About you")).to_have_value("Half a thought")
    page.get_by_label("Display name").fill("Alice Neu")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Half a thought")).to_be_visible()
    steps.same_place(page, "/@alice")
