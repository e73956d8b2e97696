"""What scenes are put together from: skies, ridges, trees, houses, light. Places are shares of width and height."""

import math
import random
from collections.abc import Iterable, Sequence
from itertools import pairwise

from PIL import Image, ImageDraw, ImageFilter, ImageOps

from operations.demo.avatars import blend

Point = tuple[float, float]
Colour = tuple[int, int, int]


def mixed(first: str, second: str, share: float) -> str:
    red, green, blue = blend(first, second, max(0.0, min(1.0, share)))
    return f"#{red:02x}{green:02x}{blue:02x}"


def scaled(image: Image.Image, points: Iterable[Point]) -> list[Point]:
    return [(x * image.width, y * image.height) for x, y in points]


def box(
    image: Image.Image, left: float, top: float, right: float, bottom: float
) -> tuple[float, float, float, float]:
    return left * image.width, top * image.height, right * image.width, bottom * image.height


def sky(image: Image.Image, colours: Sequence[str], *, until: float = 1.0) -> None:
    """A ground that runs through these colours, from the top down to `until`."""
    rows = 64
    column = Image.new("RGB", (1, rows))
    for row in range(rows):
        place = row / (rows - 1) * (len(colours) - 1)
        first = min(int(place), len(colours) - 2)
        column.putpixel((0, row), blend(colours[first], colours[first + 1], place - first))
    image.paste(column.resize((image.width, round(image.height * until)), Image.Resampling.BICUBIC))


def glow(
    image: Image.Image, x: float, y: float, radius: float, colour: str, most: float = 0.8
) -> None:
    """Light that fades from a point."""
    light = ImageOps.invert(Image.radial_gradient("L")).point(
        [max(0, (v - 74) * 255 // 181) * most for v in range(256)]
    )
    side = round(radius * 2 * image.width)
    mask = light.resize((side, side))
    corner = round(x * image.width - side / 2), round(y * image.height - side / 2)
    image.paste(Image.new("RGB", (side, side), colour), corner, mask)


def disc(image: Image.Image, x: float, y: float, radius: float, colour: str) -> None:
    high = radius * image.width / image.height
    ImageDraw.Draw(image).ellipse(
        box(image, x - radius, y - high, x + radius, y + high), fill=colour
    )


def shadow(image: Image.Image, x: float, y: float, wide: float, high: float) -> None:
    """A soft dark ellipse on the ground."""
    small = Image.new("L", (image.width // 8, image.height // 8))
    ImageDraw.Draw(small).ellipse(box(small, x - wide, y - high, x + wide, y + high), fill=150)
    mask = small.filter(ImageFilter.GaussianBlur(6)).resize(image.size)
    image.paste("#1c1512", (0, 0, *image.size), mask)


def wave(rng: random.Random, y: float, high: float, times: float) -> list[Point]:
    start = rng.random() * math.tau
    return [(x / 60, y + high * math.sin(start + times * x / 9)) for x in range(61)]


def ridge(
    rng: random.Random,
    image: Image.Image,
    y: float,
    high: float,
    colour: str,
    *,
    until: float,
    sharp: bool,
) -> None:
    """A row of mountains; sharp ones are broken lines."""
    heights = [rng.uniform(-1, 1) for _ in range(2)]
    while len(heights) < 257:  # midpoints, moved less each time
        rough = high * (2 / len(heights)) ** (0.75 if sharp else 1.3)
        heights = [
            h
            for a, b in pairwise(heights)
            for h in (a, (a + b) / 2 + rng.gauss(0, 1) * rough / high)
        ] + heights[-1:]
    line = [(i / (len(heights) - 1), y - h * high) for i, h in enumerate(heights)]
    ImageDraw.Draw(image).polygon(scaled(image, [*line, (1, until), (0, until)]), fill=colour)


def mirror(image: Image.Image, shore: float) -> None:
    """The picture above the shore, upside down and darker below it, with slow waves."""
    edge = round(shore * image.height)
    high = image.height - edge
    above = ImageOps.flip(
        image.crop((0, edge - high if edge > high else 0, image.width, edge)).resize(
            (image.width, high)
        )
    )
    water = Image.blend(
        above.filter(ImageFilter.GaussianBlur(5)), Image.new("RGB", above.size, "#14204a"), 0.28
    )
    rippled = water.copy()
    for row in range(0, high, 4):
        move = round(math.sin(row / 17 + (row / 60) ** 2) * (2 + row / 55))
        rippled.paste(water.crop((0, row, image.width, row + 4)), (move, row))
    image.paste(rippled, (0, edge))


def trees(rng: random.Random, image: Image.Image, y: float, high: float, colour: str) -> None:
    """A row of pines on uneven ground."""
    draw = ImageDraw.Draw(image)
    x = -0.02
    while x < 1.02:
        tall, foot = high * rng.uniform(0.6, 1.25), y + rng.uniform(0, 0.02)
        wide = tall * 0.2
        for step in range(6):
            top, base = foot - tall + tall * step * 0.15, foot - tall + tall * (0.3 + step * 0.14)
            half = wide * (0.25 + step * 0.17)
            draw.polygon(scaled(image, [(x, top), (x + half, base), (x - half, base)]), fill=colour)
        x += wide * rng.uniform(0.5, 1.1)
    draw.rectangle(box(image, 0, y, 1, 1), fill=colour)


def mist(image: Image.Image, y: float, colour: str) -> None:
    band = Image.linear_gradient("L").resize((image.width, round(0.16 * image.height)))
    image.paste(
        colour,
        (0, round(y * image.height), image.width, round(y * image.height) + band.height),
        band.point([min(v, 255 - v) * 1.1 for v in range(256)]),
    )


def stars(rng: random.Random, image: Image.Image, count: int, until: float) -> None:
    draw = ImageDraw.Draw(image)
    for _ in range(count):
        x, y, size = (
            rng.random(),
            rng.random() * until,
            rng.choice((0.0006, 0.0006, 0.0009, 0.0015)),
        )
        shade = mixed("#ffffff", "#7c86c4", rng.random())
        draw.ellipse(box(image, x, y, x + size, y + size * 1.5), fill=shade)


def houses(rng: random.Random, image: Image.Image, y: float, colour: str, *, lit: float) -> None:
    """A street of houses with roofs, of whose windows a share is lit."""
    draw = ImageDraw.Draw(image)
    x = -0.03
    while x < 1:
        wide, top = rng.uniform(0.07, 0.13), y - rng.uniform(0.0, 0.14)
        draw.rectangle(box(image, x, top, x + wide, 1), fill=colour)
        roof = [
            (x - 0.006, top),
            (x + wide / 2, top - rng.uniform(0.03, 0.09)),
            (x + wide + 0.006, top),
        ]
        draw.polygon(scaled(image, roof), fill=mixed(colour, "#000010", 0.25))
        columns = max(2, round(wide / 0.026))
        for row in range(9):
            for column in range(columns):
                left, upper = x + (column + 0.3) * wide / columns, top + 0.025 + row * 0.055
                glass = (
                    mixed("#ffd98a", "#ff9f4a", rng.random())
                    if rng.random() < lit
                    else mixed(colour, "#000010", 0.3)
                )
                draw.rectangle(
                    box(image, left, upper, left + wide / columns * 0.4, upper + 0.026), fill=glass
                )
        x += wide


def cloud(rng: random.Random, image: Image.Image, x: float, y: float) -> None:
    small = Image.new("L", (image.width // 4, image.height // 4))
    draw = ImageDraw.Draw(small)
    for _ in range(9):
        place, size = x + rng.uniform(-0.09, 0.09), rng.uniform(0.02, 0.05)
        draw.ellipse(
            box(small, place - size, y - size * 0.7, place + size, y + size * 0.5), fill=200
        )
    image.paste(
        "#ffffff", (0, 0, *image.size), small.filter(ImageFilter.GaussianBlur(9)).resize(image.size)
    )
