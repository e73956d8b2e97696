"""What a write does: each action of a transaction or batch, and whether its condition held."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lens.requests.expressions import in_words
from lens.requests.kinds import kind_of

Key = tuple[str, str]
WRITES = {"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"}


@dataclass(frozen=True, slots=True)
class Action:
    """One action. `refusal` is why it was not done, empty if it was, or if another action was refused."""

    kind: str
    type: str
    key: Key
    condition: str = ""
    update: str = ""
    refusal: str = ""

    @property
    def has_held(self) -> bool:
        return bool(self.condition) and not self.refusal


def actions_in(
    operation: str, request: Mapping[str, Any], answer: Mapping[str, Any]
) -> Iterator[Action]:
    """Yields the actions of a request in their order, nothing if it is no write."""
    if operation not in WRITES:
        return
    parts = _parts(operation, request)
    for (kind, one), reason in zip(parts, _reasons(answer, len(parts)), strict=False):
        yield _action(kind, one, reason)


def _reasons(answer: Mapping[str, Any], count: int) -> list[str]:
    """Returns for each action why it was refused, empty where it was not."""
    if "CancellationReasons" in answer:
        codes = [reason.get("Code") for reason in answer["CancellationReasons"]]
        return ["" if code in ("None", None) else code for code in codes]
    return [answer.get("Error", {}).get("Code", "")] * count


def _parts(operation: str, request: Mapping[str, Any]) -> Sequence[tuple[str, Any]]:
    if operation == "TransactWriteItems":
        return [part for entry in request["TransactItems"] for part in entry.items()]
    if operation == "BatchWriteItem":
        return [
            (kind.removesuffix("Request"), one)
            for entries in request["RequestItems"].values()
            for entry in entries
            for kind, one in entry.items()
        ]
    return [(operation.removesuffix("Item"), request)]


def _action(kind: str, one: Mapping[str, Any], refusal: str) -> Action:
    item = one.get("Item", {})
    partition, sort = ((one.get("Key") or item)[name]["S"] for name in ("PK", "SK"))
    return Action(
        kind=kind,
        type=item.get("type", {}).get("S", "") or kind_of(partition, sort),
        key=(partition, sort),
        condition=in_words(one, "ConditionExpression"),
        update=in_words(one, "UpdateExpression"),
        refusal=refusal,
    )
