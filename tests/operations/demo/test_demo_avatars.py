"""The generated pictures: small, square, repeatable and varied."""

import io
import random

from PIL import Image

from operations.demo.avatars import MOST_BYTES, SIDE, draw_avatar


def test_avatars_are_small_square_webp_files() -> None:
    rng = random.Random(1)
    for _ in range(150):
        data = draw_avatar(rng)
        assert len(data) <= MOST_BYTES
        with Image.open(io.BytesIO(data)) as image:
            assert image.format == "WEBP"
            assert image.size == (SIDE, SIDE)


def test_avatars_repeat_with_the_seed_and_differ_otherwise() -> None:
    assert draw_avatar(random.Random(2)) == draw_avatar(random.Random(2))
    rng = random.Random(3)
    assert len({draw_avatar(rng) for _ in range(100)}) > 95
