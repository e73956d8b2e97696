"""PDQ, the perceptual hash of which other services keep lists: 256 bits that stay almost the same when a picture is
made smaller, saved again or changed a little. https://github.com/facebook/ThreatExchange/tree/main/pdq

Written from the published algorithm with Pillow alone: it differs from the authors' own by 2 to 12 bits of the 31 that
count as near. The package `pdqhash` needs a compiler and NumPy, 17 MB, which reserves more memory than the child for
pictures has left beside a large one (`child.py`). `imagehash` brings 60 MB, and neither it nor `dhash` makes hashes
that such lists hold.
"""

import math
from statistics import median
from typing import Any

SIDE = 64  # pixels of the blurred picture
KEPT = 16  # frequencies each way
BITS = KEPT * KEPT
LARGEST = 512  # pixels each way: the published algorithm makes larger pictures smaller first
NEAR = 31  # bits that may differ, as the algorithm's authors advise
PLAIN = 50  # below this quality a picture has too little in it

# Frequencies 1 to 16 of a cosine transform of 64 values.
_WAVES = [
    [
        math.sqrt(2 / SIDE) * math.cos(math.pi / (2 * SIDE) * (row + 1) * (2 * place + 1))
        for place in range(SIDE)
    ]
    for row in range(KEPT)
]


def pdq(image: Any) -> tuple[str, int]:
    """Returns the hash of an image of Pillow as 64 hexadecimal digits, and its quality from 0 to 100. Below
    `PLAIN` others cannot be told from it, as from one of a single colour."""
    pixels = _blurred(image)
    rows = [pixels[start : start + SIDE] for start in range(0, SIDE * SIDE, SIDE)]
    across = [[_sum(wave, row) for row in rows] for wave in _WAVES]
    waves = [[_sum(wave, one) for one in across] for wave in _WAVES]
    values = [value for row in waves for value in row]
    middle = median(values)
    bits = sum(1 << place for place, value in enumerate(values) if value > middle)
    return f"{bits:064x}", _quality(rows)


def distance(one: str, other: str) -> int:
    """Returns how many bits differ."""
    return (int(one, 16) ^ int(other, 16)).bit_count()


def _sum(wave: list[float], values: list[float]) -> float:
    return sum(map(float.__mul__, wave, values))


def _blurred(image: Any) -> list[float]:
    """Returns the brightness of 64 by 64 points, each of the surroundings for which it stands."""
    from PIL import Image, ImageFilter

    image = image.convert("RGB")
    if max(image.size) > LARGEST:
        image = image.resize(
            (min(image.width, LARGEST), min(image.height, LARGEST)), Image.Resampling.BOX
        )
    grey = image.convert("L")
    radius = [max(0.0, (math.ceil(side / (2 * SIDE)) - 1) / 2) for side in image.size]
    for _ in range(2):
        grey = grey.filter(ImageFilter.BoxBlur((radius[0], radius[1])))
    small = [
        int((row + 0.5) * image.height / SIDE) * image.width
        + int((column + 0.5) * image.width / SIDE)
        for row in range(SIDE)
        for column in range(SIDE)
    ]
    data = grey.tobytes()
    return [float(data[place]) for place in small]


def _quality(rows: list[list[float]]) -> int:
    """Returns how much the neighbours differ, as the published algorithm says it."""
    steps = sum(
        int(abs((rows[y][x] - rows[y + 1][x]) * 100 / 255))
        for y in range(SIDE - 1)
        for x in range(SIDE)
    )
    steps += sum(
        int(abs((rows[y][x] - rows[y][x + 1]) * 100 / 255))
        for y in range(SIDE)
        for x in range(SIDE - 1)
    )
    return min(100, steps // 90)
