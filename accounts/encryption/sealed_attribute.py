"""The attribute of a sealed value: binary, or a string from before people had keys of their own."""

from typing import Any

from pynamodb.attributes import Attribute
from pynamodb.constants import BINARY, STRING
from pynamodb.expressions.condition import Comparison
from pynamodb.expressions.operand import Path

Sealed = bytes | str


class SealedAttribute(Attribute[Sealed]):
    """Reads both kinds, compares with both kinds, and writes binary values alone."""

    attr_type = BINARY

    def get_value(self, value: dict[str, Any]) -> Any:
        return value[STRING] if STRING in value else super().get_value(value)

    def __eq__(self, other: Any) -> Comparison:  # type: ignore[override]
        return Path(self) == ({STRING: other} if isinstance(other, str) else other)
