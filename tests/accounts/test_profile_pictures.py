"""One's picture and header: cut, encoded anew, refused beside the field, also in S3."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from accounts.models import UserInfo
from accounts.people.cards import Kind, files_of
from accounts.people.reads import get_user_info
from accounts.people.restrictions import Restriction
from accounts.profile.writes import BadImage, change_pictures, reencode
from relations.blocks.writes import block
from relations.follows.writes import follow
from socialsite.pictures.limits import MEGABYTES, MOST_BYTES
from socialsite.process_state import reset_process_state
from socialsite.table import get, keys
from tests.accounts.pictures import (
    BLUE,
    GREEN,
    RED,
    camera_jpeg,
    clear_png,
    encode,
    halves,
    hollow_png,
)
from tests.buckets import objects, s3
from tests.conftest import HTMX, post
from tests.injected.faults import denied_bucket
from tests.moderation.cases import restrict
from tests.together import together
from tests.web.html import Html


def files(media) -> list[str]:
    return sorted(str(file.relative_to(media)) for file in media.rglob("*") if file.is_file())


def stored(viewer) -> Image.Image:
    response = Client().get(get_user_info(viewer.user_id).avatar_url)
    assert response.status_code == 200
    return Image.open(io.BytesIO(b"".join(response.streaming_content)))


def near(image: Image.Image, place: tuple[int, int], colour: tuple[int, int, int]) -> bool:
    found = image.convert("RGB").getpixel(place)
    return all(abs(one - other) < 40 for one, other in zip(found, colour, strict=True))


@pytest.mark.parametrize(
    "content",
    [
        camera_jpeg(),
        clear_png(),
        encode(halves(), "WEBP"),
        encode(halves((16, 16)), "PNG"),
        encode(halves(mode="L"), "PNG"),
        encode(halves(mode="P"), "PNG"),
        encode(halves(mode="CMYK"), "JPEG"),
        encode(halves(mode="1"), "PNG"),
        encode(halves((3000, 40)), "PNG"),
    ],
    ids=["jpeg", "png", "webp", "tiny", "grey", "palette", "cmyk", "bitmap", "panorama"],
)
def test_every_common_picture_becomes_a_square_webp(alice, log_in, upload, content):
    browser = log_in(alice)
    response = upload(browser, content)
    assert (response.status_code, response["Location"]) == (302, "/@alice")
    image = stored(alice)
    assert (image.format, image.size, getattr(image, "n_frames", 1)) == ("WEBP", (256, 256), 1)
    url = get_user_info(alice.user_id).avatar_url
    assert f'src="{url}"' in browser.get("/@alice").content.decode()


def test_a_turned_photo_stands_upright(alice, log_in, upload):
    upload(log_in(alice), camera_jpeg())
    image = stored(alice)
    assert near(image, (128, 10), RED)
    assert near(image, (128, 245), BLUE)


def test_nothing_of_the_file_but_the_picture_is_kept(alice, log_in, upload, media):
    for content in (camera_jpeg(), clear_png()):
        assert upload(log_in(alice), content).status_code == 302
        image = stored(alice)
        assert not image.getexif()
        assert not set(image.info) & {"exif", "xmp", "icc_profile", "comment", "Author"}
        (file,) = files(media)
        kept = (media / file).read_bytes()
        for secret in (b"SecretCam", b"living room", b"comment of mine", b"my full name", b"EXIF"):
            assert secret not in kept


def test_transparency_becomes_white(alice, log_in, upload):
    upload(log_in(alice), clear_png())
    image = stored(alice)
    assert near(image, (5, 5), (255, 255, 255))
    assert near(image, (128, 128), GREEN)


def test_the_name_that_was_sent_is_not_kept(alice, log_in, upload, media):
    upload(log_in(alice), clear_png(), name="../../alice at the beach.php")
    (file,) = files(media)
    assert file.startswith("avatars/")
    assert file.endswith(".webp")
    assert "beach" not in file


def test_a_new_picture_deletes_the_old_file(alice, log_in, upload, media):
    browser = log_in(alice)
    upload(browser, clear_png())
    before = files(media)
    upload(browser, camera_jpeg())
    after = files(media)
    assert len(before) == len(after) == 1
    assert before != after


def test_removing_the_picture_deletes_its_file(alice, log_in, upload, media):
    browser = log_in(alice)
    upload(browser, clear_png())
    url = get_user_info(alice.user_id).avatar_url
    for _ in range(2):
        form = {"name": "Alice", "remove_avatar": "on"}
        assert browser.post("/settings/profile", form).status_code == 302
    assert files(media) == []
    assert get_user_info(alice.user_id).avatar_url == ""
    assert browser.get(url).status_code == 404


def test_saving_without_a_file_keeps_the_picture(alice, log_in, upload, media):
    browser = log_in(alice)
    upload(browser, clear_png())
    browser.post("/settings/profile", {"name": "Another name"})
    assert len(files(media)) == 1
    assert get_user_info(alice.user_id).avatar_url


def test_a_picture_does_not_touch_somebody_elses(alice, bob, log_in, upload, media):
    upload(log_in(bob), clear_png())
    upload(log_in(alice), clear_png())
    assert len(files(media)) == 2
    assert get_user_info(bob.user_id).avatar_url != get_user_info(alice.user_id).avatar_url


@pytest.mark.engines("embedded", "dynamodb-local", reason="moto holds no writes apart")
@pytest.mark.parametrize("kind", Kind)
def test_pictures_sent_at_once_leave_the_files_of_one(alice, media, kind):
    pictures = [clear_png(), camera_jpeg()] * 2
    for _ in range(3):
        together(
            *(
                partial(change_pictures, by=alice, uploads={kind: io.BytesIO(picture)})
                for picture in pictures
            )
        )
    kept = files_of(getattr(get(UserInfo, keys.user_info(alice.user_id)), kind))
    assert files(media) == sorted(kept.values())


# Uploads that are no acceptable picture: a message beside the field, the text kept, nothing stored.

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
        reencode(Kind.AVATAR, io.BytesIO(), user_id="")
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


# With a bucket set, pictures live in S3 and pages point there.

not_on_moto = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto's own S3 is started here"
)


@pytest.fixture
def bucket(in_bucket, settings) -> Iterator[str]:
    name = in_bucket("default", querystring_auth=False)
    settings.MEDIA_BUCKET = name
    reset_process_state()
    yield name
    reset_process_state()


def upload(browser, **fields):
    picture = SimpleUploadedFile("me.jpg", camera_jpeg())
    return browser.post("/settings/profile", {"name": "Alice", "avatar": picture} | fields)


@not_on_moto
def test_a_picture_is_stored_in_the_bucket_and_shown_from_there(alice, log_in, bucket):
    browser = log_in(alice)
    assert upload(browser).status_code == 302
    (name,) = objects(bucket)
    address = get_user_info(alice.user_id).avatar_url
    assert address.startswith("https://")
    assert address.endswith(name)
    assert address in browser.get("/@alice").content.decode()


@not_on_moto
def test_the_picture_before_is_deleted_from_the_bucket(alice, log_in, bucket):
    browser = log_in(alice)
    upload(browser)
    old = objects(bucket)
    upload(browser)
    assert len(objects(bucket)) == 1
    assert objects(bucket) != old
    browser.post("/settings/profile", {"name": "Alice", "remove_avatar": "on"})
    assert objects(bucket) == []


@not_on_moto
def test_a_header_picture_is_two_objects_of_the_bucket_and_goes_from_there(alice, log_in, bucket):
    browser = log_in(alice)
    wide = SimpleUploadedFile("wide.jpg", camera_jpeg())
    assert upload(browser, avatar="", header=wide).status_code == 302
    large, small = objects(bucket)
    page = browser.get("/@alice").content.decode()
    assert f"{large} 1500w" in page
    assert f"{small} 750w" in page
    upload(browser, avatar="", remove_header="on")
    assert objects(bucket) == []


@not_on_moto
def test_while_the_bucket_cannot_answer_a_picture_is_for_later(alice, log_in, bucket):
    s3().delete_bucket(Bucket=bucket)
    response = upload(log_in(alice))
    assert response.status_code == 503
    assert int(response["Retry-After"]) > 0
    assert not get_user_info(alice.user_id).avatar_url


@not_on_moto
def test_a_site_that_may_not_write_to_the_bucket_says_when_to_come_back(alice, log_in, bucket):
    with denied_bucket(default_storage):
        response = upload(log_in(alice))
    assert response.status_code == 503
    assert int(response["Retry-After"]) > 0
    assert not get_user_info(alice.user_id).avatar_url


@not_on_moto
def test_a_site_that_may_not_delete_keeps_the_old_file_and_shows_the_new_one(
    alice, log_in, bucket, caplog
):
    browser = log_in(alice)
    upload(browser)
    with denied_bucket(default_storage):
        answer = browser.post("/settings/profile", {"name": "Alice", "remove_avatar": "on"})
    assert answer.status_code == 302
    assert not get_user_info(alice.user_id).avatar_url
    assert "when calling the DeleteObject operation: Access Denied" in caplog.text


# The wide picture at the top of one's profile: cut, encoded anew, shown there alone, and gone with its files.

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


def test_nothing_of_the_file_but_the_header_picture_is_kept(alice, log_in, send, media):
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


def test_a_header_picture_of_too_many_bytes_is_refused(alice, log_in, send, media):
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
