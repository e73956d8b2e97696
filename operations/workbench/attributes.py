"""The attributes of all items, with their types, from the models: the one definition of them."""

from collections import Counter

from pynamodb.attributes import Attribute

from accounts.encryption.sealed_attribute import SealedAttribute
from operations.damage import models
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
        # Who reads the stream, and how far. Another site has a stream of its own, which its worker would not read while
        # a lease from here is in the way.
        "CostSample",
        "DeadLetter",
        "Lease",
        "RecentChange",
        "SeenRecord",
        "StreamHost",
        # Sealed as a whole, with a key that stays here.
        "Draft",
        "Scheduled",
    }
)
FIRST = ("PK", "SK", "type")


class TwoTypes(Exception):
    """An attribute has one type in one item and another in another, which the format cannot hold."""


def exported_models() -> list[type[Item]]:
    """Returns the models of all items that are exported, in the order of their names."""
    return [model for name, model in sorted(models().items()) if name not in SECRET_TYPES]


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


def _ordered(model: type[Item]) -> list[Attribute[object]]:
    return list(model.get_attributes().values())
