"""The pictures of a profile are in what a person takes with them."""

import io

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from tests.accounts.pictures import camera_jpeg
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
