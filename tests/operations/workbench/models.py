"""Models in the forms that NoSQL Workbench has had, made here: what versions 1.0, 2.0 and 3.0 leave out differs."""

from typing import Any

SCALARS = {"S": "text", "N": "5", "BOOL": True}


def key(name: str, kind: str = "S") -> dict[str, str]:
    return {"AttributeName": name, "AttributeType": kind}


def keys(partition: str = "PK", sort: str = "SK") -> dict[str, Any]:
    found = {"PartitionKey": key(partition)}
    return found | {"SortKey": key(sort)} if sort else found


def model(
    version: str, *tables: dict[str, Any], name: str = "A library", **about: str
) -> dict[str, Any]:
    """A model as that version writes it: 1.0 has no service and often no dates, 2.0 has dates of ISO."""
    dates = {
        "1.0": {},
        "2.0": {"DateCreated": "2021-06-04T15:40:23.771Z", "AWSService": "Amazon DynamoDB"},
        "3.0": {
            "DateCreated": "Mar 03, 2022, 11:29 PM",
            "DateLastModified": "Mar 03, 2022, 11:29 PM",
            "AWSService": "Amazon DynamoDB",
        },
    }
    meta = {"Author": "", "Description": "", "Version": version, **dates.get(version, {}), **about}
    return {"ModelName": name, "ModelMetadata": meta, "DataModel": list(tables)}


def in_table() -> dict[str, Any]:
    """Sample data in the table itself, with an index that has one key and holds some attributes."""
    return {
        "TableName": "Loans",
        "KeyAttributes": keys("Reader", "Due#Book"),
        "NonKeyAttributes": [
            key("Shelf"),
            key("Copies", "N"),
            key("Notes", "L"),
            key("Open", "BOOL"),
        ],
        "TableData": [
            {
                "Reader": {"S": "ada"},
                "Due#Book": {"S": "2026-11-30#<Emma>"},
                "Shelf": {"S": "7 & 8"},
                "Copies": {"N": "3"},
                "Open": {"BOOL": True},
                "Notes": {"L": [{"S": "torn"}, {"M": {"page": {"N": "9"}}}]},
            },
            {"Reader": {"S": "bea"}, "Due#Book": {"S": "2026-12-01#Ulysses"}},
        ],
        "GlobalSecondaryIndexes": [
            {
                "IndexName": "byShelf",
                "KeyAttributes": keys("Shelf", ""),
                "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["Copies"]},
            }
        ],
        "DataAccess": {"MySql": {}},
    }


def in_facets() -> dict[str, Any]:
    """Sample data in facets, one without any, and plain JSON inside a map."""
    return {
        "TableName": "Library",
        "KeyAttributes": keys(),
        "NonKeyAttributes": [key("Title"), key("Facts", "M")],
        "TableFacets": [
            {
                "FacetName": "Book",
                "KeyAttributeAlias": {
                    "PartitionKeyAlias": "b#<isbn>",
                    "SortKeyAlias": "#METADATA#",
                },
                "NonKeyAttributes": ["Title", "Facts"],
                "TableData": [
                    {
                        "PK": {"S": "b#1"},
                        "SK": {"S": "#METADATA#1"},
                        "Title": {"S": "Emma"},
                        "Facts": {"M": {"is_lent": True}},
                    }
                ],
            },
            {
                "FacetName": "Author",
                "KeyAttributeAlias": {"PartitionKeyAlias": "a#<name>"},
                "NonKeyAttributes": [],
            },
        ],
        "DataAccess": {"MySql": {}},
    }


def several() -> list[dict[str, Any]]:
    return [in_table(), {**in_facets(), "TableName": "Books"}]


def empty() -> dict[str, Any]:
    return {"TableName": "Empty", "KeyAttributes": keys("Id", ""), "NonKeyAttributes": []}
