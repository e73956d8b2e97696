"""The table as a model of NoSQL Workbench, as JSON and as a spreadsheet."""

from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any

from pynamodb.attributes import Attribute, UnicodeAttribute

from accounts.models import SealedAttribute
from lens.chart import shapes
from moderation.models import CasePhoto
from operations.damage import find_faults, model_of, place_of
from photos.models import Photo
from socialsite.streams.models import RETIRED_ITEMS
from socialsite.table import Item, RawItem, item_models
from socialsite.table.item import EscalatedIndex, TypeIndex

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
        "PushHost",
        "PushKey",
        "PushSubscription",
        "PushWork",
        "RateLimit",
        "RetiredKey",
        "SignIn",
        "Token",
        "UsedChallenge",
        # Who reads the stream, and how far. Another site has a stream of its own, which its worker would not read while
        # a lease from here is in the way.
        "AlarmState",
        "CostSample",
        "DeadLetter",
        "Lease",
        "RecentChange",
        "SeenRecord",
        "StreamHost",
        # Sealed as a whole, with a key that stays here.
        "Draft",
        "KeptMessage",
        "Scheduled",
        # What people wrote to each other in private, as moderators have it who were shown it.
        "MessageEvidence",
    }
)
FIRST = ("PK", "SK", "type")


class TwoTypes(Exception):
    """An attribute has one type in one item and another in another, which the format cannot hold."""


def exported_models() -> list[type[Item]]:
    """Returns the models of all items that are exported, in the order of their names."""
    return [model for name, model in sorted(item_models().items()) if name not in SECRET_TYPES]


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


FORMAT_VERSION = "3.0"
KEYS = ("PK", "SK")
ALL = 1_000_000  # of each type, which is more than a file takes
# Fixed, so that two exports differ only where the models do.
MADE = "Nov 23, 2026, 12:00 PM"
DESCRIPTION = (
    "The single table of socialsite. Each item type is a facet, named after its model. "
    "TTL is on for the attribute `ttl`, and the stream carries new and old images: the format has no place for either. "
    "Both indexes are sparse. Items with secrets (sign-ins, credentials, keys, claims of email addresses, limits, the "
    "audit log), items of processes (leases of the stream, records that were set aside), drafts, kept "
    "and reported messages, and encrypted attributes are left out."
)


def export_model(
    items: Iterable[RawItem],
    *,
    name: str,
    sample: int,
    tell: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Returns the model as JSON-ready data, with at most `sample` of the items of each type, by partition and sort key.

    `tell` gets a sentence for each damaged item, which is left out, and one if the sample is not all. Raises `TwoTypes`
    if an attribute has two types.
    """
    data = _sampled(items, sample, tell)
    types = declared_attributes()
    return {
        "ModelName": "socialsite",
        "ModelMetadata": {
            "Author": "",
            "DateCreated": MADE,
            "DateLastModified": MADE,
            "Description": DESCRIPTION,
            "AWSService": "Amazon DynamoDB",
            "Version": FORMAT_VERSION,
        },
        "DataModel": [
            {
                "TableName": name,
                "KeyAttributes": _key("PK", "SK"),
                "NonKeyAttributes": [
                    {"AttributeName": one, "AttributeType": kind}
                    for one, kind in types.items()
                    if one not in KEYS
                ],
                "TableFacets": [
                    _facet(model, data.get(model.__name__, [])) for model in exported_models()
                ],
                "GlobalSecondaryIndexes": [_index(TypeIndex), _index(EscalatedIndex)],
                "DataAccess": {"MySql": {}},
                "BillingMode": "PAY_PER_REQUEST",
            }
        ],
    }


def _sampled(
    items: Iterable[RawItem], sample: int, tell: Callable[[str], None]
) -> dict[str, list[RawItem]]:
    """Returns the first items of each exported type, without what is left out of them. Holds no more than those."""
    kept = {model.__name__: attributes_of(model) for model in exported_models()}
    found: defaultdict[str, list[tuple[tuple[str, ...], RawItem]]] = defaultdict(list)
    more = 0
    for raw in items:
        kind = raw.get("type", {}).get("S", "")
        if kind in SECRET_TYPES | RETIRED_ITEMS or _is_private(raw):
            continue
        if faults := find_faults(raw):
            tell(f"Left out, as it is damaged: {place_of(raw)}: {faults[0]}")
        else:
            exported = {one: _in_order(raw[one]) for one in kept[kind] if one in raw}
            insort(found[kind], (tuple(raw[one]["S"] for one in KEYS), exported), key=itemgetter(0))
            more += len(found[kind][sample:])
            del found[kind][sample:]
    if more:
        tell(
            f"This is a sample: {more:,} items stay behind. A site made of it has counts and lists that do not add up; "
            f"--sample {ALL} takes everything."
        )
    return {kind: [raw for _, raw in of_kind] for kind, of_kind in found.items()}


def _is_private(raw: RawItem) -> bool:
    """Whether it is a photo that no post shows: it stays with its draft, or its private message. Of a reported one the
    case has the description too."""
    of_message = model_of(raw) is CasePhoto and "message_id" in raw
    return of_message or (model_of(raw) is Photo and "post_id" not in raw)


def _in_order(value: dict[str, Any]) -> dict[str, Any]:
    """Returns the value with its sets and maps in order, as the engine gives them in any."""
    ((kind, content),) = value.items()
    match kind:
        case "SS":
            return {kind: sorted(content)}
        case "M":
            return {kind: {name: _in_order(one) for name, one in sorted(content.items())}}
        case "L":
            return {kind: [_in_order(one) for one in content]}
    return value


def _facet(model: type[Item], data: list[RawItem]) -> dict[str, Any]:
    shape = shapes()[model.__name__]
    return {
        "FacetName": model.__name__,
        "KeyAttributeAlias": {"PartitionKeyAlias": shape.partition, "SortKeyAlias": shape.sort},
        "NonKeyAttributes": [one for one in attributes_of(model) if one not in KEYS],
        "TableData": data,
        "DataAccess": {"MySql": {}},
    }


def _index(index: type[TypeIndex] | type[EscalatedIndex]) -> dict[str, Any]:
    keys_of_index = [one for one in vars(index).values() if isinstance(one, UnicodeAttribute)]
    partition, sort = sorted(keys_of_index, key=lambda one: one.is_range_key)
    return {
        "IndexName": index.Meta.index_name,
        "KeyAttributes": _key(partition.attr_name, sort.attr_name),
        "Projection": {"ProjectionType": "ALL"},
    }


def _key(partition: str, sort: str) -> dict[str, Any]:
    return {
        "PartitionKey": {"AttributeName": partition, "AttributeType": "S"},
        "SortKey": {"AttributeName": sort, "AttributeType": "S"},
    }
