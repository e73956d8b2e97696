"""Uploads that are no acceptable picture: a message beside the field, the text kept, nothing stored."""

import os
import subprocess
import sys
import time

import pytest
from PIL import Image

from accounts.access_patterns import get_user_info
from tests.accounts.pictures import camera_jpeg, clear_png, encode, halves, hollow_png
from tests.web.html import Html

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
BAD = {
    "gif": encode(halves(), "GIF"),
    "bmp": encode(halves((40, 40)), "BMP"),
    "tiff": encode(halves((40, 40)), "TIFF"),
    "ico": encode(halves((40, 40)), "ICO"),
    "svg": SVG,
    "text": b"I am not a picture",
    "html": b"<!doctype html><script>alert(1)</script>",
    "truncated jpeg": camera_jpeg()[:2000],
    "truncated png": clear_png()[:200],
    "only the head": clear_png()[:8],
    "jpeg head on text": b"\xff\xd8\xff\xe0" + b"not a jpeg" * 40,
    "too many pixels": hollow_png(5_000, 4_001),
    "bomb": hollow_png(60_000, 60_000),
    "no width": hollow_png(0, 10),
    "postscript": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(x) run\n",
}


@pytest.fixture
def fails(alice, log_in, upload, media):
    """`fails(content)`: refused beside the field, with everything as it was. Returns the message."""
    browser = log_in(alice)

    def check(content: bytes) -> str:
        response = upload(browser, content, bio="typed at length")
        page = Html(response)
        assert response.status_code == 422
        assert page.value("bio") == "typed at length"
        assert not [file for file in media.rglob("*") if file.is_file()]
        card = get_user_info(alice.user_id)
        assert (card.avatar_url, card.name) == ("", "Alice Archer")
        return page.error("avatar")

    return check


@pytest.mark.parametrize("kind", BAD)
def test_what_is_no_acceptable_picture_is_refused(fails, kind):
    assert "not a picture that can be used" in fails(BAD[kind])


def test_a_file_of_too_many_bytes_is_refused(fails, settings):
    assert "5 MB" in fails(b"\xff\xd8\xff" + b"x" * settings.AVATAR_MAX_BYTES)


def test_an_empty_file_is_refused(fails):
    assert "empty" in fails(b"")


def test_as_many_pixels_as_allowed_are_fine(alice, log_in, upload):
    large = encode(Image.new("L", (5_000, 4_000)), "PNG")
    assert upload(log_in(alice), large).status_code == 302


def test_a_bomb_is_refused_quickly_and_in_little_memory(settings):
    """The very process that decodes uploads, measured alone: others may have needed more."""
    start = time.monotonic()
    child = subprocess.Popen(
        [sys.executable, "-m", "accounts.avatars", str(settings.AVATAR_MAX_PIXELS)],
        cwd=settings.BASE_DIR,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    assert child.stdin
    child.stdin.write(BAD["bomb"])
    child.stdin.close()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode != 0
    assert time.monotonic() - start < 2
    assert usage.ru_maxrss < 150 * 1024  # KB


def test_a_refused_picture_leaves_the_old_one(alice, log_in, upload, media):
    browser = log_in(alice)
    upload(browser, clear_png())
    before = get_user_info(alice.user_id).avatar_url
    assert upload(browser, b"no picture").status_code == 422
    assert get_user_info(alice.user_id).avatar_url == before
    assert browser.get(before).status_code == 200


def test_other_mistakes_of_the_form_store_no_picture(alice, log_in, upload, media):
    response = upload(log_in(alice), clear_png(), bio="b" * 501)
    assert response.status_code == 422
    assert not [file for file in media.rglob("*") if file.is_file()]
