"""Photos are sent while one writes: again when the connection or the server was away, and Post waits for them."""

import pytest
from playwright.sync_api import Page, expect

from feed.profiles.reads import list_posts
from photos.reads import list_album
from tests.browser import photographs as photos
from tests.browser import steps

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


@pytest.fixture
def page(signed_in, alice) -> Page:
    page = signed_in(alice)
    page.goto("/posts/new")
    return page


def test_post_waits_for_photos_which_are_sent_two_at_a_time_and_can_be_taken_back(page, alice):
    way = photos.Held(page)
    photos.choose(page, photos.files(3))
    way.expect(2)
    expect(photos.tile(page, 1).get_by_role("progressbar", name="Sending")).to_be_visible()
    expect(photos.tile(page, 3).get_by_role("progressbar", name="Sending")).to_be_hidden()
    photos.describe(page, "one", "two", "three")
    steps.write(page, "Four herons")
    waits = page.locator(".photos-wait")
    expect(waits).to_contain_text("Posts when 3 photos have arrived.")
    way.let_go()
    expect(waits).to_contain_text("Posts when 2 photos have arrived.")
    way.expect(2)  # the second, and now the third
    page.get_by_role("button", name="Don’t post yet").click()
    expect(waits).to_be_hidden()
    expect(steps.composer(page)).to_be_focused()
    way.let_go(2)
    photos.expect_there(page, 3)
    steps.same_place(page, "/posts/new")  # nothing is posted when they are there

    photos.choose(page, photos.file())
    way.expect(1)
    photos.description(page, 4).fill("fo")
    photos.post_button(page).click()
    expect(waits).to_contain_text("Posts when 1 photo has arrived.")
    photos.description(page, 4).fill("four")  # what is typed meanwhile goes along
    assert not list_posts(alice.card).items
    way.let_go()
    expect(steps.title(page)).to_have_text("Post")
    for name in ("one", "two", "three", "four"):
        expect(page.get_by_role("img", name=name, exact=True)).to_be_visible()


def test_after_a_503_photos_are_sent_again_to_their_places_and_are_not_there_twice(
    page, alice, watch
):
    watch.expect("503")
    lost = []

    def lose_the_answer(route):
        lost.append(route.fetch().status)
        route.fulfill(status=503, headers={"Retry-After": "600"}, body="")

    page.route(photos.PHOTOS, lose_the_answer, times=1)
    photos.choose(page, photos.file())
    expect(photos.tile(page, 1)).to_contain_text("The server is busy.")
    assert lost == [200]
    photos.answer_once(page, 503, **{"Retry-After": "1"})
    photos.choose(page, photos.files(1))
    expect(photos.tiles(page).nth(1)).to_have_attribute("data-state", "there")  # by itself
    photos.describe(page, "first", "second")
    photos.press(page, 1, "Retry")
    photos.expect_there(page, 2)
    photos.expect_order(page, "first", "second")
    assert len(list_album(alice).items) == 2


def test_without_a_connection_photos_wait_and_go_when_it_is_back(page):
    steps.composer(page).focus()
    page.wait_for_function("document.querySelector('link[href*=photos]')")
    page.context.set_offline(True)
    photos.choose(page, photos.file())
    photos.describe(page, "From the train")
    expect(photos.tile(page, 1)).to_contain_text("Waits for your connection.")
    page.context.set_offline(False)
    photos.expect_there(page, 1)
    photos.expect_order(page, "From the train")


def test_a_photo_that_fails_for_good_says_why_and_post_leads_to_it(page, alice, watch):
    watch.expect("403", "422")
    photos.choose(page, photos.file("broken.jpg", b"\xff\xd8\xff not a photo"))
    photos.describe(page, "Still here")
    broken = photos.tile(page, 1)
    expect(broken).to_contain_text("We couldn’t read this photo")
    expect(broken.get_by_role("button", name="Retry")).to_be_hidden()
    photos.post_button(page).click()
    expect(broken.get_by_role("button", name="Remove")).to_be_focused()
    expect(photos.note(page)).to_contain_text("A photo didn’t arrive.")
    photos.press(page, 1, "Remove")
    expect(photos.tiles(page)).to_have_count(0)
    expect(photos.post_button(page)).to_be_disabled()

    way = photos.Held(page)
    photos.choose(page, photos.file())
    way.expect(1)
    photos.describe(page, "A heron")
    steps.write(page, "Heron")
    expect(page.locator(".photos-wait")).to_be_visible()
    way.routes.pop().fulfill(status=403, body="")
    expect(photos.tile(page, 1)).to_contain_text("This page is out of date.")
    expect(photos.tile(page, 1).get_by_role("button", name="Retry")).to_be_focused()
    expect(page.locator(".photos-wait")).to_be_hidden()
    assert not list_posts(alice.card).items
