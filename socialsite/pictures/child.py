"""The child process that decodes. Nothing of the site runs in it, and nothing that it holds is worth stealing.

Run as `python -m socialsite.pictures.child RECIPE`. It reads the upload from standard input, which is a
file, and writes one line of JSON and then the files that the line names to standard output, which is a file too.
"""

import io
import json
import sys
from base64 import b64encode
from collections.abc import Iterator
from typing import Any

MEMORY = 704 * 1024 * 1024  # bytes of address space; a WebP of 40 megapixels takes 654
SECONDS = 5  # of the processor
MOST_WRITTEN = 16 * 1024 * 1024  # bytes
HASHED_FROM = 48  # pixels each way


def bound_resources() -> None:
    """Bounds memory, time and output before anything of the upload is read."""
    try:
        import resource
    except ImportError:  # Windows has no such bounds, but those of pixels and of time still hold
        return
    for what, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, SECONDS),
        (resource.RLIMIT_FSIZE, MOST_WRITTEN),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))


def main(recipe_name: str) -> None:
    from socialsite.pictures.opening import RECIPES, Refused, open_small

    recipe = RECIPES[recipe_name]
    try:
        image = open_small(sys.stdin.buffer, recipe)
        files = list(_files(image, recipe))
        width, height = recipe.largest if recipe.crops else image.size
        told = {
            "width": width,
            "height": height,
            "hash": _hash_of(image) if recipe.has_hash else "",
            "pdq": _known_by(image, recipe),
            "files": [[name, len(content)] for name, content in files],
        }
    except Refused as refused:
        told, files = {"refused": str(refused)}, []
    except MemoryError:
        told, files = {"refused": "pixels"}, []
    out = sys.stdout.buffer
    out.write(json.dumps(told).encode() + b"\n")
    for _, content in files:
        out.write(content)
    out.flush()


def _known_by(image: Any, recipe: Any) -> list[str]:
    """Returns the perceptual hashes of the whole picture, and of what a recipe leaves of it when it crops."""
    from PIL import ImageOps

    from socialsite.pictures.pdq import PLAIN, pdq

    seen = [_on_white(image)]
    if recipe.crops:
        seen.append(ImageOps.fit(seen[0], recipe.largest))
    return [found for found, quality in map(pdq, seen) if quality >= PLAIN]


def _files(image: Any, recipe: Any) -> Iterator[tuple[str, bytes]]:
    from PIL import Image, ImageOps

    from socialsite.pictures import opening as recipes

    for made in recipe.files:
        box = made.width, made.height
        if recipe.crops:
            image = ImageOps.fit(_on_white(image), box)
        elif image.width > box[0] or image.height > box[1]:
            image = _contained(image, box, Image.Resampling.LANCZOS)
        out = io.BytesIO()
        if made.format == recipes.JPEG:
            _on_white(image).save(out, "JPEG", quality=recipes.JPEG_QUALITY, progressive=True)
        else:
            image.save(out, "WEBP", quality=recipes.WEBP_QUALITY, method=recipes.WEBP_METHOD)
        yield made.name, out.getvalue()


def _contained(image: Any, box: tuple[int, int], resampling: Any) -> Any:
    scale = min(box[0] / image.width, box[1] / image.height)
    size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
    return image.resize(size, resampling, reducing_gap=2.0)


def _on_white(image: Any) -> Any:
    from PIL import Image

    if image.mode != "RGBA":
        return image
    flat = Image.new("RGB", image.size, "white")
    flat.paste(image, mask=image.getchannel("A"))
    return flat


def _hash_of(image: Any) -> str:
    from PIL import Image

    from socialsite.pictures.opening import thumbhash

    small = image.convert("RGBA")
    if max(small.size) > HASHED_FROM:
        small = _contained(small, (HASHED_FROM, HASHED_FROM), Image.Resampling.BOX)
    return b64encode(thumbhash(small.width, small.height, small.tobytes())).decode()


if __name__ == "__main__":
    bound_resources()
    main(sys.argv[1])
