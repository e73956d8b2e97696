"""How large an item is, and how large one may be."""

from typing import Any

from socialsite.table.reading import RawItem

MOST_BYTES = 4096  # of an item: reading it costs one unit


def item_size(raw: RawItem) -> int:
    """Returns the bytes of an item as DynamoDB counts them: names and values, in UTF-8. Of numbers it counts the
    digits, which is a little more."""
    return sum(len(name.encode()) + _size_of(value) for name, value in raw.items())


def _size_of(value: dict[str, Any]) -> int:
    ((kind, content),) = value.items()
    match kind:
        case "M":
            return 3 + sum(1 + len(name.encode()) + _size_of(one) for name, one in content.items())
        case "L":
            return 3 + sum(1 + _size_of(one) for one in content)
        case "SS" | "NS" | "BS":
            return sum(map(_length, content))
        case "NULL" | "BOOL":
            return 1
        case _:
            return _length(content)


def _length(content: str | bytes) -> int:
    return len(content if isinstance(content, bytes) else content.encode())
