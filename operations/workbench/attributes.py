"""The attributes of all items, with their types, from the models: the one definition of them."""

from collections import Counter
from collections.abc import Iterator

from pynamodb.attributes import Attribute

from accounts.encryption.sealed_attribute import SealedAttribute
from socialsite.table.item import Item

# Items that hold secrets, or that mean nothing outside their own site.
SECRET_TYPES = frozenset(
    {
        "AuditEntry",
        "AuditHead",
        "Credentials",
        "DataState",
        "DomainEntry",
        "EmailClaim",
        "Export",
        "Invite",
        "Origin",
        "OriginTrace",
        "Passkey",
        "PasskeyClaim",
        "PersonKey",
        "RateLimit",
        "RetiredKey",
        "SignIn",
        "Token",
        "UsedChallenge",
    }
)
FIRST = ("PK", "SK", "type")


class TwoTypes(Exception):
    """An attribute has one type in one item and another in another, which the format cannot hold."""


def exported_models() -> list[type[Item]]:
    """Returns the models of all items that are exported, in the order of their names."""
    return sorted(
        (model for model in _models() if model.__name__ not in SECRET_TYPES),
        key=lambda model: model.__name__,
    )


def attributes_of(model: type[Item]) -> dict[str, str]:
    """Returns the exported attributes of a model by name, as `{"content": "S"}`. Sealed ones are left out."""
    return {
        attribute.attr_name: str(attribute.attr_type)
        for attribute in _ordered(model)
        if not isinstance(attribute, SealedAttribute)
    }


def declared_attributes() -> dict[str, str]:
    """Returns all exported attributes: the keys, `type`, then those that most items have. Raises `TwoTypes`."""
    types: dict[str, str] = {}
    used = Counter[str]()
    for model in exported_models():
        for name, kind in attributes_of(model).items():
            if types.setdefault(name, kind) != kind:
                raise TwoTypes(
                    f"{name} is {types[name]} in one item and {kind} in {model.__name__}."
                )
            used[name] += 1
    rest = sorted(set(types) - set(FIRST), key=lambda name: (-used[name], name))
    return {name: types[name] for name in (*FIRST, *rest)}


def _models() -> Iterator[type[Item]]:
    waiting = list(Item.__subclasses__())
    while waiting:
        model = waiting.pop()
        waiting += model.__subclasses__()
        yield model


def _ordered(model: type[Item]) -> list[Attribute[object]]:
    return list(model.get_attributes().values())
