"""A picture of 20 to 25 bytes, shown while the real one is on its way: https://evanw.github.io/thumbhash/.

Written from the published algorithm, as the Python package of this name fails for pictures that one can see through.
"""

import math
from collections.abc import Sequence

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
