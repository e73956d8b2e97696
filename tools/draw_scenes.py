"""Draws the pictures that stand for photos in the demo data: lakes, woods, a town at night, bread, a bicycle.

    .venv/bin/python -m tools.draw_scenes

writes operations/demo/data/photos/*.jpg. Lengths are shares of the width or the height: any size looks the same.
"""

import math
import random
from collections.abc import Callable
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw

from tools.scene_parts import (
    box,
    cloud,
    disc,
    glow,
    houses,
    mirror,
    mist,
    mixed,
    ridge,
    scaled,
    shadow,
    sky,
    stars,
    trees,
    wave,
)

FOLDER = Path(__file__).parents[1] / "operations" / "demo" / "data" / "photos"
SIZE = (1280, 853)
SCALE = 2  # drawn larger, then made smaller: smooth edges
QUALITY = 84

Scene = Callable[[random.Random, Image.Image], None]


def draw_scenes() -> None:
    """Writes each scene as a JPEG of some hundred KB. They are the same each time but for the grain."""
    FOLDER.mkdir(exist_ok=True)
    for name, scene in SCENES.items():
        image = Image.new("RGB", (SIZE[0] * SCALE, SIZE[1] * SCALE))
        scene(random.Random(name), image)
        small = image.reduce(SCALE)
        grain = Image.effect_noise(small.size, 14).convert("RGB")
        small = Image.blend(small, ImageChops.overlay(small, grain), 0.35)
        small.save(FOLDER / f"{name}.jpg", quality=QUALITY, progressive=True, optimize=True)


def lake(rng: random.Random, image: Image.Image) -> None:
    """Mountains at dusk, and the same mountains in the water."""
    sky(image, ("#1d2b53", "#7a4e7e", "#f08a6b", "#ffd9a0"), until=0.56)
    glow(image, 0.68, 0.5, 0.3, "#ffe3b0")
    for far, colour in enumerate(("#6f5a86", "#4a4570", "#28305a", "#141d3d")):
        ridge(rng, image, 0.3 + far * 0.07, 0.13 - far * 0.02, colour, until=0.56, sharp=far < 3)
    mirror(image, 0.56)


def pines(rng: random.Random, image: Image.Image) -> None:
    """Woods in the morning, paler with each row."""
    sky(image, ("#cfdcd7", "#e9efe6", "#f6f1e0"))
    glow(image, 0.25, 0.2, 0.35, "#fffbe8")
    for row in range(7):
        colour = mixed("#dbe5df", "#12302a", row / 6)
        trees(rng, image, 0.36 + row * 0.1, 0.09 + row * 0.035, colour)
        if row < 5:
            mist(image, 0.42 + row * 0.1, "#eef3ec")


def town(rng: random.Random, image: Image.Image) -> None:
    """Houses at night with lit windows, below a moon."""
    sky(image, ("#0b1030", "#1d2560", "#44508f"))
    stars(rng, image, 240, 0.55)
    disc(image, 0.78, 0.2, 0.045, "#fdf3d0")
    glow(image, 0.78, 0.2, 0.14, "#fdf3d0", 0.35)
    for row, colour in enumerate(("#2b3470", "#1b2352", "#0f1533")):
        houses(rng, image, 0.5 + row * 0.12, colour, lit=0.25 + 0.1 * row)


def sea(rng: random.Random, image: Image.Image) -> None:
    """The sun low above waves."""
    sky(image, ("#3d6ea5", "#9cc3d9", "#fbe3b5", "#ffc07a"), until=0.46)
    disc(image, 0.36, 0.4, 0.05, "#fff6d8")
    glow(image, 0.36, 0.4, 0.32, "#ffe9b8", 0.7)
    draw = ImageDraw.Draw(image)
    for row in range(90):
        y = 0.46 + 0.54 * (row / 90) ** 1.35
        deep = mixed("#f0b27a", "#123a5c", min(1.0, row / 34))
        waves = wave(rng, y, 0.002 + row * 0.00008, 5 + rng.random() * 9)
        draw.polygon(scaled(image, [*waves, (1, 1), (0, 1)]), fill=deep)
    for row in range(60):
        y = 0.465 + 0.5 * (row / 60) ** 1.2
        wide = (0.015 + row * 0.0012) * rng.uniform(0.4, 1.3)
        x = 0.36 + rng.uniform(-1, 1) * row * 0.0016
        draw.ellipse(
            box(image, x - wide, y, x + wide, y + 0.0035),
            fill=mixed("#fff2c8", "#e8a06a", row / 60),
        )


def meadow(rng: random.Random, image: Image.Image) -> None:
    """Rows of flowers that meet at the horizon."""
    sky(image, ("#6fb7e9", "#bfe1f4", "#fdf6e3"), until=0.42)
    for _ in range(5):
        cloud(rng, image, rng.random(), rng.uniform(0.06, 0.25))
    ridge(rng, image, 0.38, 0.05, "#7fa37a", until=0.44, sharp=False)
    draw = ImageDraw.Draw(image)
    draw.rectangle(box(image, 0, 0.42, 1, 1), fill="#4f8a4b")
    colours = ("#d94f70", "#f2b134", "#8e5bb5", "#5fa05a", "#e8743b", "#f4f0e2")
    for row in range(-15, 16):
        left, right = 0.5 + (row - 0.5) * 0.16, 0.5 + (row + 0.5) * 0.16
        near = [(0.5 + row * 0.012, 0.42), (left * 1.6 - 0.3, 1), (right * 1.6 - 0.31, 1)]
        draw.polygon(scaled(image, near), fill=colours[row % len(colours)])
    for _ in range(5200):
        depth = rng.random() ** 0.6
        y, x = 0.425 + 0.575 * depth, rng.random()
        size = 0.0008 + depth * 0.0042
        shade = mixed(rng.choice(colours), "#2f5a2c" if rng.random() < 0.5 else "#fffbe8", 0.45)
        draw.ellipse(box(image, x, y, x + size, y + size * 1.3), fill=shade)


def bread(rng: random.Random, image: Image.Image) -> None:
    """A round loaf with flour on a board."""
    sky(image, ("#3a2d2a", "#5a463d", "#7a6151"), until=0.55)
    draw = ImageDraw.Draw(image)
    draw.rectangle(box(image, 0, 0.55, 1, 1), fill="#8b6547")
    for line in range(9):
        y = 0.57 + line * 0.05
        draw.line(
            scaled(image, wave(rng, y, 0.003, 3)),
            fill=mixed("#6d4c33", "#a27b58", rng.random()),
            width=6,
        )
    shadow(image, 0.52, 0.81, 0.36, 0.08)
    draw.ellipse(box(image, 0.2, 0.32, 0.82, 0.86), fill="#9a5a2a")
    for step in range(40):
        share = step / 40
        tone = mixed("#a86430", "#e0a35c", share)
        draw.ellipse(
            box(
                image,
                0.21 + 0.14 * share,
                0.33 + 0.05 * share,
                0.81 - 0.2 * share,
                0.84 - 0.26 * share,
            ),
            fill=tone,
        )
    for cut in range(3):
        x = 0.22 + cut * 0.15
        for width, tone in ((44, "#8a4f24"), (26, "#f1d6a6")):
            draw.arc(box(image, x, 0.39, x + 0.2, 0.95), 272, 350, fill=tone, width=width)
    for _ in range(2600):
        turn, far = rng.random() * math.tau, rng.random() ** 0.5
        x, y = 0.5 + 0.29 * far * math.cos(turn), 0.55 + 0.2 * far * math.sin(turn)
        size = rng.uniform(0.0006, 0.0022)
        draw.ellipse(
            box(image, x, y, x + size, y + size * 1.5),
            fill=mixed("#f7ecd8", "#e0a35c", rng.random() * 0.6),
        )


def bicycle(rng: random.Random, image: Image.Image) -> None:
    """A bicycle that leans on a warm wall."""
    sky(image, ("#e9b872", "#dda15e", "#cf8f4d"), until=0.8)
    draw = ImageDraw.Draw(image)
    for _ in range(900):
        x, y, size = rng.random(), rng.random() * 0.8, rng.uniform(0.002, 0.012)
        draw.ellipse(
            box(image, x, y, x + size, y + size * 0.7),
            fill=mixed("#dda15e", "#c8843f", rng.random() * 0.5),
        )
    draw.rectangle(box(image, 0, 0.8, 1, 1), fill="#7b6f66")
    draw.rectangle(box(image, 0, 0.8, 1, 0.815), fill="#5e544d")
    shadow(image, 0.5, 0.855, 0.42, 0.035)
    wheels, high = ((0.3, 0.64), (0.7, 0.64)), 0.195
    for x, y in wheels:
        for spoke in range(14):
            turn = math.tau * spoke / 14
            ends = [(x, y), (x + high / 1.5 * math.cos(turn), y + high * math.sin(turn))]
            draw.line(scaled(image, ends), fill="#cfc7bb", width=4)
        draw.ellipse(
            box(image, x - high / 1.5, y - high, x + high / 1.5, y + high),
            outline="#2a2522",
            width=26,
        )
    bars = (
        ((0.3, 0.64), (0.4, 0.38)),
        ((0.4, 0.38), (0.62, 0.36)),
        ((0.62, 0.36), (0.7, 0.64)),
        ((0.4, 0.38), (0.48, 0.65)),
        ((0.48, 0.65), (0.62, 0.4)),
        ((0.3, 0.64), (0.48, 0.65)),
    )
    for ends in bars:
        draw.line(scaled(image, ends), fill="#1f6f6b", width=24, joint="curve")
    draw.line(scaled(image, ((0.4, 0.38), (0.385, 0.31))), fill="#2a2522", width=18)
    draw.rounded_rectangle(box(image, 0.345, 0.29, 0.43, 0.32), 26, fill="#3b2a20")
    draw.line(
        scaled(image, ((0.62, 0.36), (0.61, 0.28), (0.66, 0.26))),
        fill="#2a2522",
        width=18,
        joint="curve",
    )
    draw.ellipse(box(image, 0.46, 0.62, 0.5, 0.68), outline="#2a2522", width=14)


def night(rng: random.Random, image: Image.Image) -> None:
    """Stars above a dark hill, and a tent with a light in it."""
    sky(image, ("#070b1f", "#15204a", "#3a4c86", "#8d87a8"), until=0.85)
    for _ in range(3):
        band = [(x / 30, 0.05 + 0.5 * x / 30 + rng.uniform(-0.05, 0.05)) for x in range(31)]
        for x, y in band:
            glow(image, x, y, rng.uniform(0.05, 0.1), "#b9b4e6", 0.1)
    stars(rng, image, 1500, 0.8)
    ridge(rng, image, 0.76, 0.06, "#10142b", until=1.0, sharp=False)
    glow(image, 0.42, 0.84, 0.12, "#ffb65c", 0.6)
    draw = ImageDraw.Draw(image)
    draw.polygon(scaled(image, [(0.37, 0.88), (0.42, 0.76), (0.48, 0.88)]), fill="#ffb347")
    draw.polygon(scaled(image, [(0.42, 0.76), (0.48, 0.88), (0.52, 0.86)]), fill="#b5651d")
    draw.line(scaled(image, [(0.42, 0.76), (0.425, 0.88)]), fill="#8a4b12", width=8)


SCENES: dict[str, Scene] = {
    scene.__name__: scene for scene in (lake, pines, town, sea, meadow, bread, bicycle, night)
}

if __name__ == "__main__":
    draw_scenes()
