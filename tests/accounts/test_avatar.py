"""One's picture: cut to a square, encoded anew without metadata, and gone with its file when replaced."""

import io
from functools import partial

import pytest
from django.test import Client
from PIL import Image

from accounts.models import UserInfo
from accounts.people.cards import Kind, files_of
from accounts.people.reads import get_user_info
from accounts.profile.writes import change_pictures
from socialsite.table import get, keys
from tests.accounts.pictures import BLUE, GREEN, RED, camera_jpeg, clear_png, encode, halves
from tests.together import together


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
