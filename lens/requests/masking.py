"""What staff in production do not see of a request: the values that it writes and compares. Keys and ids stay.

Developers see everything, as the whole table is theirs.
"""

from collections.abc import Mapping
from typing import Any

KEPT = {"PK", "SK", "type", "relation_target", "update_time", "escalated_to", "escalated_at"}
MASK = {"S": "…"}


def masked(request: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the request with a mask for each value that is no key, no id and no type."""
    asked_for = f"{request.get('KeyConditionExpression', '')} "
    return {name: _masked(name, part, asked_for) for name, part in request.items()}


def _masked(name: str, part: Any, asked_for: str) -> Any:
    if name == "Item":
        return {key: value if _is_kept(key) else MASK for key, value in part.items()}
    if name == "ExpressionAttributeValues":
        return {key: value if f"{key} " in asked_for else MASK for key, value in part.items()}
    if isinstance(part, dict):
        return masked(part)
    if isinstance(part, list):
        return [masked(one) if isinstance(one, dict) else one for one in part]
    return part


def _is_kept(attribute: str) -> bool:
    return attribute in KEPT or attribute.endswith("_id")
