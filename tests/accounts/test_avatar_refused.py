"""Uploads that are no acceptable picture: a message beside the field, the text kept, nothing stored."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from accounts.people.cards import Kind
from accounts.people.reads import get_user_info
from accounts.profile.writes import BadImage, reencode
from socialsite.pictures.limits import MEGABYTES, MOST_BYTES
from tests.accounts.pictures import camera_jpeg, clear_png, encode, halves, hollow_png
from tests.web.html import Html

ROOT = Path(__file__).resolve().parents[2]
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
    "postscript": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(x) run\n",
}
BOMBS = {"too many pixels": (8_000, 5_001), "bomb": (60_000, 60_000), "no width": (0, 10)}


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
    assert "couldn’t use that picture" in fails(BAD[kind])


@pytest.mark.parametrize("kind", BOMBS)
def test_what_says_it_is_of_another_size_than_it_is_is_refused(fails, kind):
    assert "couldn’t use that picture" in fails(hollow_png(*BOMBS[kind]))


def test_a_file_of_too_many_bytes_is_refused(fails):
    assert f"{MEGABYTES} MB" in fails(b"\xff\xd8\xff" + b"x" * MOST_BYTES)


def test_an_empty_file_is_refused(fails):
    assert "empty" in fails(b"")


def test_as_many_pixels_as_allowed_are_fine(alice, log_in, upload):
    large = encode(Image.new("L", (8_000, 5_000)), "PNG")
    assert upload(log_in(alice), large).status_code == 302


# Runs the decoder as the site does and says what memory it needed. Not `getrusage`: its peak is carried
# over from the process that was forked, which is the test runner.
MEASURED = """
import runpy, sys
sys.argv = ["child", "avatar"]
try:
    runpy.run_module("socialsite.pictures.child", run_name="__main__")
finally:
    lines = open("/proc/self/status").read().splitlines()
    print(next(line.split()[1] for line in lines if line.startswith("VmHWM")), file=sys.stderr)
"""


def decode(upload: Path) -> tuple[bytes, int]:
    """What the process that decodes an upload says about it, and its most memory in KB."""
    child = subprocess.run(
        [sys.executable, "-c", MEASURED],
        cwd=ROOT,
        stdin=upload.open("rb"),
        capture_output=True,
        timeout=60,
    )
    said = child.stderr.decode().splitlines()
    return child.stdout, next(int(line) for line in said if line.isdigit())


def seconds_of_children() -> float:
    """How long processors have worked for processes that this one started, whatever else they did."""
    spent = os.times()
    return spent.children_user + spent.children_system


def test_the_process_that_decodes_a_picture_gets_no_environment(monkeypatch, tmp_path):
    told = tmp_path / "tells-its-environment"
    told.write_text(f"#!/bin/sh\nenv > {tmp_path}/environment\n")
    told.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(told))
    with pytest.raises(BadImage):
        reencode(Kind.AVATAR, io.BytesIO())
    lines = (tmp_path / "environment").read_text().splitlines()
    names = {line.partition("=")[0] for line in lines}
    assert names <= {"PWD", "OLDPWD", "SHLVL", "_"}  # which the shell makes itself


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process its own peak")
def test_a_bomb_is_refused_quickly_and_in_little_memory(tmp_path):
    (tmp_path / "bomb").write_bytes(hollow_png(*BOMBS["bomb"]))
    begun = seconds_of_children()
    said, memory = decode(tmp_path / "bomb")
    assert said == b'{"refused": "pixels"}\n'
    assert memory < 150 * 1024
    assert seconds_of_children() - begun < 2


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
