"""What is made of an uploaded picture: which files, in which sizes."""

from dataclasses import dataclass

from socialsite.pictures.limits import LONGEST_SHAPE

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
    "avatar": Recipe((Made("256.webp", 256, 256),), crops=True),
    "header": Recipe((Made("1500.webp", 1500, 500), Made("750.webp", 750, 250)), crops=True),
}
