"""Small generated pictures of people: faces, animals, flowers, hills and patterns."""

import io
import random
from collections.abc import Callable

from PIL import Image, ImageDraw

from operations.demo.avatar_motifs import (
    draw_animal,
    draw_bubbles,
    draw_face,
    draw_flower,
    draw_hills,
    draw_rings,
    draw_tiles,
)
from operations.demo.content import Palette, colours

SIDE = 256
# Shapes are drawn larger and then made smaller, which gives them smooth edges.
SCALE = 2
QUALITIES = (82, 60, 35)
MOST_BYTES = 8192

Motif = Callable[[random.Random, ImageDraw.ImageDraw, Palette, int], None]
MOTIFS: tuple[tuple[Motif, int], ...] = (
    (draw_face, 30),
    (draw_animal, 20),
    (draw_flower, 12),
    (draw_hills, 14),
    (draw_tiles, 9),
    (draw_rings, 6),
    (draw_bubbles, 9),
)


def draw_avatar(rng: random.Random) -> bytes:
    """Draw a square picture, 256 pixels wide, as WebP."""
    palette = rng.choice(colours().palettes)
    motif = rng.choices([motif for motif, _ in MOTIFS], [weight for _, weight in MOTIFS])[0]
    side = SIDE * SCALE
    image = gradient(palette, side)
    motif(rng, ImageDraw.Draw(image), palette, side)
    return encode_small(image.reduce(SCALE))


def encode_small(image: Image.Image) -> bytes:
    """Encode as WebP, less finely if the file would grow too large."""
    for quality in QUALITIES:
        file = io.BytesIO()
        image.save(file, "WEBP", quality=quality, method=2)
        if file.tell() <= MOST_BYTES:
            break
    return file.getvalue()


def gradient(palette: Palette, side: int) -> Image.Image:
    """A ground that runs from one light colour, above, to another."""
    bands = 32
    column = Image.new("RGB", (1, bands))
    for row in range(bands):
        column.putpixel((0, row), blend(palette.above, palette.below, row / (bands - 1)))
    return column.resize((side, side), Image.Resampling.BILINEAR)


def blend(first: str, second: str, share: float) -> tuple[int, int, int]:
    """Mix two colours, written `#rrggbb`."""
    one, two = (bytes.fromhex(colour[1:]) for colour in (first, second))
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, two, strict=True))
    return red, green, blue
