"""The index of tags finds those in use by their beginning. People are found by the directory (`directory.py`).

The stream worker keeps it (`tags/listed.py`). A tag expires with the last of its posts.
"""

from itertools import islice

from relations.models import TagUse
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import query
from socialsite.table.row import row
from socialsite.texts.hashtags import fold_beginning


@access_pattern
def find_tags(text: str, *, size: int) -> list[str]:
    """Returns tags in use that begin with the text, in the order of their letters, so the very tag first. None for a
    text that no tag begins with.

    Query `PK = find#tag#<first 2 letters>`, `SK` beginning with the folded text: 0.5 read units. With a single letter
    of an alphabet only the tag of that name is found.
    """
    beginning = fold_beginning(text)
    if not beginning:
        return []
    between = keys.tag_bounds(beginning)
    rows = query(keys.tag_index(beginning), between=between, limit=size)
    return [row(TagUse, raw).tag for raw in islice(rows, size)]
