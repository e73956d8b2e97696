"""Our model in the format of NoSQL Workbench, version 3.0."""

from bisect import insort
from collections import defaultdict
from collections.abc import Iterable
from operator import itemgetter
from typing import Any

from pynamodb.attributes import UnicodeAttribute

from lens.chart import shapes
from operations.workbench.attributes import attributes_of, declared_attributes, exported_models
from socialsite.table.item import EscalatedIndex, Item, TypeIndex
from socialsite.table.reading import RawItem

FORMAT_VERSION = "3.0"
KEYS = ("PK", "SK")
# Fixed, so that two exports differ only where the models do.
MADE = "Nov 23, 2026, 12:00 PM"
DESCRIPTION = (
    "The single table of socialsite. Each item type is a facet, named after its model. "
    "TTL is on for the attribute `ttl`, and the stream carries new and old images: the format has no place for either. "
    "Both indexes are sparse. Items with secrets (sign-ins, credentials, keys, claims of email addresses, limits, the "
    "audit log) and encrypted attributes are left out."
)


def export_model(items: Iterable[RawItem], *, name: str, sample: int) -> dict[str, Any]:
    """Returns the model as JSON-ready data, with at most `sample` of the items of each type, by partition and sort key.

    Raises `TwoTypes` if an attribute has two types.
    """
    data = _sampled(items, sample)
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


def _sampled(items: Iterable[RawItem], sample: int) -> dict[str, list[RawItem]]:
    """Returns the first items of each exported type, without what is left out of them. Holds no more than those."""
    kept = {model.__name__: attributes_of(model) for model in exported_models()}
    found: defaultdict[str, list[tuple[tuple[str, ...], RawItem]]] = defaultdict(list)
    for raw in items:
        kind = raw["type"]["S"]
        if kind in kept:
            exported = {one: _in_order(raw[one]) for one in kept[kind] if one in raw}
            insort(found[kind], (tuple(raw[one]["S"] for one in KEYS), exported), key=itemgetter(0))
            del found[kind][sample:]
    return {kind: [raw for _, raw in of_kind] for kind, of_kind in found.items()}


def _in_order(value: dict[str, Any]) -> dict[str, Any]:
    """Returns the value with a set in order, as the engine gives it in any."""
    return {"SS": sorted(value["SS"])} if "SS" in value else value


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
