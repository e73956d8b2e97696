"""Pictures that attackers make, and odd ones that cameras and programs make. What each becomes stands beside it."""

import io
import struct
import time
import zlib
from collections.abc import Callable
from contextlib import suppress

import pytest
from PIL import Image, ImageCms
from PIL.PngImagePlugin import PngInfo

from socialsite.pictures import child, decoding
from socialsite.pictures.decoding import PictureRefused, PicturesBusy, make_pictures
from tests.accounts.pictures import GREEN, camera_jpeg, clear_png, encode, halves, hollow_png
from tests.injected.faults import share

MB = 1024 * 1024
Make = Callable[[], bytes]
SCRIPT = b"<script>alert(1)</script>"


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(*chunks: bytes, after: bytes = b"") -> bytes:
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks) + after


def header(width: int, height: int, bits: int = 8, colour: int = 2) -> bytes:
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, 0))


def with_chunk(kind: bytes, body: bytes) -> bytes:
    """A sound PNG with one more chunk behind its head."""
    whole = encode(halves(), "PNG")
    return whole[:33] + chunk(kind, body) + whole[33:]


def segment(marker: int, body: bytes) -> bytes:
    """A sound JPEG with one more segment at its beginning."""
    whole = encode(halves(), "JPEG", quality=95)
    return whole[:2] + bytes([0xFF, marker]) + struct.pack(">H", len(body) + 2) + body + whole[2:]


def altered(content: bytes, place: int, by: bytes) -> bytes:
    return content[:place] + by + content[place + len(by) :]


def scans(count: int) -> bytes:
    """A progressive JPEG whose last scan comes again and again: each is a pass over the whole picture."""
    whole = encode(Image.effect_noise((3000, 3000), 20), "JPEG", progressive=True, quality=30)
    start = whole.rindex(b"\xff\xda")
    return whole[:-2] + whole[start:-2] * count + whole[-2:]


def animated(kind: str, frames: int = 30) -> bytes:
    others = [Image.new("RGB", (600, 400), (0, 8 * number, 0)) for number in range(frames)]
    return encode(halves(), kind, save_all=True, append_images=others, lossless=True)


def oriented(value: int) -> bytes:
    exif = Image.Exif()
    exif[0x112] = value
    return encode(halves(), "JPEG", exif=exif, quality=95)


def flat(mode: str, size: tuple[int, int], kind: str = "PNG") -> Make:
    return lambda: encode(Image.new(mode, size), kind)


def own(kind: str) -> Make:
    return lambda: encode(halves((40, 40)), kind)


def ftyp(brand: bytes) -> Make:
    return lambda: b"\x00\x00\x00\x18ftyp" + brand + bytes(4) + brand + bytes(2000)


def bomb_in(kind: bytes, start: bytes) -> Make:
    return lambda: with_chunk(kind, start + zlib.compress(bytes(200 * MB), 9))


REFUSED: dict[str, tuple[str, Make]] = {
    "heic": ("heic", ftyp(b"heic")),
    "heic of other cameras": ("heic", ftyp(b"heix")),
    "heif": ("heic", ftyp(b"mif1")),
    "heic sequence": ("heic", ftyp(b"hevc")),
    "avif": ("kind", ftyp(b"avif")),
    "mp4": ("kind", ftyp(b"isom")),
    "nothing": ("kind", lambda: b""),
    "one byte": ("kind", lambda: b"\xff"),
    "text": ("kind", lambda: b"I am not a picture"),
    "html": ("kind", lambda: b"<!doctype html>" + SCRIPT),
    "svg": ("kind", lambda: b'<svg xmlns="http://www.w3.org/2000/svg">' + SCRIPT + b"</svg>"),
    "svg with a bomb of entities": (
        "kind",
        lambda: b'<!DOCTYPE a [<!ENTITY b "c">]><svg>&b;</svg>',
    ),
    "postscript": ("kind", lambda: b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(x) run\n"),
    "pdf": ("kind", lambda: b"%PDF-1.7\n" + SCRIPT),
    "zip": ("kind", lambda: b"PK\x03\x04" + bytes(100)),
    "elf": ("kind", lambda: b"\x7fELF" + bytes(100)),
    "shell": ("kind", lambda: b"#!/bin/sh\ntouch /tmp/owned\n"),
    "imagemagick": ("kind", lambda: b"push graphic-context\nfill 'url(https://x/\"|ls \"-la)'\n"),
    "bmp": ("kind", own("BMP")),
    "tiff": ("kind", own("TIFF")),
    "ico": ("kind", own("ICO")),
    "tga": ("kind", own("TGA")),
    "jpeg 2000": ("kind", own("JPEG2000")),
    "pcx": ("kind", own("PCX")),
    "ppm": ("kind", own("PPM")),
    "sgi": ("kind", own("SGI")),
    "xbm": ("kind", lambda: b"#define x_width 9\n#define x_height 9\nstatic char x_bits[] = {0};"),
    "head of a png": ("damaged", lambda: clear_png()[:8]),
    "cut off png": ("damaged", lambda: clear_png()[:200]),
    "cut off jpeg": ("damaged", lambda: camera_jpeg()[:2000]),
    "half a jpeg": ("damaged", lambda: encode(halves((2000, 2000)), "JPEG")[:20_000]),
    "cut off webp": ("damaged", lambda: encode(halves(), "WEBP")[:-40]),
    "cut off gif": ("damaged", lambda: encode(halves(), "GIF")[:60]),
    "jpeg head on text": ("damaged", lambda: b"\xff\xd8\xff\xe0" + b"not a jpeg" * 40),
    "riff of sound": ("damaged", lambda: b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(40)),
    "png without width": ("damaged", lambda: hollow_png(0, 10)),
    "png of strange bits": ("damaged", lambda: png(header(9, 9, 7, 9), chunk(b"IEND", b""))),
    "png without data": ("damaged", lambda: png(header(9, 9), chunk(b"IEND", b""))),
    "png with a wrong sum": ("damaged", lambda: altered(clear_png(), 29, b"\0\0\0\0")),
    "bomb in the profile": ("damaged", bomb_in(b"iCCP", b"icc\0\0")),
    "text bomb in a png": ("damaged", bomb_in(b"zTXt", b"note\0\0")),
    "bomb of 400 megapixels": ("pixels", lambda: hollow_png(20_000, 20_000)),
    "bomb of 3.6 gigapixels": ("pixels", lambda: hollow_png(60_000, 60_000)),
    "largest sides": ("pixels", lambda: hollow_png(0x7FFFFFFF, 0x7FFFFFFF)),
    "just too many pixels": ("pixels", flat("1", (8001, 5000))),
    "gif of 4 gigapixels": (
        "pixels",
        lambda: altered(encode(halves((9, 9)), "GIF"), 6, b"\xff\xff\xff\xff"),
    ),
    "1 x 40,000": ("pixels", flat("L", (1, 40_000))),
    "40,000 x 1": ("pixels", flat("L", (40_000, 1))),
    "21 times as wide": ("pixels", flat("L", (210, 10))),
}

# Each shows red on the left and blue on the right.
TAKEN: dict[str, Make] = {
    "camera": lambda: oriented(1),
    "progressive": lambda: encode(halves(), "JPEG", progressive=True, quality=95),
    "grey profile on colours": lambda: encode(halves(), "JPEG", icc_profile=b"GRAY" * 40),
    "broken profile": lambda: encode(halves(), "PNG", icc_profile=b"\0" * 200),
    "profile of text": lambda: encode(halves(), "WEBP", icc_profile=SCRIPT, lossless=True),
    "huge profile": lambda: encode(halves(), "PNG", icc_profile=b"x" * MB),
    "script in a comment": lambda: segment(0xFE, SCRIPT),
    "php in exif": lambda: segment(0xE1, b"Exif\0\0<?php system($_GET['c']); ?>"),
    "exif that points at itself": lambda: segment(0xE1, b"Exif\0\0II*\0\x08\0\0\0\xff\xff"),
    "xmp": lambda: segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>" + SCRIPT),
    "photoshop": lambda: segment(0xED, b"Photoshop 3.0\x008BIM\x04\x04" + bytes(30)),
    "mpo index": lambda: segment(0xE2, b"MPF\0II*\0\x08\0\0\0" + bytes(60)),
    "page behind a jpeg": lambda: encode(halves(), "JPEG", quality=95) + b"<html>" + SCRIPT,
    "zip behind a jpeg": lambda: encode(halves(), "JPEG", quality=95) + b"PK\x03\x04" + bytes(99),
    "program behind a png": lambda: encode(halves(), "PNG") + b"\x7fELF" + bytes(99),
    "gif that is javascript": lambda: encode(halves(), "GIF") + b"*/=1;alert(1)",
    "text in a png": lambda: with_chunk(b"tEXt", b"Author\0" + SCRIPT),
    "unknown chunk": lambda: with_chunk(b"evIl", SCRIPT * 1000),
    "endless animation": lambda: animated("GIF"),
    "animated webp": lambda: animated("WEBP"),
    "animated png": lambda: animated("PNG"),
    "cmyk": lambda: encode(halves(mode="CMYK"), "JPEG", quality=95),
    "palette": lambda: encode(halves(mode="P"), "PNG"),
    "see-through palette": lambda: encode(halves(mode="P"), "PNG", transparency=255),
    "alpha": lambda: encode(halves(mode="RGBA"), "PNG"),
    "alpha webp": lambda: encode(halves(mode="RGBA"), "WEBP", lossless=True),
    "lossless webp": lambda: encode(halves(), "WEBP", lossless=True),
    "interlaced note": lambda: encode(halves(), "PNG", pnginfo=PngInfo()),
    "20 times as wide": lambda: encode(halves((1000, 50)), "PNG"),
}


# Pillow may draw what it could read of these, or refuse them.
EITHER: dict[str, Make] = {
    "png whose data is not zlib": lambda: png(
        header(99, 99), chunk(b"IDAT", b"x" * 99), chunk(b"IEND", b"")
    ),
    "png with a chunk of 2 GB": lambda: png(
        header(99, 99), struct.pack(">I", 0x7FFFFFFF) + b"IDAT" + bytes(99)
    ),
}


def as_file(content: bytes) -> io.BytesIO:
    return io.BytesIO(content)


# Whatever strangers send, what comes out is small, upright, in sRGB and the site's own work, or nothing does.


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


@pytest.mark.long
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
