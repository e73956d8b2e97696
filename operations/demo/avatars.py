"""Small generated pictures of people: faces, animals, flowers, hills and patterns. Lengths are shares of the side, so
that any size looks the same."""

import io
import math
import random
from collections.abc import Callable

from PIL import Image
from PIL.ImageDraw import Draw, ImageDraw

from operations.demo.content import Palette, colours

LINES = "#211a29"
Box = tuple[float, float, float, float]


def circle(x: float, y: float, radius: float, side: int, flat: float = 1.0) -> Box:
    """The box around a circle, or around an ellipse that is `flat` times as high."""
    high = radius * flat
    return ((x - radius) * side, (y - high) * side, (x + radius) * side, (y + high) * side)


def draw_face(rng: random.Random, draw: ImageDraw, palette: Palette, side: int) -> None:
    """A friendly person with shoulders, hair, and perhaps glasses."""
    skin, hair = rng.choice(colours().skins), rng.choice((*colours().hairs, palette.colours[0]))
    shirt = rng.choice(palette.colours)
    style = rng.choice(("short", "long", "bun", "curls", "cap", "bald", "scarf"))
    y = 0.47
    if style == "long":
        box = (0.24 * side, 0.18 * side, 0.76 * side, 0.84 * side)
        draw.rounded_rectangle(box, 0.25 * side, fill=hair)
    elif style == "bun":
        draw.ellipse(circle(0.5, 0.17, 0.1, side), fill=hair)
    elif style == "scarf":
        hair = palette.colours[2] if palette.colours[2] != shirt else palette.colours[0]
        draw.ellipse(circle(0.5, 0.5, 0.29, side, 1.15), fill=hair)
    elif style == "curls":
        for step in range(11):
            turn = math.pi * (0.9 + step * 0.12)
            place = (0.5 + 0.23 * math.cos(turn), 0.43 + 0.22 * math.sin(turn))
            draw.ellipse(circle(*place, 0.1, side), fill=hair)
    draw.ellipse(circle(0.5, 1.08, 0.4, side, 0.85), fill=shirt)
    neck = (0.42 * side, 0.6 * side, 0.58 * side, 0.82 * side)
    draw.rounded_rectangle(neck, 0.08 * side, fill=hair if style == "scarf" else skin)
    if style == "scarf":
        draw.ellipse(circle(0.5, 0.76, 0.2, side, 0.5), fill=hair)
    else:
        for x in (0.275, 0.725):
            draw.ellipse(circle(x, y + 0.03, 0.045, side), fill=skin)
    draw.ellipse(circle(0.5, y, 0.225, side, 1.13), fill=skin)
    draw_hair(draw, style, hair if style != "cap" else palette.colours[2], side)
    draw_features(rng, draw, (y + 0.02, 0.085), LINES, side)
    if rng.random() < 0.3:
        draw_glasses(draw, y + 0.02, LINES, side)


def draw_hair(draw: ImageDraw, style: str, hair: str, side: int) -> None:
    """The part of the hair, or the cap, that lies in front of the head."""
    if style in ("short", "long"):
        draw.chord(circle(0.5, 0.44, 0.245, side), 168, 322, fill=hair)
        draw.chord(circle(0.5, 0.44, 0.245, side), 248, 372, fill=hair)
    elif style == "bun":
        draw.chord(circle(0.5, 0.44, 0.245, side), 192, 348, fill=hair)
    elif style == "curls":
        for x, y in ((0.36, 0.28), (0.45, 0.25), (0.55, 0.25), (0.64, 0.28)):
            draw.ellipse(circle(x, y, 0.075, side), fill=hair)
    elif style == "cap":
        draw.chord(circle(0.5, 0.4, 0.25, side, 0.95), 180, 360, fill=hair)
        brim = (0.22 * side, 0.365 * side, 0.78 * side, 0.415 * side)
        draw.rounded_rectangle(brim, 0.025 * side, fill=hair)


def draw_features(
    rng: random.Random, draw: ImageDraw, place: tuple[float, float], dark: str, side: int
) -> None:
    """Eyes, cheeks and a smile; `place` is how low and how far apart the eyes are."""
    y, apart = place
    width = round(0.016 * side)
    wink = rng.random() < 0.12
    happy = rng.random() < 0.25
    for x in (0.5 - apart, 0.5 + apart):
        if happy or (wink and x > 0.5):
            draw.arc(circle(x, y + 0.01, 0.032, side), 200, 340, fill=dark, width=width)
        else:
            draw.ellipse(circle(x, y, 0.024, side), fill=dark)
            draw.ellipse(circle(x + 0.008, y - 0.009, 0.007, side), fill="#ffffff")
        cheek = x + (0.045 if x > 0.5 else -0.045)
        draw.ellipse(circle(cheek, y + 0.07, 0.032, side, 0.7), fill="#f0908a")
    if rng.random() < 0.35:
        draw.chord(circle(0.5, y + 0.075, 0.06, side), 10, 170, fill=dark)
    else:
        draw.arc(circle(0.5, y + 0.06, 0.06, side), 20, 160, fill=dark, width=width)


def draw_glasses(draw: ImageDraw, y: float, dark: str, side: int) -> None:
    """Round glasses."""
    width = round(0.013 * side)
    for x in (0.415, 0.585):
        draw.ellipse(circle(x, y, 0.065, side), outline=dark, width=width)
    draw.arc(circle(0.5, y, 0.022, side), 190, 350, fill=dark, width=width)


def draw_animal(rng: random.Random, draw: ImageDraw, palette: Palette, side: int) -> None:
    """A cat, a bear, a rabbit or a fox, seen from the front."""
    kind = rng.choice(("cat", "bear", "rabbit", "fox"))
    coats = ("#f2a65a", "#8d6e63", "#cfd2d6", "#fff4e6", "#5d576b", "#d98c5f")
    coat = "#e8773a" if kind == "fox" else rng.choice(coats)
    inner = "#f7b8b0"
    face = "#fff6ea" if coat != "#fff4e6" else "#fbe3cc"
    draw.ellipse(circle(0.5, 1.1, 0.36, side, 0.9), fill=coat)
    for sign in (-1, 1):
        if kind == "bear":
            draw.ellipse(circle(0.5 + sign * 0.2, 0.31, 0.095, side), fill=coat)
            draw.ellipse(circle(0.5 + sign * 0.2, 0.31, 0.05, side), fill=inner)
        elif kind == "rabbit":
            draw.ellipse(circle(0.5 + sign * 0.12, 0.24, 0.07, side, 2.7), fill=coat)
            draw.ellipse(circle(0.5 + sign * 0.12, 0.25, 0.035, side, 3.8), fill=inner)
        else:
            for scale, fill in ((1.0, coat), (0.6, inner)):
                tip, near, far = (0.28, 0.17), (0.38, 0.38), (0.24, 0.47)
                mid = (0.3, 0.36)
                points = [
                    (
                        (0.5 + sign * (mid[0] + (x - mid[0]) * scale - 0.5)) * side,
                        (mid[1] + (y - mid[1]) * scale) * side,
                    )
                    for x, y in (tip, (near[0] + 0.08, near[1] - 0.05), far)
                ]
                draw.polygon(points, fill=fill)
    draw.ellipse(circle(0.5, 0.54, 0.28, side, 0.9), fill=coat)
    if kind == "fox":
        for sign in (-1, 1):
            draw.ellipse(circle(0.5 + sign * 0.13, 0.65, 0.13, side, 0.85), fill=face)
    draw.ellipse(circle(0.5, 0.645, 0.12, side, 0.8), fill=face)
    draw_snout(draw, kind, palette.dark, side)
    if rng.random() < 0.4:
        draw.rounded_rectangle(
            (0.3 * side, 0.79 * side, 0.7 * side, 0.87 * side),
            0.04 * side,
            fill=rng.choice(palette.colours),
        )


def draw_snout(draw: ImageDraw, kind: str, dark: str, side: int) -> None:
    """Eyes, nose, mouth, and whiskers where they belong."""
    width = round(0.014 * side)
    for x in (0.385, 0.615):
        draw.ellipse(circle(x, 0.51, 0.034, side), fill=LINES)
        draw.ellipse(circle(x + 0.011, 0.498, 0.011, side), fill="#ffffff")
    draw.ellipse(circle(0.5, 0.6, 0.034, side, 0.75), fill=LINES)
    for x in (0.465, 0.535):
        draw.arc(circle(x, 0.645, 0.036, side), 10, 170, fill=LINES, width=width)
    if kind == "cat":
        for sign in (-1, 1):
            for low in (0.0, 0.04):
                start = (0.5 + sign * 0.18) * side, (0.62 + low) * side
                end = (0.5 + sign * 0.33) * side, (0.6 + low * 2) * side
                draw.line((*start, *end), fill=dark, width=width // 2 + 1)


def draw_flower(rng: random.Random, draw: ImageDraw, palette: Palette, side: int) -> None:
    """One large flower with two rings of petals."""
    outer, inner, heart = rng.sample(palette.colours, 3)
    petals = rng.choice((6, 7, 8, 9, 10))
    start = rng.random() * math.pi
    for fill, far, size in ((outer, 0.26, 1.0), (inner, 0.15, 0.62)):
        radius = min(0.16, 0.95 / petals) * size
        for petal in range(petals):
            turn = start + math.tau * petal / petals + (0 if size == 1 else math.pi / petals)
            place = (0.5 + far * math.cos(turn), 0.5 + far * math.sin(turn))
            draw.ellipse(circle(*place, radius, side), fill=fill)
        draw.ellipse(circle(0.5, 0.5, far * 0.95, side), fill=fill)
    draw.ellipse(circle(0.5, 0.5, 0.1, side), fill=heart)


def warmth(colour: str) -> int:
    """How much more red than blue a colour holds."""
    return int(colour[1:3], 16) - int(colour[5:7], 16)


def draw_hills(rng: random.Random, draw: ImageDraw, palette: Palette, side: int) -> None:
    """Three ranges of hills below a sun or a moon."""
    sun = max(palette.colours, key=warmth)
    hills = rng.sample([colour for colour in palette.colours if colour != sun], 3)
    x, y = rng.uniform(0.25, 0.75), rng.uniform(0.22, 0.4)
    radius = rng.uniform(0.09, 0.15)
    draw.ellipse(circle(x, y, radius, side), fill=sun)
    for level, fill in enumerate(hills):
        base = 0.52 + level * 0.15
        waves = [(rng.uniform(3, 8), rng.random() * math.tau, 0.05 / (n + 1)) for n in range(2)]
        ridge = [
            (
                step / 48 * side,
                (base + sum(h * math.sin(f * step / 48 + p) for f, p, h in waves)) * side,
            )
            for step in range(49)
        ]
        draw.polygon([(0, side), *ridge, (side, side)], fill=fill)


def draw_tiles(rng: random.Random, draw: ImageDraw, palette: Palette, side: int) -> None:
    """Four by four quarter circles and discs."""
    count = rng.choice((3, 4))
    cell = side / count
    for row in range(count):
        for column in range(count):
            ground, front = rng.sample(palette.colours, 2)
            x, y = column * cell, row * cell
            draw.rectangle((x, y, x + cell, y + cell), fill=ground)
            shape = rng.randrange(6)
            if shape < 4:
                # A pie around a corner of the cell: only its quarter inside the cell is drawn.
                corner_x, corner_y = x + cell * (shape in (1, 2)), y + cell * (shape in (2, 3))
                box = (corner_x - cell, corner_y - cell, corner_x + cell, corner_y + cell)
                draw.pieslice(box, shape * 90, shape * 90 + 90, fill=front)
            elif shape == 4:
                edge = cell * 0.2
                draw.ellipse((x + edge, y + edge, x + cell - edge, y + cell - edge), fill=front)


def draw_rings(rng: random.Random, draw: ImageDraw, palette: Palette, side: int) -> None:
    """Rings around a point, like those of a tree or of a stone in the water."""
    x, y = rng.uniform(0.3, 0.7), rng.uniform(0.3, 0.7)
    colours = rng.sample(palette.colours, 4)
    radius = 0.62
    step = 0
    while radius > 0.04:
        draw.ellipse(circle(x, y, radius, side), fill=colours[step % 4])
        radius -= rng.uniform(0.06, 0.11)
        step += 1


def draw_bubbles(rng: random.Random, draw: ImageDraw, palette: Palette, side: int) -> None:
    """Large and small discs that overlap."""
    for size in (0.3, 0.24, 0.2, 0.15, 0.12, 0.09, 0.07, 0.05):
        place = (rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.9))
        draw.ellipse(circle(*place, size, side), fill=rng.choice(palette.colours))


SIDE = 256
# Shapes are drawn larger and then made smaller, which gives them smooth edges.
SCALE = 2
QUALITIES = (82, 60, 35)
MOST_BYTES = 8192

Motif = Callable[[random.Random, ImageDraw, Palette, int], None]
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
    motif(rng, Draw(image), palette, side)
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
