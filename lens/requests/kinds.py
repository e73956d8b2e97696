"""The item type that a key belongs to, by the key chart: for keys without an item, and items that a write names."""

import re
from functools import cache
from operator import itemgetter

from lens.chart import shapes

PLACE = re.compile(r"<[^>]+>")


def kind_of(partition: str, sort: str) -> str:
    """Returns the type whose keys are written so, empty if there is none. Of several it is the most exact one, and of
    equals the first of the chart, as a post for a repost."""
    fitting = [
        (len(PLACE.sub("", pk + sk)), shape.item)
        for shape in shapes().values()
        for pk in shape.partitions
        for sk in shape.sorts
        if _written(pk).fullmatch(partition) and _written(sk).fullmatch(sort)
    ]
    return max(fitting, key=itemgetter(0))[1] if fitting else ""


@cache
def _written(key: str) -> re.Pattern[str]:
    return re.compile("[^#]+".join(map(re.escape, PLACE.split(key))))
