"""What that process does: open a picture within bounds, and make the sizes that the site shows."""

import io
import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import BinaryIO

from PIL import Image, ImageChops, ImageCms, WebPImagePlugin  # noqa: F401

from socialsite.pictures.limits import LONGEST_SHAPE, MEGAPIXELS, MEGAPIXELS_OF_A_JPEG

# Pillow looks for a format that it has not yet loaded among all that it knows, some forty more: so WebP is imported.
STILL = ("JPEG", "PNG", "WEBP")
WEBP, JPEG = "WEBP", "JPEG"
WEBP_QUALITY, WEBP_METHOD, JPEG_QUALITY = 80, 4, 82


@dataclass(frozen=True, slots=True)
class Made:
    """One file of a recipe, which fits into a box, or fills it if the recipe crops. Nothing is ever enlarged to fit."""

    name: str
    width: int
    height: int
    format: str = WEBP


@dataclass(frozen=True, slots=True)
class Recipe:
    """The files are in the order of their sizes, the largest first, as each is made from the one before."""

    files: tuple[Made, ...]
    formats: tuple[str, ...] = STILL
    crops: bool = False
    longest_shape: int | None = None  # times as wide as tall, or as tall as wide
    has_hash: bool = False

    @property
    def largest(self) -> tuple[int, int]:
        return self.files[0].width, self.files[0].height


RECIPES = {
    "photo": Recipe(
        (
            Made("1600.webp", 1600, 1600),
            Made("share.jpg", 1200, 1200, JPEG),
            Made("960.webp", 960, 960),
            Made("480.webp", 480, 480),
        ),
        formats=(*STILL, "GIF"),
        longest_shape=LONGEST_SHAPE,
        has_hash=True,
    ),
    # What a copy that the site made itself looks like, for its perceptual hash alone.
    "known": Recipe((Made("512.webp", 512, 512),)),
    "avatar": Recipe((Made("256.webp", 256, 256),), crops=True),
    "header": Recipe((Made("1500.webp", 1500, 500), Made("750.webp", 750, 250)), crops=True),
}

# A picture of 20 to 25 bytes, shown while the real one is on its way: https://evanw.github.io/thumbhash/.
#
# Written from the published algorithm, as the Python package of this name fails for pictures that one can see
# through.

MOST = 100  # pixels each way

Channel = tuple[
    float, list[float], float
]  # the mean, the other frequencies from 0 to 1, their scale


def thumbhash(width: int, height: int, rgba: bytes) -> bytes:
    """Returns the hash of a small picture of 4 bytes a pixel. Raises `ValueError` for a large one."""
    if not 0 < width <= MOST or not 0 < height <= MOST:
        raise ValueError(f"{width}x{height} is too large")
    alphas = [alpha / 255 for alpha in rgba[3::4]]
    colours = [
        _over_mean(rgba[place::4], alphas)  # what shines through is the picture's mean colour
        for place in range(3)
    ]
    pixels = list(zip(*colours, strict=True))
    sees_through = sum(alphas) < width * height
    longest, most = max(width, height), 5 if sees_through else 7
    across, down = (max(1, _round(most * side / longest)) for side in (width, height))

    def encode(channel: Sequence[float], nx: int, ny: int) -> Channel:
        return _frequencies(channel, width, height, nx, ny)

    light = encode([(r + g + b) / 3 for r, g, b in pixels], max(3, across), max(3, down))
    yellow_blue = encode([(r + g) / 2 - b for r, g, b in pixels], 3, 3)
    red_green = encode([r - g for r, g, _ in pixels], 3, 3)
    is_wide = width > height
    head = (
        _round(63 * light[0])
        | _round(31.5 + 31.5 * yellow_blue[0]) << 6
        | _round(31.5 + 31.5 * red_green[0]) << 12
        | _round(31 * light[2]) << 18
        | sees_through << 23
    )
    shape = (
        (down if is_wide else across)
        | _round(63 * yellow_blue[2]) << 3
        | _round(63 * red_green[2]) << 9
        | is_wide << 15
    )
    start = head.to_bytes(3, "little") + shape.to_bytes(2, "little")
    channels = [light, yellow_blue, red_green]
    if sees_through:
        alpha = encode(alphas, 5, 5)
        start += bytes([_round(15 * alpha[0]) | _round(15 * alpha[2]) << 4])
        channels.append(alpha)
    return start + _nibbles([_round(15 * one) for channel in channels for one in channel[1]])


def _over_mean(values: bytes, alphas: Sequence[float]) -> list[float]:
    total = sum(alphas)
    shown = [value / 255 * alpha for value, alpha in zip(values, alphas, strict=True)]
    mean = sum(shown) / total if total else 0.0
    return [mean * (1 - alpha) + one for one, alpha in zip(shown, alphas, strict=True)]


def _frequencies(channel: Sequence[float], width: int, height: int, nx: int, ny: int) -> Channel:
    """Returns the triangle of low frequencies of a discrete cosine transform."""
    across = [
        [math.cos(math.pi / width * cx * (x + 0.5)) for x in range(width)] for cx in range(nx)
    ]
    lines = [channel[start : start + width] for start in range(0, width * height, width)]
    # Each line is taken apart once, not once for each vertical frequency.
    parts = [[sum(map(float.__mul__, line, wave)) for line in lines] for wave in across]
    mean, rest = 0.0, []
    for cy in range(ny):
        wave = [math.cos(math.pi / height * cy * (y + 0.5)) for y in range(height)]
        cx = 0
        while cx * ny < nx * (ny - cy):
            found = sum(map(float.__mul__, parts[cx], wave)) / (width * height)
            if cx or cy:
                rest.append(found)
            else:
                mean = found
            cx += 1
    scale = max(map(abs, rest), default=0.0)
    return mean, [0.5 + 0.5 / scale * one for one in rest] if scale else rest, scale


def _nibbles(values: Sequence[int]) -> bytes:
    even = [*values, 0] if len(values) % 2 else values
    return bytes(low | high << 4 for low, high in zip(even[::2], even[1::2], strict=True))


def _round(value: float) -> int:
    return math.floor(value + 0.5)  # as JavaScript does


# Opens a stranger's picture in the child: upright, in sRGB, small, and without anything that came with it.
#
# The order matters. Sizes are judged by the header, before a pixel is decoded, and colours are converted when
# the picture is small already.

ORIENTATION = 0x112
SHRINK_FIRST = (
    2.0  # times the wanted size, to which whole pixels are averaged before the fine resizing
)
UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
BEGINS = {"JPEG": b"\xff\xd8\xff", "PNG": b"\x89PNG", "WEBP": b"RIFF", "GIF": b"GIF8"}
END = b"\xff\xd9"  # of a JPEG
JPEGS = ("JPEG", "MPO")  # MPO holds several, of which the first is shown
HEIC = {b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1"}


class Refused(Exception):
    """The picture cannot be used. Its text is one of `REASONS` of `decoding.py`."""


def open_small(file: BinaryIO, recipe: Recipe) -> Image.Image:
    """Returns the first frame as RGB or RGBA, a little larger than the recipe needs. Raises `Refused`."""
    Image.MAX_IMAGE_PIXELS = None  # it would only warn up to twice the number
    image = _open(file, recipe)
    width, height = image.size
    is_long = recipe.longest_shape and max(width, height) > recipe.longest_shape * min(
        width, height
    )
    if width * height > _most_pixels(image) or is_long:
        raise Refused("pixels")
    try:
        turned = _orientation(image)
        wanted = recipe.largest if turned < 5 else recipe.largest[::-1]
        enough = wanted if not recipe.crops else _covering(image.size, wanted)
        image = _decoded(image, enough) or _decoded_without_end(file, recipe, enough)
        profile = image.info.get("icc_profile")
        small = _shrink(_plain_mode(image), wanted, crops=recipe.crops)
        small = _in_srgb(small, profile)
        if turned in UPRIGHT:
            small = small.transpose(UPRIGHT[turned])
    except MemoryError as error:
        raise Refused("pixels") from error
    except (OSError, SyntaxError, ValueError, EOFError, ArithmeticError, LookupError) as error:
        raise Refused("damaged") from error
    small.info.clear()  # comments, profiles and positions go no further
    return small


def _open(file: BinaryIO, recipe: Recipe) -> Image.Image:
    start = file.read(16)
    file.seek(0)
    if start[4:8] == b"ftyp" and start[8:12] in HEIC:
        raise Refused("heic")
    try:
        return Image.open(file, formats=recipe.formats)
    except Image.UnidentifiedImageError as error:
        begins = tuple(BEGINS[one] for one in recipe.formats)
        raise Refused("damaged" if start.startswith(begins) else "kind") from error
    except MemoryError as error:
        raise Refused("pixels") from error
    except Exception as error:
        raise Refused("damaged") from error


def _decoded(image: Image.Image, enough: tuple[int, int]) -> Image.Image | None:
    """Returns the picture with its pixels, a JPEG about as small as that is enough; None for a JPEG that ends early."""
    image.draft("RGB", enough)
    try:
        image.load()
    except OSError:
        if image.format not in JPEGS:
            raise
        return None
    return image


def _decoded_without_end(file: BinaryIO, recipe: Recipe, enough: tuple[int, int]) -> Image.Image:
    """Returns a JPEG that lost its end mark alone, as some programs leave it. Raises `Refused` if pixels are missing.

    A decoder draws whatever it is given in place of what is missing. So it is given two fillings: both make the same
    picture of a file that has all its pixels.
    """
    file.seek(0)
    content = file.read().removesuffix(END[:1])
    first, second = (
        _decoded(_open(io.BytesIO(content + filling + END), recipe), enough)
        for filling in (b"", b"\x55" * 64)
    )
    if first is None or second is None or first.tobytes() != second.tobytes():
        raise Refused("damaged")
    return first


def _most_pixels(image: Image.Image) -> int:
    return (MEGAPIXELS_OF_A_JPEG if image.format in JPEGS else MEGAPIXELS) * 1_000_000


def _orientation(image: Image.Image) -> int:
    with suppress(Exception):  # a broken note about the camera breaks no picture
        return int(image.getexif().get(ORIENTATION, 1))
    return 1


def _covering(size: tuple[int, int], box: tuple[int, int]) -> tuple[int, int]:
    """Returns the size that fills the box and has the shape of the picture."""
    scale = max(box[0] / size[0], box[1] / size[1])
    return max(1, round(size[0] * scale)), max(1, round(size[1] * scale))


def _fitting(size: tuple[int, int], box: tuple[int, int]) -> tuple[int, int]:
    """Returns the size that fits into the box and has the shape of the picture. It is never enlarged."""
    scale = min(box[0] / size[0], box[1] / size[1], 1.0)
    return max(1, round(size[0] * scale)), max(1, round(size[1] * scale))


def _plain_mode(image: Image.Image) -> Image.Image:
    """Returns the picture in a mode that can be resized: L, RGB, RGBA or CMYK."""
    if image.mode.startswith("I"):  # 16 bits a pixel, or 32 that hold 16
        return _from_16_bits(image.convert("I"), image.info.get("transparency"))
    if image.mode == "P" or "A" in image.mode or "a" in image.mode:
        sees_through = image.has_transparency_data
        return image.convert("RGBA" if sees_through else "RGB")
    if "transparency" in image.info and image.mode in ("1", "L", "RGB"):
        return image.convert("RGBA")
    if image.mode in ("L", "RGB", "CMYK"):
        return image
    return image.convert("L" if image.mode in ("1", "F") else "RGB")


def _from_16_bits(image: Image.Image, clear: int | None) -> Image.Image:
    """Returns the picture in L, or in RGBA where one shade is to be seen through."""
    grey = image.point(lambda value: value * (1 / 256)).convert("L")
    if clear is None:
        return grey
    # Both are 0 where a pixel is of just that shade: what leaves 0 to 255 is cut off.
    above = image.point(lambda value: value * 1 + -clear).convert("L")
    below = image.point(lambda value: value * -1 + clear).convert("L")
    grey.putalpha(ImageChops.lighter(above, below).point(lambda apart: 255 if apart else 0))
    return grey.convert("RGBA")


def _shrink(image: Image.Image, box: tuple[int, int], *, crops: bool) -> Image.Image:
    size = _covering(image.size, box) if crops else _fitting(image.size, box)
    if size[0] >= image.width and size[1] >= image.height:
        return image
    return image.resize(size, Image.Resampling.LANCZOS, reducing_gap=SHRINK_FIRST)


def _in_srgb(image: Image.Image, profile: bytes | None) -> Image.Image:
    """Converts from the colours of the camera. A profile that cannot be read counts as sRGB."""
    has_alpha = image.mode == "RGBA"
    if profile:
        plain = image.convert("RGB") if has_alpha else image
        with suppress(OSError, ImageCms.PyCMSError, ValueError, TypeError):
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            target = ImageCms.createProfile("sRGB")
            converted = ImageCms.profileToProfile(plain, source, target, outputMode="RGB")
            assert converted is not None
            if has_alpha:
                converted.putalpha(image.getchannel("A"))
            return converted
    return image if has_alpha else image.convert("RGB")
