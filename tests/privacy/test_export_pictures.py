"""The pictures of a profile and the photos of posts are in what a person takes with them."""

import io

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from feed.polls.models import PollWish
from tests.accounts.pictures import camera_jpeg
from tests.conftest import post
from tests.feed.photographs import photo
from tests.feed.quoting import quoted_by
from tests.privacy.exporting import export_of


def test_pictures_come_along(alice, log_in, drain_stream, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    browser: Client = log_in(alice)
    pictures = {name: SimpleUploadedFile("me.jpg", camera_jpeg()) for name in ("avatar", "header")}
    browser.post("/settings/profile", {"name": "Alice"} | pictures)
    unpacked = export_of(alice, drain_stream, browser)
    assert unpacked.bytes("media/avatar.webp")[8:12] == b"WEBP"
    assert 'alt="Picture of Alice"' in unpacked.text("index.html")
    with Image.open(io.BytesIO(unpacked.bytes("media/header.webp"))) as header:
        assert (header.format, header.size) == ("WEBP", (1500, 500))
    (profile,) = unpacked.items("profile")
    assert (profile["picture"], profile["header"]) == ("media/avatar.webp", "media/header.webp")


def test_the_photos_and_the_poll_of_a_quote_come_along(alice, bob, log_in, drain_stream):
    shown, asked = photo(alice, "A heron"), PollWish(("Tea", "Coffee"))
    quoting = quoted_by(alice, bob, post(bob), photos=[shown], poll=asked)
    unpacked = export_of(alice, drain_stream, log_in(alice))
    (told,) = unpacked.items("posts")
    assert (told["id"], told["kind"]) == (quoting, "quote")
    assert told["poll"]["answers"] == ["Tea", "Coffee"]
    (picture,) = unpacked.items("photos")
    assert (picture["post_id"], picture["description"]) == (quoting, "A heron")
    assert unpacked.bytes(picture["file"])
