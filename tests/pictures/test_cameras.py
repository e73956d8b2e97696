"""What the cameras and programs of people make is taken, and what of it can be seen stays."""

import io

import pytest
from PIL import Image

from socialsite.pictures.decoding import PictureRefused, make_pictures
from socialsite.pictures.limits import MEGAPIXELS, MEGAPIXELS_OF_A_JPEG
from tests.accounts.pictures import encode
from tests.pictures.hostile import as_file

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
