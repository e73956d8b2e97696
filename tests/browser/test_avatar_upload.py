"""A new picture is previewed before it is saved, and then stands everywhere its person is named."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from feed.likes.writes import like_post
from relations.follows.writes import follow
from tests.accounts.pictures import camera_jpeg
from tests.browser import steps
from tests.conftest import post

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


def test_the_picture_is_seen_before_and_everywhere_after_it_is_saved_until_it_is_removed(
    page, alice, bob, signed_in
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
