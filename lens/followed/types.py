"""The type of an item whose write names only its key."""

import re
from functools import cache, lru_cache

from lens.chart import PLACE, Shape, shapes
from socialsite.table.keys import Key


@lru_cache(1024)
def type_of_key(key: Key) -> str:
    """Returns the type by the key chart, empty if it fits none or several."""
    fitting = [shape.item for shape in shapes().values() if _fits(shape, key)]
    return fitting[0] if len(fitting) == 1 else ""


def _fits(shape: Shape, key: Key) -> bool:
    return any(_pattern(one).fullmatch(key.pk) for one in shape.partitions) and any(
        _pattern(one).fullmatch(key.sk) for one in shape.sorts
    )


@cache
def _pattern(written: str) -> re.Pattern[str]:
    parts = (re.escape(part) for part in PLACE.split(written))
    return re.compile("[^#]+".join(parts))
