"""Turns an upload into an avatar. A child process with bounds on memory and time decodes it, cuts it to a square and
encodes it again. So nothing else in the uploaded file (metadata, location, tricks) is kept.

Run as `python -m accounts.avatars MAX_PIXELS`, this module is that child. It reads the upload from standard input and
writes the picture to standard output.
"""

import io
import subprocess
import sys

SIZE = 256  # pixels each way
QUALITY = 80
FORMATS = ("JPEG", "PNG", "WEBP")
MEMORY = 512 * 1024 * 1024  # bytes of address space for the child
SECONDS = 5


class BadImage(Exception):
    """The file cannot be used as an avatar."""


def reencode_avatar(upload: bytes, *, max_pixels: int | None = None) -> bytes:
    """Returns a square WebP picture of at most a few KB. Raises `BadImage`."""
    from django.conf import settings

    pixels = max_pixels or settings.AVATAR_MAX_PIXELS
    try:
        child = subprocess.run(  # noqa: S603 - our own interpreter and module, no shell
            [sys.executable, "-m", "accounts.avatars", str(pixels)],
            input=upload,
            capture_output=True,
            timeout=SECONDS,
            cwd=settings.BASE_DIR,
            env={},  # a flaw in the decoder must not reach the site's keys
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise BadImage("took too long") from error
    if child.returncode != 0 or not child.stdout:
        raise BadImage(child.stderr.decode(errors="replace").strip().rsplit("\n", 1)[-1])
    return child.stdout


def _bound_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows has no such bound, but the pixel cap still holds
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _square_webp(upload: bytes, max_pixels: int) -> bytes:
    from PIL import Image, ImageOps

    Image.MAX_IMAGE_PIXELS = None  # checked here, before anything is decoded
    image = Image.open(io.BytesIO(upload), formats=FORMATS)
    if image.width * image.height > max_pixels:
        raise ValueError("too many pixels")
    image.draft("RGB", (SIZE * 2, SIZE * 2))
    upright = ImageOps.exif_transpose(image)
    square = ImageOps.fit(upright.convert("RGBA"), (SIZE, SIZE))
    flat = Image.new("RGB", (SIZE, SIZE), "white")
    flat.paste(square, mask=square.getchannel("A"))
    out = io.BytesIO()
    flat.save(out, "WEBP", quality=QUALITY, method=4)
    return out.getvalue()


if __name__ == "__main__":
    _bound_memory()
    sys.stdout.buffer.write(_square_webp(sys.stdin.buffer.read(), int(sys.argv[1])))
