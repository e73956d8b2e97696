"""Sending a photo: made anew, private, once however often it is sent, and refused with a sentence that helps."""

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from photos import writes
from photos.files import NAMES, read_file
from photos.models import READY
from photos.reads import get_photos
from socialsite.clock import utc_now
from socialsite.pictures import decoding
from socialsite.pictures.limits import MOST_BYTES
from socialsite.table import Unavailable, ids
from socialsite.web import limits
from tests.accounts.pictures import camera_jpeg, encode, halves, hollow_png
from tests.conftest import HTMX
from tests.photos.conftest import files_in
from tests.web.html import Html

HEIC = b"\x00\x00\x00\x18ftypheic" + bytes(40)


def send(browser, content: bytes | None = None, headers=None, **form):
    file = SimpleUploadedFile("me.jpg", camera_jpeg() if content is None else content)
    return browser.post("/photos", {"photo": file} | form, headers=headers)


def test_a_photo_is_made_anew_in_three_sizes_and_one_to_share(alice, upload, folder):
    photo = upload(alice, encode(halves((2400, 1200)), "JPEG", quality=95), description="Halves")
    assert (photo.width, photo.height, photo.state, photo.alt) == (1600, 800, READY, "Halves")
    sizes = {}
    for name in NAMES:
        image = Image.open(io.BytesIO(read_file("private", photo.secret, name)))
        sizes[name] = (image.format, image.size)
    assert sizes == {
        "1600.webp": ("WEBP", (1600, 800)),
        "share.jpg": ("JPEG", (1200, 600)),
        "960.webp": ("WEBP", (960, 480)),
        "480.webp": ("WEBP", (480, 240)),
    }
    assert len(photo.thumbhash) == 28
    assert photo.ttl > utc_now()


def test_it_stands_upright_and_says_nothing_about_its_camera_and_place(alice, upload):
    photo = upload(alice)
    assert (photo.width, photo.height) == (400, 600)
    for name in NAMES:
        content = read_file("private", photo.secret, name)
        image = Image.open(io.BytesIO(content))
        assert not image.getexif()
        assert not image.info.get("comment")
        assert b"SecretCam" not in content


def test_sent_again_with_the_same_id_it_is_the_same_photo(alice, log_in, folder):
    browser, photo_id = log_in(alice), ids.new_id()
    answers = [send(browser, photo_id=photo_id, headers=HTMX) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    for answer in answers:
        assert Html(answer).value("photo") == photo_id
    assert len(files_in(folder)) == len(NAMES) + 1


def test_a_different_file_never_takes_the_place_of_a_photo(alice, upload):
    photo_id = ids.new_id()
    first = upload(alice, photo_id=photo_id)
    before = read_file("private", first.secret, "480.webp")
    upload(alice, encode(halves((50, 50)), "PNG"), photo_id=photo_id)
    assert read_file("private", first.secret, "480.webp") == before


def test_a_sending_that_was_cut_off_goes_on_under_the_same_secret(alice, upload, monkeypatch):
    photo_id = ids.new_id()

    def fail(*_: object) -> None:
        raise Unavailable("the storage is gone")

    with monkeypatch.context() as broken:
        broken.setattr(writes, "save_files", fail)
        with pytest.raises(Unavailable):
            upload(alice, photo_id=photo_id)
    assert get_photos(alice, [photo_id]) == []
    photo = upload(alice, photo_id=photo_id)
    assert [one.secret for one in get_photos(alice, [photo_id])] == [photo.secret]
    assert read_file("private", photo.secret, "960.webp")


@pytest.mark.parametrize(
    "photo_id", ["", "x", "00000000000000000000000000", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"]
)
def test_an_id_that_no_browser_made_just_now_is_replaced(alice, upload, photo_id):
    assert upload(alice, photo_id=photo_id).photo_id != photo_id


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (HEIC, "HEIC"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "JPEG, PNG, WebP or GIF"),
        (camera_jpeg()[:600], "damaged"),
        (hollow_png(20_000, 20_000), "40 million"),
        (encode(Image.new("L", (1, 30)), "PNG"), "40 million"),
        (b"", "damaged"),
        (bytes(MOST_BYTES + 1), "larger than 20 MB"),
    ],
    ids=["heic", "svg", "cut off", "bomb", "too long", "empty", "too large"],
)
@pytest.mark.parametrize("headers", [None, HTMX], ids=["page", "htmx"])
def test_what_cannot_be_used_is_refused_with_a_sentence(
    alice, log_in, folder, content, sentence, headers
):
    answer = send(log_in(alice), content, headers=headers, description="my words")
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    if headers is None:
        assert "my words" in answer.content.decode()
    assert files_in(folder) == []


def test_no_file_is_refused_beside_the_field(alice, log_in):
    answer = log_in(alice).post("/photos", {"description": "words"})
    assert answer.status_code == 422
    assert "Choose a photo." in answer.content.decode()


def test_when_both_slots_are_taken_the_page_says_come_back(alice, log_in, folder, monkeypatch):
    monkeypatch.setattr(decoding, "PATIENCE", 0.0)
    with decoding.slot(), decoding.slot():
        answer = send(log_in(alice))
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert send(log_in(alice)).status_code == 302


def test_uploads_are_limited(alice, log_in, folder, monkeypatch):
    monkeypatch.setattr("photos.views.PHOTOS", limits.Limit("photos", 1, 10 * 365 * 86_400))
    browser = log_in(alice)
    assert send(browser).status_code == 302
    assert send(browser).status_code == 429
