"""Whatever strangers send, what comes out is small, upright, in sRGB and the site's own work, or nothing does."""

import io
import time
from contextlib import suppress

import pytest
from PIL import Image, ImageCms

from socialsite.pictures import child, decoding
from socialsite.pictures.decoding import PictureRefused, PicturesBusy, make_pictures
from tests.accounts.pictures import GREEN, camera_jpeg, clear_png, encode, halves
from tests.injected.rotation import share
from tests.pictures.hostile import EITHER, REFUSED, SCRIPT, TAKEN, as_file, oriented, scans


@pytest.fixture(autouse=True)
def machine_with_other_work(monkeypatch) -> None:
    """The child's own bounds are what counts here, not how fast it may run beside other tests."""
    monkeypatch.setattr(decoding, "SECONDS", 60)
    monkeypatch.setattr(decoding, "PATIENCE", 90)


# Each picture is made in a process of its own, so a run tries a share of them, others each time.
LEFT, RIGHT = (0.2, 0.5), (0.8, 0.5)


def shown(content: bytes, name: str = "960.webp") -> Image.Image:
    return Image.open(io.BytesIO(make_pictures(as_file(content), "photo").files[name]))


def colour_at(image: Image.Image, place: tuple[float, float]) -> str:
    found = image.convert("RGB").getpixel((image.width * place[0], image.height * place[1]))
    return ("red", "green", "blue")[found.index(max(found))]


def test_there_are_eighty_kinds():
    assert len(REFUSED) + len(TAKEN) + len(EITHER) >= 80


@pytest.mark.parametrize("kind", share(REFUSED, one_of=4, salt="refused"))
def test_what_cannot_be_shown_is_refused_for_its_reason(kind):
    reason, make = REFUSED[kind]
    upload, start = as_file(make()), time.monotonic()
    with pytest.raises(PictureRefused) as refused:
        make_pictures(upload, "photo")
    assert refused.value.reason == reason
    assert time.monotonic() - start < 80


def test_hundreds_of_scans_are_ended_by_the_bounds():
    """By that of processor time, or on a machine that does much else by that of time."""
    with pytest.raises((PictureRefused, PicturesBusy)):
        make_pictures(as_file(scans(600)), "photo")


@pytest.mark.parametrize("kind", share(EITHER, one_of=3, salt="either"))
def test_broken_pictures_become_small_ones_or_none(kind):
    with suppress(PictureRefused):
        made = make_pictures(as_file(EITHER[kind]()), "photo")
        assert (made.width, made.height) == (99, 99)


@pytest.mark.parametrize("kind", share(TAKEN, one_of=3, salt="taken"))
def test_odd_pictures_become_plain_ones(kind):
    made = make_pictures(as_file(TAKEN[kind]()), "photo")
    for name, content in made.files.items():
        image = Image.open(io.BytesIO(content))
        assert image.format == ("JPEG" if name.endswith("jpg") else "WEBP")
        assert not getattr(image, "is_animated", False)
        assert not image.getexif()
        assert not {"icc_profile", "xmp", "comment", "exif"} & image.info.keys()
        assert (colour_at(image, LEFT), colour_at(image, RIGHT)) == ("red", "blue")
        assert SCRIPT not in content
        assert b"PK\x03\x04" not in content


@pytest.mark.parametrize("value", share([*range(10), 60_000], one_of=2, salt="orientations"))
def test_pictures_stand_upright_however_the_camera_was_held(value):
    made = make_pictures(as_file(oriented(value)), "photo")
    image = Image.open(io.BytesIO(made.files["1600.webp"]))
    # Where red is, once what the camera says is followed; odd values mean nothing.
    red = {1: LEFT, 2: RIGHT, 3: RIGHT, 4: LEFT, 5: (0.5, 0.2), 6: (0.5, 0.2)}
    place = (red | {7: (0.5, 0.8), 8: (0.5, 0.8)}).get(value, LEFT)
    assert image.size == (made.width, made.height)
    assert (image.width < image.height) == (value in (5, 6, 7, 8))
    assert colour_at(image, place) == "red"


def test_no_place_and_no_camera_is_kept():
    for content in make_pictures(as_file(camera_jpeg()), "photo").files.values():
        for secret in (b"SecretCam", b"living room", b"comment of mine", b"Exif"):
            assert secret not in content


def wide_profile() -> bytes:
    """An RGB profile that is not sRGB: with the primaries of Display P3."""
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    # In sRGB the red primary is (0.4361, 0.2225, 0.0139) of D50; in Display P3 (0.5151, 0.2412, -0.0011).
    swapped = srgb
    for old, new in (
        ((0.43607, 0.22249, 0.01392), (0.51512, 0.24120, -0.00105)),
        ((0.38515, 0.71687, 0.09708), (0.29198, 0.69225, 0.04189)),
        ((0.14307, 0.06061, 0.71410), (0.15710, 0.06657, 0.78407)),
    ):
        swapped = _swap(swapped, old, new)
    return swapped


def _swap(profile: bytes, old: tuple[float, ...], new: tuple[float, ...]) -> bytes:
    def fixed(values: tuple[float, ...]) -> list[int]:
        return [round(value * 65536) for value in values]

    for start in range(0, len(profile) - 20):
        if profile[start : start + 4] == b"XYZ ":
            found = [
                int.from_bytes(profile[start + 8 + 4 * n : start + 12 + 4 * n], "big", signed=True)
                for n in range(3)
            ]
            if all(abs(one - other) < 200 for one, other in zip(found, fixed(old), strict=True)):
                body = b"".join(one.to_bytes(4, "big", signed=True) for one in fixed(new))
                return profile[: start + 8] + body + profile[start + 20 :]
    raise AssertionError("the profile has no such primary")


@pytest.mark.parametrize("recipe", ["photo", "avatar"])
def test_colours_of_a_wide_gamut_are_turned_into_srgb(recipe):
    """Without that, a photo of an iPhone turns pale: its (200, 60, 60) is a stronger red than that of sRGB."""
    flat = encode(Image.new("RGB", (400, 400), (200, 60, 60)), "PNG", icc_profile=wide_profile())
    made = make_pictures(as_file(flat), recipe)
    image = Image.open(io.BytesIO(next(iter(made.files.values())))).convert("RGB")
    red, green, blue = image.getpixel((100, 100))
    assert red > 208
    assert green < 55
    assert blue < 60


def test_what_is_clear_stays_clear_and_is_white_where_it_is_shared():
    image = shown(clear_png())
    assert image.mode == "RGBA"
    assert image.getpixel((10, 10))[3] == 0
    shared = shown(clear_png(), "share.jpg")
    assert min(shared.getpixel((10, 10))) > 250
    assert all(
        abs(one - other) < 40 for one, other in zip(shared.getpixel((150, 150)), GREEN, strict=True)
    )


@pytest.mark.parametrize("shade", [0, 20_000, 40_000, 65_535])
def test_sixteen_bits_become_the_same_shade_in_eight(shade):
    grey = Image.new("I;16", (100, 100), shade)
    assert abs(shown(encode(grey, "PNG")).convert("L").getpixel((50, 50)) - shade // 256) < 6


@pytest.mark.parametrize("mode", ["1", "L", "LA"])
def test_pictures_without_colours_are_taken(mode):
    assert shown(encode(halves(mode=mode), "PNG")).size == (600, 400)


def test_nothing_is_enlarged():
    made = make_pictures(as_file(encode(halves((100, 60)), "PNG")), "photo")
    assert {Image.open(io.BytesIO(one)).size for one in made.files.values()} == {(100, 60)}


def test_as_many_pixels_as_allowed_fit_into_the_bounds():
    noise = Image.effect_noise((2000, 1250), 80).resize((8000, 5000))
    kinds = (("JPEG", {}), ("WEBP", {"quality": 20, "method": 0}), ("PNG", {}))
    for kind, options in share(kinds, one_of=3, salt="large pictures"):
        mode = "RGBA" if kind == "PNG" else "RGB"
        large = Image.new(mode, (8000, 5000)) if kind == "PNG" else noise.convert(mode)
        made = make_pictures(as_file(encode(large, kind, **options)), "photo")
        assert (made.width, made.height) == (1600, 1000)


def test_the_child_bounds_itself():
    assert child.MEMORY <= 704 * 1024 * 1024
    assert child.SECONDS <= 5
