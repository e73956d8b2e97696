"""Pictures that attackers make, and odd ones that cameras and programs make. What each becomes stands beside it."""

import io
import struct
import zlib
from collections.abc import Callable

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from tests.accounts.pictures import camera_jpeg, clear_png, encode, halves, hollow_png

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
