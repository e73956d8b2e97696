"""The template engines of the benchmarks: the site's own, and one that finds the frozen templates first and draws them
as they were, with their white space."""

from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent / "templates"


def with_plain(engines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the settings of both, made from the settings of the site's own."""
    (own,) = engines
    options = own["OPTIONS"]
    libraries = options["libraries"] | {"posts": "benchmarks.plain_menu"}
    as_it_was = {name: value for name, value in options.items() if name != "loaders"}
    return [
        own | {"NAME": "django", "DIRS": [*own["DIRS"], FOLDER]},
        own
        | {
            "NAME": "plain",
            "DIRS": [FOLDER / "plain", *own["DIRS"]],
            "APP_DIRS": True,
            "OPTIONS": as_it_was | {"libraries": libraries},
        },
    ]
