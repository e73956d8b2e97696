"""What a role did, as Amazon's IAM judges it: an action on a resource, with a partition key where there is one.

A transaction is judged as the single actions that it holds, a batch as one action for each of its keys.
"""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from django.conf import settings

from tests.iam.key_shapes import shape_of

TABLE_OF_USES = Path(__file__).with_name("uses.tsv")
HEAD = ("role", "resource", "partition key", "alone", "in transactions")
NO_KEY = "-"
TRANSACTIONS = {"TransactWriteItems", "TransactGetItems"}
IN_TRANSACTIONS = {
    "ConditionCheck": "ConditionCheckItem",
    "Delete": "DeleteItem",
    "Get": "GetItem",
    "Put": "PutItem",
    "Update": "UpdateItem",
}
OF_STREAMS = {"DescribeStream", "GetRecords", "GetShardIterator"}
OF_S3 = {  # operations that are not named as their action
    "HeadBucket": "ListBucket",
    "HeadObject": "GetObject",
    "ListObjects": "ListBucket",
    "ListObjectsV2": "ListBucket",
}
OF_SES = {"SendEmail": ("SendEmail", "SendRawEmail")}  # the letter is sent as it is, raw
OF_STS = {"AssumeRole": ("AssumeRole", "TagSession")}  # it names the person by a tag
OF_KMS = {"ReEncrypt": ("ReEncryptFrom", "ReEncryptTo")}


@dataclass(frozen=True, order=True)
class Use:
    role: str
    resource: (
        # table, index/<name>, stream, media/<folder>, photos, archive, exports, kms, letters or person
        str
    )
    key_shape: str
    in_transaction: bool
    action: str

    def __str__(self) -> str:
        how = "in a transaction" if self.in_transaction else "alone"
        where = f" with the partition key {self.key_shape}" if self.key_shape != NO_KEY else ""
        return f"{self.role} does {self.action} {how} on {self.resource}{where}"


def uses_of(role: str, service: str, operation: str, request: dict[str, Any]) -> Iterator[Use]:
    """Each use that one call is. Raises `KeyError` for a call of a kind that is new here."""
    if service == "s3":
        yield Use(role, _bucket(request), NO_KEY, False, OF_S3.get(operation, operation))
        return
    if service == "kms":
        for action in OF_KMS.get(operation, (operation,)):
            yield Use(role, "kms", NO_KEY, False, action)
        return
    if service == "sesv2":
        for action in OF_SES[operation]:
            yield Use(role, "letters", NO_KEY, False, action)
        return
    if service == "sts":
        for action in OF_STS[operation]:
            yield Use(role, "person", NO_KEY, False, action)
        return
    resource = f"index/{index}" if (index := request.get("IndexName")) else "table"
    if operation in OF_STREAMS:
        resource = "stream"
    for action, partition_key in actions_of(operation, request):
        shape = shape_of(partition_key) if partition_key else NO_KEY
        yield Use(role, resource, shape, operation in TRANSACTIONS, action)


def read_table() -> set[Use]:
    with TABLE_OF_USES.open(newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))[1:]
    return {
        Use(role, resource, shape, in_transaction, action)
        for role, resource, shape, *columns in rows
        for in_transaction, column in zip((False, True), columns, strict=True)
        for action in column.split()
    }


def write_table(uses: Iterable[Use]) -> None:
    """A row for each role, resource and shape, sorted."""
    rows = groupby(sorted(uses), key=lambda use: astuple(use)[:3])
    with TABLE_OF_USES.open("w", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(HEAD)
        for place, found in rows:
            columns: dict[bool, list[str]] = {False: [], True: []}
            for use in found:
                columns[use.in_transaction].append(use.action)
            writer.writerow([*place, *(" ".join(actions) for actions in columns.values())])


def _bucket(request: dict[str, Any]) -> str:
    for name in ("archive", "exports", "photos"):
        if request["Bucket"] == settings.STORAGES[name]["OPTIONS"].get("bucket_name"):
            return name
    return f"media/{request['Key'].partition('/')[0]}"


def actions_of(operation: str, request: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Pairs of an action and a partition key, which is empty where the call has none."""
    match operation:
        case "TransactWriteItems" | "TransactGetItems":
            for part in request["TransactItems"]:
                for kind, one in part.items():
                    yield IN_TRANSACTIONS[kind], _partition_key(one)
        case "BatchGetItem":
            for asked in request["RequestItems"].values():
                yield from ((operation, key["PK"]["S"]) for key in asked["Keys"])
        case "BatchWriteItem":
            for requests in request["RequestItems"].values():
                for part in requests:
                    yield from ((operation, _partition_key(one)) for one in part.values())
        case "Query":
            yield operation, request["ExpressionAttributeValues"][":pk"]["S"]
        case "GetItem" | "PutItem" | "UpdateItem" | "DeleteItem":
            yield operation, _partition_key(request)
        case _:
            yield operation, ""


def _partition_key(part: dict[str, Any]) -> str:
    return str((part.get("Key") or part["Item"])["PK"]["S"])
