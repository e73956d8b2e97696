"""Real pictures, made as cameras and attackers make them."""

import io
import struct
import zlib

from PIL import Image

RED, GREEN, BLUE = (220, 20, 20), (20, 160, 20), (20, 20, 220)
ORIENTATION, GPS, MAKER, DESCRIPTION = 0x0112, 0x8825, 0x010F, 0x010E


def encode(image: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def halves(size: tuple[int, int] = (600, 400), mode: str = "RGB") -> Image.Image:
    """Red on the left, blue on the right."""
    image = Image.new("RGB", size, RED)
    image.paste(BLUE, (size[0] // 2, 0, *size))
    return image.convert(mode)


def camera_jpeg() -> bytes:
    """A photo taken with the camera turned: only its EXIF says which way is up, and where it was."""
    exif = Image.Exif()
    exif[ORIENTATION] = 6  # to be turned clockwise by a quarter
    exif[MAKER] = "SecretCam"
    exif[DESCRIPTION] = "my living room"
    exif.get_ifd(GPS).update({1: "N", 2: (47.0, 22.0, 11.0), 3: "E", 4: (8.0, 32.0, 22.0)})
    return encode(halves(), "JPEG", exif=exif, comment=b"a comment of mine", quality=95)


def clear_png() -> bytes:
    """Fully transparent but for a green square in the middle, with text inside the file."""
    from PIL.PngImagePlugin import PngInfo

    image = Image.new("RGBA", (300, 300), (0, 0, 0, 0))
    image.paste((*GREEN, 255), (100, 100, 200, 200))
    notes = PngInfo()
    notes.add_text("Author", "my full name")
    return encode(image, "PNG", pnginfo=notes)


def hollow_png(width: int, height: int) -> bytes:
    """A PNG that says it is this large and holds next to nothing: a decompression bomb if zlib is asked."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    packer = zlib.compressobj(9)
    row = b"\0" * min(1 + width * 3, 200_000)  # what the header says is enough
    rows = min(height, 2000)
    # All rows but the first are packed into the same bytes, so that they need not be packed again and again.
    first, other = (packer.compress(row) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    sum_of_zeros = struct.pack(">I", len(row) * rows % 65_521 << 16 | 1)
    data = first + other * (rows - 1) + zlib.compressobj(9, wbits=-15).flush() + sum_of_zeros
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in ((b"IHDR", header), (b"IDAT", data), (b"IEND", b""))
    )
