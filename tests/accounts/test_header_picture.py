"""The wide picture at the top of one's profile: cut, encoded anew, shown there alone, and gone with its files."""

import io
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from accounts.people.reads import get_user_info
from accounts.people.restrictions import Restriction
from relations.blocks.writes import block
from relations.follows.writes import follow
from socialsite.pictures.limits import MEGABYTES, MOST_BYTES
from tests.accounts.pictures import camera_jpeg, clear_png, encode, halves, hollow_png
from tests.accounts.test_avatar import files, near
from tests.accounts.test_avatar_refused import BAD, BOMBS
from tests.conftest import HTMX, post
from tests.moderation.restricting import restrict
from tests.web.html import Html

WHITE = (255, 255, 255)


@pytest.fixture
def send(media):
    """`send(browser, content)`: saves the profile with a header picture."""

    def post_form(browser: Client, content: bytes, **form: object):
        fields = {"name": "Alice", "header": SimpleUploadedFile("wide.png", content)}
        return browser.post("/settings/profile", fields | form)

    return post_form


def shown(viewer, browser: Client | None = None) -> list[str]:
    """The addresses in the picture at the top of the profile, the largest first; none if there is none."""
    page = Html((browser or Client()).get(f"/@{viewer.card.handle}"))
    covers = page.all("img", class_="cover")
    return re.findall(r"\S+\.webp", covers[0]["src"] + " " + covers[0]["srcset"]) if covers else []


def opened(address: str) -> Image.Image:
    response = Client().get(address)
    assert response.status_code == 200
    return Image.open(io.BytesIO(b"".join(response.streaming_content)))


@pytest.mark.parametrize(
    "content",
    [camera_jpeg(), clear_png(), encode(halves((16, 900)), "WEBP"), encode(halves((3000, 40)), "PNG")],
    ids=["turned jpeg", "clear png", "tall webp", "panorama"],
)  # fmt: skip
def test_every_common_picture_becomes_two_wide_ones(alice, log_in, send, media, content):
    response = send(log_in(alice), content)
    assert (response.status_code, response["Location"]) == (302, "/@alice")
    large, small, also_large = shown(alice)
    assert large == also_large
    assert [opened(one).size for one in (large, small)] == [(1500, 500), (750, 250)]
    assert sorted(f"/media/{name}" for name in files(media)) == sorted([large, small])


def test_nothing_of_the_file_but_the_picture_is_kept(alice, log_in, send, media):
    send(log_in(alice), clear_png())
    assert near(opened(shown(alice)[0]), (5, 5), WHITE)
    for file in files(media):
        assert re.fullmatch(r"headers/[0-9A-Z]{26}-(1500|750)\.webp", file)
        assert b"my full name" not in (media / file).read_bytes()


def test_its_place_is_kept_and_it_is_no_more_than_decoration(alice, log_in, send):
    send(log_in(alice), camera_jpeg())
    cover = Html(Client().get("/@alice")).one("img", class_="cover")
    assert (cover["width"], cover["height"], cover["alt"]) == ("1500", "500", "")
    assert "loading" not in cover.attributes
    assert {"srcset", "sizes"} <= cover.attributes.keys()


def test_without_one_there_is_a_band_of_ones_colour(alice):
    page = Html(Client().get("/@alice"))
    assert page.one("div", class_="cover")
    assert not page.all("img", class_="cover")


def test_a_new_one_deletes_the_files_of_the_one_before(alice, log_in, send, media):
    browser = log_in(alice)
    send(browser, clear_png())
    before = files(media)
    send(browser, camera_jpeg())
    after = files(media)
    assert len(before) == len(after) == 2
    assert not set(before) & set(after)


def test_removing_it_deletes_its_files_and_not_the_other_picture(alice, log_in, send, media):
    browser = log_in(alice)
    send(browser, clear_png(), avatar=SimpleUploadedFile("me.png", clear_png()))
    addresses = shown(alice)
    for _ in range(2):
        form = {"name": "Alice", "remove_header": "on"}
        assert browser.post("/settings/profile", form).status_code == 302
    assert [file.split("/")[0] for file in files(media)] == ["avatars"]
    assert shown(alice) == []
    assert {browser.get(address).status_code for address in addresses} == {404}


def test_saving_without_a_file_keeps_it(alice, log_in, send, media):
    browser = log_in(alice)
    send(browser, clear_png())
    before = shown(alice)
    browser.post("/settings/profile", {"name": "Another name"}, headers=HTMX)
    assert shown(alice) == before
    assert len(files(media)) == 2


def test_it_can_be_removed_only_where_there_is_one(alice, log_in, send):
    browser = log_in(alice)
    assert not Html(browser.get("/settings/profile")).all("input", name="remove_header")
    send(browser, clear_png())
    page = Html(browser.get("/settings/profile"))
    assert page.one("input", name="remove_header")
    assert page.one("img", class_="cover")


@pytest.mark.parametrize("kind", ["gif", "svg", "truncated jpeg", "bomb", "postscript"])
def test_what_is_no_acceptable_picture_is_refused_and_changes_nothing(
    alice, log_in, send, media, kind
):
    browser = log_in(alice)
    send(browser, clear_png())
    before = files(media)
    good = SimpleUploadedFile("me.png", clear_png())
    bad = hollow_png(*BOMBS[kind]) if kind in BOMBS else BAD[kind]
    response = send(browser, bad, bio="typed at length", avatar=good)
    page = Html(response)
    assert response.status_code == 422
    assert "couldn’t use that picture" in page.error("header")
    assert page.value("bio") == "typed at length"
    assert files(media) == before
    assert (get_user_info(alice.user_id).avatar_url, get_user_info(alice.user_id).bio) == ("", "")


def test_a_file_of_too_many_bytes_is_refused(alice, log_in, send, media):
    response = send(log_in(alice), b"\xff\xd8\xff" + b"x" * MOST_BYTES)
    assert response.status_code == 422
    assert f"{MEGABYTES} MB" in Html(response).error("header")
    assert files(media) == []


def test_it_does_not_touch_that_of_someone_else(alice, bob, log_in, send, media):
    send(log_in(alice), clear_png())
    before = shown(alice)
    send(log_in(bob), clear_png(), user_id=alice.user_id)
    log_in(bob).post("/settings/profile", {"name": "Bob", "remove_header": "on"})
    assert shown(alice) == before
    assert shown(bob) == []


def test_a_frozen_person_gets_no_new_one(alice, log_in, send, media):
    restrict(alice, Restriction.FROZEN)
    assert send(log_in(alice), clear_png()).status_code == 403
    assert files(media) == []


def test_it_shows_on_the_profile_alone(alice, bob, log_in, send):
    send(log_in(alice), clear_png())
    post_id = post(alice)
    follow(by=alice, user_id=bob.user_id)
    follow(by=bob, user_id=alice.user_id)
    for path in ("/", f"/@alice/posts/{post_id}", "/@bob/followers", "/local", "/explore"):
        assert "/media/headers/" not in log_in(bob).get(path).content.decode(), path


def test_it_is_hidden_with_the_person(alice, bob, carol, log_in, send):
    send(log_in(alice), clear_png())
    block(by=alice, user_id=bob.user_id)
    assert "/media/headers/" not in log_in(bob).get("/@alice").content.decode()
    assert shown(alice, log_in(carol))
    restrict(alice, Restriction.SUSPENDED)
    assert "/media/headers/" not in log_in(carol).get("/@alice").content.decode()
