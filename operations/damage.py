"""What makes an item unreadable: asked of a file before any of it is written, and of the table by `export` and `audit`.

`operations/invariants.py` has what must hold between items that can be read.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pynamodb.attributes import Attribute

from accounts.models import SealedAttribute
from socialsite.table import Item, RawItem, item_models, item_size

WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,37})")
LONGEST_KEYS = {  # bytes of a key, in the table and in its indexes
    "PK": 2048,
    "SK": 1024,
    "relation_target": 2048,
    "update_time": 1024,
    "escalated_to": 2048,
    "escalated_at": 1024,
}
MOST_BYTES = 400 * 1024  # of an item in DynamoDB
DEEPEST = 32  # levels of lists and maps
SHOWN = 40  # letters of a value
MEANT = {
    "S": "A text has no half characters.",
    "N": "A number is whole and has at most 38 digits.",
    "SS": "A set has at least one text, and none twice.",
    "BOOL": "It is true or false.",
    "L": f"A list has values with their types, at most {DEEPEST} levels deep.",
    "M": f"A map has values with their types, at most {DEEPEST} levels deep.",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with an attribute of an item. `reason` is the rest of a sentence that begins with its name."""

    attribute: str
    reason: str

    def __str__(self) -> str:
        return f"{self.attribute} {self.reason}"


def is_not(kind: str, value: Any) -> str:
    """Returns the reason of a value that its type does not have."""
    return f"is {shown(value)}, which is not {kind}. {MEANT.get(kind, '')}".rstrip()


def shown(value: Any) -> str:
    """Returns the beginning of a value, as a sentence quotes it."""
    text = repr(value[:SHOWN] if isinstance(value, str) else value)
    return text if len(text) <= SHOWN + 2 else f"{text[:SHOWN]}…"


def find_faults(raw: RawItem) -> list[Fault]:
    """Returns what is wrong with an item of this site, with its raw values as the table or a file has them.

    An item can be read if it is of a known type, has all that its type needs, and each value is of its type and within
    the bounds of DynamoDB. What its values mean, and attributes that no model has, are not looked at.
    """
    model = model_of(raw)
    if model is None:
        return [Fault("type", f"is {shown(_type(raw))}, which no item of this site has.")]
    attributes = [  # sealed ones are between their people and their key
        one for one in model.get_attributes().values() if not isinstance(one, SealedAttribute)
    ]
    wrong = [fault for one in attributes for fault in _faults_of_value(one, raw)]
    wrong += [
        Fault(one.attr_name, f"is missing, which each {model.__name__} has.")
        for one in attributes
        if one.attr_name not in raw and not one.null and one.default is None
    ]
    return wrong or list(_faults_of_size(raw))


def model_of(raw: RawItem) -> type[Item] | None:
    """Returns the model of a raw item, None if it has no type or an unknown one."""
    kind = _type(raw)
    return item_models().get(kind) if isinstance(kind, str) else None


def place_of(raw: RawItem) -> str:
    """Returns the key of an item as text, whatever it is."""
    return " / ".join(str(next(iter(raw.get(name, {"": "?"}).values()))) for name in ("PK", "SK"))


def _type(raw: RawItem) -> Any:
    value = raw.get("type")
    return value.get("S") if isinstance(value, dict) else value


def _faults_of_value(attribute: Attribute[Any], raw: RawItem) -> Iterator[Fault]:
    name, kind = attribute.attr_name, str(attribute.attr_type)
    if name not in raw:
        return
    value = raw[name]
    if not _is_typed(value) or kind not in value:
        yield Fault(name, is_not(kind, _bare(value)))
        return
    if most := LONGEST_KEYS.get(name):
        length = len(value[kind].encode())
        if not 0 < length <= most:
            yield Fault(name, f"has {length:,} bytes. A key has 1 to {most:,}.")
            return
    try:
        attribute.deserialize(attribute.get_value(value))
    except (
        ValueError,
        TypeError,
        KeyError,
        AttributeError,
        ArithmeticError,
        RecursionError,
        OSError,
    ):
        yield Fault(name, f"is {shown(value[kind])}, which nothing can read.")


def _faults_of_size(raw: RawItem) -> Iterator[Fault]:
    if item_size(raw) > MOST_BYTES:
        name = max(raw, key=lambda one: item_size({one: raw[one]}))
        size = item_size({name: raw[name]})
        yield Fault(name, f"has {size:,} bytes. An item has at most {MOST_BYTES:,} in all.")


def _is_typed(value: Any, depth: int = 0) -> bool:
    """Whether it is a value as DynamoDB writes it, such as `{"S": "text"}`."""
    if not isinstance(value, dict) or len(value) != 1 or depth > DEEPEST:
        return False
    ((kind, content),) = value.items()
    match kind:
        case "S":
            return _is_text(content)
        case "N":
            return isinstance(content, str) and bool(WHOLE.fullmatch(content))
        case "BOOL" | "NULL":
            return isinstance(content, bool)
        case "B":
            return isinstance(content, bytes)
        case "SS":
            return isinstance(content, list) and all(map(_is_text, content)) and _differ(content)
        case "L":
            return isinstance(content, list) and all(_is_typed(one, depth + 1) for one in content)
        case "M":
            return isinstance(content, dict) and all(
                _is_text(name) and _is_typed(one, depth + 1) for name, one in content.items()
            )
    return False


def _is_text(value: Any) -> bool:
    """Whether it is text that UTF-8 can hold, which half of a surrogate pair is not."""
    try:
        return isinstance(value, str) and value.encode() is not None
    except UnicodeEncodeError:
        return False


def _differ(texts: list[str]) -> bool:
    return 0 < len(texts) == len(set(texts))


def _bare(value: Any) -> Any:
    return next(iter(value.values())) if isinstance(value, dict) and len(value) == 1 else value
