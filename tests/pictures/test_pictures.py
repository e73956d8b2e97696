"""Pictures from many cameras, decoded in few places at once."""

import io
import os
import re
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import pytest
from PIL import Image

from socialsite.pictures import decoding
from socialsite.pictures.decoding import PictureRefused, PicturesBusy, make_pictures, slot
from socialsite.pictures.limits import MEGAPIXELS, MEGAPIXELS_OF_A_JPEG
from tests.accounts.pictures import encode, halves
from tests.pictures.test_hostile_pictures import as_file, scans
from tests.together import together

PHONE = (8160, 6120)  # 50 megapixels


def photo_of(size: tuple[int, int], kind: str = "JPEG", **options: object) -> bytes:
    return encode(Image.linear_gradient("L").resize(size).convert("RGB"), kind, **options)


@pytest.mark.parametrize("recipe", ["photo", "avatar", "header"])
def test_a_photo_of_todays_phones_is_taken(recipe):
    assert make_pictures(as_file(photo_of(PHONE)), recipe).files


def test_the_largest_jpeg_is_decoded_within_the_bounds_even_if_it_holds_all_that_it_can():
    side = int((MEGAPIXELS_OF_A_JPEG * 1_000_000) ** 0.5)
    upload = photo_of((side, side), progressive=True, subsampling=0, quality=90)
    assert make_pictures(as_file(upload), "photo").width == 1600


@pytest.mark.parametrize(("kind", "most"), [("JPEG", MEGAPIXELS_OF_A_JPEG), ("PNG", MEGAPIXELS)])
def test_more_pixels_than_its_kind_may_have_are_refused(kind, most):
    with pytest.raises(PictureRefused, match="pixels"):
        make_pictures(as_file(encode(Image.new("L", (most * 100 + 1, 10_000)), kind)), "photo")


@pytest.mark.parametrize("progressive", [False, True], ids=["baseline", "progressive"])
@pytest.mark.parametrize("lost", [1, 2])
def test_a_jpeg_that_lost_its_end_mark_alone_is_taken(lost, progressive):
    whole = photo_of((900, 600), progressive=progressive)
    assert (
        make_pictures(as_file(whole[:-lost]), "photo").files
        == make_pictures(as_file(whole), "photo").files
    )


@pytest.mark.parametrize("progressive", [False, True], ids=["baseline", "progressive"])
@pytest.mark.parametrize("lost", [20, 2000])
def test_a_jpeg_that_lost_pixels_is_refused(lost, progressive):
    whole = encode(Image.effect_noise((900, 600), 60), "JPEG", progressive=progressive)
    with pytest.raises(PictureRefused, match="damaged"):
        make_pictures(as_file(whole[:-lost]), "photo")


def test_what_is_seen_through_in_a_grey_of_16_bits_stays_so():
    grey = Image.new("I;16", (40, 20), 30_000)
    grey.paste(30_001, (20, 0, 40, 20))
    made = make_pictures(as_file(encode(grey, "PNG", transparency=30_000)), "photo")
    image = Image.open(io.BytesIO(made.files["960.webp"])).convert("RGBA")
    assert image.getpixel((5, 10))[3] < 10
    assert image.getpixel((35, 10))[3] > 245


# Two pictures at once on a machine, however many are sent; and a child that is too slow is ended.


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF"])
def test_no_code_of_other_formats_is_loaded_beside_an_upload(kind, tmp_path):
    """Pillow loads the first five whatever it opens, and all of some forty if it looks for another by name."""
    (tmp_path / "upload").write_bytes(photo_of((64, 64), kind))
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "socialsite.pictures.child", "photo"],
        stdin=(tmp_path / "upload").open("rb"),
        capture_output=True,
        check=True,
    )
    loaded = set(re.findall(rb"PIL\.(\w+)ImagePlugin", done.stderr))
    assert loaded <= {b"Bmp", b"Gif", b"Jpeg", b"Png", b"Ppm", b"WebP"}


def children() -> int:
    """How many children for pictures this process has."""
    found = 0
    for pid in Path("/proc").glob("[0-9]*"):
        try:
            is_ours = f"PPid:\t{os.getpid()}\n" in (pid / "status").read_text()
            found += is_ours and b"socialsite.pictures.child" in (pid / "cmdline").read_bytes()
        except OSError:
            continue
    return found


def test_four_people_who_send_at_once_take_turns_in_two_slots(monkeypatch):
    monkeypatch.setattr(decoding, "PATIENCE", 90)
    monkeypatch.setattr(decoding, "SECONDS", 90)
    picture = encode(halves((2000, 1500)), "JPEG", quality=95)
    most, stop = [0], threading.Event()

    def watch() -> None:
        while not stop.is_set():
            most.append(children())
            time.sleep(0.01)

    watcher = threading.Thread(target=watch)
    watcher.start()
    made = together(*(partial(make_pictures, as_file(picture), "photo") for _ in range(4)))
    stop.set()
    watcher.join()
    assert [(one.width, one.height) for one in made] == [(1600, 1200)] * 4
    assert 1 <= max(most) <= decoding.SLOTS


def test_a_slot_is_free_again_after_an_error(monkeypatch):
    monkeypatch.setattr(decoding, "PATIENCE", 0.0)
    for _ in range(decoding.SLOTS + 1):
        with pytest.raises(ZeroDivisionError), slot():
            raise ZeroDivisionError
    with slot(), slot(), pytest.raises(PicturesBusy), slot():
        pass


def test_a_child_that_is_too_slow_is_ended_and_leaves_its_slot(monkeypatch):
    monkeypatch.setattr(decoding, "SECONDS", 0.01)
    for _ in range(decoding.SLOTS + 1):
        with pytest.raises(PicturesBusy):
            make_pictures(as_file(scans(300)), "photo")
    assert children() == 0
