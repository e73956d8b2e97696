"""Phanpy, a client that is a website, plays a day of alice's in Chromium, unchanged: on another site than ours, over
https, with nothing but what the API gives.

Its build is not among our files: it is 10 MB, and comes from its repository. `PHANPY` is the folder of one.
"""

import os
import re
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from playwright.sync_api import Locator, Page, Response, expect

from accounts.people.cards import Kind
from accounts.people.reads import get_user_info
from accounts.profile.writes import change_pictures
from feed.cards.post_card import PostCard
from feed.likes.writes import like_post
from feed.posts.models import Audience
from feed.posts.reads import Pointer
from feed.profiles.reads import list_liked, list_posts
from feed.publishing.writes import publish_post
from feed.saved.reads import list_saved_posts
from feed.sharing.writes import repost
from feed.threads.reads import get_conversation
from notifications.reads import list_notifications
from relations.follows.writes import follow
from socialsite.table import ids
from tests.accounts.pictures import camera_jpeg
from tests.api.conftest import tokens_of
from tests.browser.conftest import SECONDS_TO_FAIL
from tests.browser.tls import served_over_tls
from tests.conftest import PASSWORD, post
from tests.faults.processes import wait_until
from tests.photos.conftest import *  # noqa: F403 - `folder`, `upload`

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

NO_BUILD = (
    "PHANPY names no build of Phanpy: get github.com/cheeaun/phanpy, run `npm ci` and `npx vite build` in it with "
    "Node 22, and set PHANPY to its folder `dist`."
)
POSTS = 25
IS_SHOWN = "(img) => img.complete && img.naturalWidth > 0"


class _Files(SimpleHTTPRequestHandler):
    def log_message(self, *args: Any) -> None:
        """Says nothing."""


@pytest.fixture
def phanpy() -> Iterator[str]:
    """Where it is served: on another site than ours, as each app that is a website."""
    built = Path(os.environ.get("PHANPY", "no build"))
    if not (built / "index.html").exists():
        pytest.skip(NO_BUILD)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(built)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()


def _is_of_a_post(answer: Response) -> bool:
    return "/api/v1/statuses" in answer.url and answer.request.method in ("POST", "PUT")


class Phanpy:
    """It in a browser of its own, and which of its calls failed."""

    def __init__(self, page: Page, address: str, site: str) -> None:
        self.page, self.address, self.site = page, address, site
        self.failed: list[str] = []
        page.context.on("response", self._answered)
        page.context.on("requestfailed", lambda asked: self._note(str(asked.failure), asked.url))

    def _answered(self, answer: Response) -> None:
        if answer.status >= 400:
            self._note(str(answer.status), answer.url)

    def _note(self, what: str, url: str) -> None:
        if what != "net::ERR_ABORTED" and url.startswith(f"https://{self.site}/"):
            self.failed.append(f"{what} {url.partition(self.site)[2]}")

    def go(self, place: str) -> None:
        self.page.goto(f"{self.address}/#/{place}")

    def sign_in(self) -> None:
        """In the window that it opens for that, and which closes by itself."""
        page = self.page
        self.go("login")
        page.locator("#instanceURL").fill(self.site)
        with page.context.expect_page() as opened:
            page.get_by_role("button", name="Continue with").click()
        window = opened.value
        window.get_by_label("Handle or email").fill("alice")
        window.get_by_label("Password", exact=True).fill(PASSWORD)
        window.get_by_role("button", name="Sign in", exact=True).click()
        with window.expect_event("close"):
            window.get_by_role("button", name="Allow", exact=True).click()

    @property
    def composer(self) -> Locator:
        return self.page.locator("#compose-container")

    def write(self, text: str, *, picture: Path | None = None, audience: str = "") -> None:
        self.composer.locator("textarea[name=status]").fill(text)
        if picture:
            field = self.composer.locator(".compose-footer input[type=file]").first
            field.set_input_files(str(picture))
            # It takes the description from the file, and takes no form before it has read that.
            expect(self.composer.locator(".media-attachments textarea")).not_to_be_empty()
        if audience:
            self.composer.locator("select[name=visibility]").select_option(audience)

    def send(self) -> None:
        self.page.wait_for_timeout(500)  # it reads the picture without a sign of it
        with self.page.expect_response(_is_of_a_post):
            self.composer.locator("button[type=submit]").click()
        expect(self.composer).to_have_count(0)

    def compose(self) -> None:
        self.page.mouse.wheel(0, -10_000)  # its button hides from those who read on
        self.page.locator("#compose-button").click()

    def new_post(self, text: str, **more: Any) -> None:
        self.compose()
        self.write(text, **more)
        self.send()

    def post(self, name: str) -> Locator:
        """Opens a post, and returns it."""
        self.go(f"{self.site}/s/{name}")
        opened = self.page.locator(".status-deck .status.large").last
        expect(opened).to_be_visible()
        return opened

    def press(self, button: Locator, words: str | re.Pattern[str]) -> None:
        """Presses a button, and what its menu offers. What it draws anew closes a menu, so this opens it again."""
        offered = self.page.get_by_role("menuitem", name=words).last
        for _ in range(5):
            button.click()
            with suppress(AssertionError):
                expect(offered).to_be_visible(timeout=3000)
                break
        offered.click()


@pytest.fixture
def app(
    table, phanpy, settings, browser_type, browser_type_launch_args, tmp_path
) -> Iterator[Phanpy]:
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    settings.WHITENOISE_USE_FINDERS = settings.WHITENOISE_AUTOREFRESH = True
    with served_over_tls(tmp_path) as (site, trust):
        arguments = [*browser_type_launch_args["args"], trust]
        chromium = browser_type.launch(**browser_type_launch_args | {"args": arguments})
        context = chromium.new_context(service_workers="block")
        context.set_default_timeout(SECONDS_TO_FAIL * 1000)
        one = Phanpy(context.new_page(), phanpy, site)
        yield one
        one.page.screenshot(path=tmp_path / "end.png")
        chromium.close()


def posts_of(viewer) -> list[PostCard]:
    return list(list_posts(get_user_info(viewer.user_id, viewer=viewer), viewer=viewer).items)


def test_a_day_with_it(alice, bob, app, worker, upload, tmp_path, media):
    follow(by=alice, user_id=bob.user_id)
    portrait = SimpleUploadedFile("bob.jpg", camera_jpeg())
    change_pictures(by=bob, uploads={Kind.AVATAR: portrait})
    first, *_others = [post(bob, f"Number {number}") for number in range(POSTS)]
    publish_post(
        by=bob,
        content="For my followers",
        nonce=ids.new_id(),
        audience=Audience.FOLLOWERS,
        photos=[upload(bob).photo_id],
    )
    name = f"{first}{bob.user_id}"
    picture = tmp_path / "cat.jpg"
    picture.write_bytes(camera_jpeg())
    page = app.page

    # It signs in, and shows home to its end, with bob's picture and a photo that is not for everyone.
    app.sign_in()
    expect(page.get_by_text("For my followers")).to_be_visible()
    photo = page.locator("img[src*='/api/photos/']").first
    expect(photo).to_be_visible()
    photo.evaluate("(img) => img.decode()")
    assert photo.evaluate(IS_SHOWN)
    avatar = page.locator("img[src*='/media/avatars/']").first
    assert avatar.evaluate(IS_SHOWN)
    page.get_by_text(f"Number {POSTS - 18}", exact=True).scroll_into_view_if_needed()
    expect(page.get_by_text("Number 0", exact=True)).to_be_attached()

    # Posts with a photo, for everyone and for followers, and with a poll.
    app.new_post("Look at #cats", picture=picture)
    app.new_post("My followers alone", picture=picture, audience="private")
    app.compose()
    app.write("Tea?")
    app.composer.locator(".toolbar-button:has([data-icon=poll])").first.click()
    page.get_by_placeholder("Choice 1").fill("Yes")
    page.get_by_placeholder("Choice 2").fill("No")
    app.send()
    asked, closed, look = posts_of(alice)
    assert [choice.text for choice in asked.poll.choices] == ["Yes", "No"]
    assert (closed.audience, len(closed.photos)) == (Audience.FOLLOWERS, 1)
    assert (look.text, look.photos[0].alt) == ("Look at #cats", "my living room")
    own = f"{look.post_id}{alice.user_id}"

    # An answer, a like, a repost, and saving.
    opened = app.post(name)
    opened.locator(".reply-button").click()
    app.write("Indeed")
    app.send()
    expect(page.locator(".status-deck").get_by_text("Indeed")).to_be_visible()
    (branch,) = get_conversation(first, bob.user_id, viewer=bob).branches
    assert branch.chain[0].card.text == "Indeed"
    with page.expect_response(re.compile("/favourite$")):
        opened.get_by_title("Like", exact=True).click()
    with page.expect_response(re.compile("/reblog$")):
        app.press(opened.locator(".reblog-button"), "Boost")
    with page.expect_response(re.compile("/bookmark$")):
        opened.get_by_title("Bookmark", exact=True).click()
    for button in (".favourite-button", ".reblog-button", ".bookmark-button"):
        expect(opened.locator(f"{button}.checked")).to_be_visible()
    assert [one.post_id for one in list_liked(alice.card, viewer=alice).items] == [first]
    assert [one.post.post_id for one in list_saved_posts(alice).items] == [first]
    assert posts_of(alice)[0].post_id == first

    # What she is told, and what she finds.
    like_post(by=bob, post_id=look.post_id, author_id=alice.user_id)
    repost(by=bob, post=Pointer(look.post_id, alice.user_id))
    wait_until(lambda: len(list_notifications(alice).items) == 2, seconds=SECONDS_TO_FAIL)
    app.go("notifications")
    expect(page.get_by_text("boosted & liked your post")).to_be_visible()
    app.go("search?q=cats")
    expect(page.locator("#search-page").get_by_text("Look at")).to_be_visible()
    app.go("search?q=@bob")
    expect(page.locator("#search-page").get_by_text("Bob Brandt").first).to_be_visible()

    # Editing and deleting.
    opened = app.post(own)
    app.press(opened.locator(".more-button"), "Edit")
    app.write("Look at #dogs")
    app.send()
    expect(opened.get_by_text("#dogs")).to_be_visible()
    edited = posts_of(alice)[-1]
    assert (edited.text, bool(edited.edited_at), len(edited.photos)) == ("Look at #dogs", True, 1)
    app.press(opened.locator(".more-button"), "Delete…")
    page.get_by_role("menuitem", name="Delete this post?").click()
    expect(page.get_by_text("Post deleted")).to_be_visible()
    left = [one.post_id for one in posts_of(alice)]
    assert left == [first, asked.post_id, closed.post_id]

    # It signs out, and its token with it.
    assert len(tokens_of(alice)) == 1
    app.go("")
    page.get_by_role("button", name="Menu").first.click()
    page.get_by_role("menuitem", name="Accounts").click()
    app.press(page.locator("#accounts-container .more-button"), "Log out…")
    with page.expect_response(re.compile("/oauth/revoke$")):
        page.get_by_role("menuitem", name="Log out @alice").first.click()
    assert tokens_of(alice) == []
    # It asks whether another host has the API, and goes on where nobody says so.
    assert app.failed == ["net::ERR_FAILED /.well-known/host-meta"]
