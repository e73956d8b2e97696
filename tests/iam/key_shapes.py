"""The shapes of partition keys, `u#*#auth` for `u#<user>#auth`: from the chart of `socialsite/keys`."""

import re
from functools import cache

from socialsite import keys

# What stands in the partition keys of the two indexes, which are attributes of their own.
OF_INDEXES = ["<type>#u#<user>", "queue#<name>", "desk#u#<moderator>"]
LONG = 26  # characters of an id
VARIABLE = re.compile(r"<[^>]+>")


def shape_of(partition_key: str) -> str:
    """The shape of a key, the one with the fewest variables if several fit; the key itself if none does."""
    return next(
        (shape for shape, pattern in _patterns() if pattern.fullmatch(partition_key)),
        partition_key,
    )


def key_of(shape: str) -> str:
    """A key of this shape, with ids as long as they are."""
    return shape.replace("*", "X" * LONG)


@cache
def shapes_of_the_table() -> list[str]:
    chart = re.findall(r"^\| (`[^|]+`) +\|", keys.__doc__ or "", re.MULTILINE)
    formats = dict.fromkeys(one for cell in chart for one in re.findall(r"`([^`]+)`", cell))
    return [VARIABLE.sub("*", one) for one in formats]


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    shapes = [*shapes_of_the_table(), *(VARIABLE.sub("*", one) for one in OF_INDEXES)]
    shapes.sort(key=lambda shape: shape.count("*"))
    # A variable holds no `#`, but where somebody asks for a handle or a name that holds one.
    return [
        (shape, re.compile(re.escape(shape).replace(r"\*", variable)))
        for variable in ("[^#]*", ".*")
        for shape in shapes
    ]
