"""The documents of deploy/iam, the shapes of keys, and the list of uses."""

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from fnmatch import fnmatchcase
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from django.conf import settings

from socialsite import keys

# What stands in the partition keys of the two indexes, which are attributes of their own.
OF_INDEXES = ["<type>#u#<user>", "queue#<name>", "desk#u#<moderator>"]
LONG = 26  # characters of an id
VARIABLE = re.compile(r"<[^>]+>")


def shape_of(partition_key: str) -> str:
    """The shape of a key, the one with the fewest variables if several fit; the key itself if none does."""
    patterns = _patterns_from(partition_key.partition("#")[0])
    found = (shape for shape, pattern in patterns if pattern.fullmatch(partition_key))
    return next(found, partition_key)


def key_of(shape: str) -> str:
    """A key of this shape, with ids as long as they are."""
    return shape.replace("*", "X" * LONG)


@cache
def shapes_of_the_table() -> list[str]:
    chart = re.findall(r"^\| (`[^|]+`) +\|", keys.__doc__ or "", re.MULTILINE)
    formats = dict.fromkeys(one for cell in chart for one in re.findall(r"`([^`]+)`", cell))
    return [VARIABLE.sub("*", one) for one in formats]


@cache
def _patterns_from(beginning: str) -> list[tuple[str, re.Pattern[str]]]:
    """Those of `_patterns` that can fit a key with this beginning: few of two hundred, and each call asks."""
    return [
        (shape, pattern)
        for shape, pattern in _patterns()
        if shape.partition("#")[0] == beginning or "*" in shape.partition("#")[0]
    ]


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    shapes = [*shapes_of_the_table(), *(VARIABLE.sub("*", one) for one in OF_INDEXES)]
    shapes.sort(key=lambda shape: shape.count("*"))
    # A variable holds no `#`, but where somebody asks for a handle or a name that holds one.
    return [
        (shape, re.compile(re.escape(shape).replace(r"\*", variable)))
        for variable in ("[^#]*", ".*")
        for shape in shapes
    ]


# What a role did, as Amazon's IAM judges it: an action on a resource, with a partition key where there is one.
#
# A transaction is judged as the single actions that it holds, a batch as one action for each of its keys.

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
        # table, index/<name>, stream, media/<folder>, photos, archive, exports, kms, letters, mail events or person
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
    if service == "sqs":
        yield Use(role, "mail events", NO_KEY, False, operation)
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


# How Amazon's IAM judges a use by a document of `deploy/iam`, as far as those documents go.
#
# An action is allowed if a statement allows it and none denies it. Whatever is not known here, such as another
# operator of conditions, is an error: a misspelt condition would let everything through.

FOLDER = Path(__file__).resolve().parents[2] / "deploy" / "iam"
TABLE = "arn:aws:dynamodb:${Region}:${Account}:table/${Table}"
RESOURCES = {
    "media/avatars": "arn:aws:s3:::${MediaBucket}",
    "media/headers": "arn:aws:s3:::${MediaBucket}",
    "archive": "arn:aws:s3:::${ArchiveBucket}",
    "exports": "arn:aws:s3:::${ExportBucket}",
    "photos": "arn:aws:s3:::${PhotoBucket}",
}
KMS_KEY = "arn:aws:kms:${Region}:${Account}:key/${KmsKey}"
MAIL_IDENTITY = "arn:aws:ses:${Region}:${Account}:identity/${MailIdentity}"
MAIL_EVENTS = "arn:aws:sqs:${Region}:${Account}:${MailEventsQueue}"
PERSON_ROLE = "arn:aws:iam::${Account}:role/${PersonRole}"
OF_BUCKETS = {"ListBucket"}  # the others are about what is in a bucket
LEADING_KEYS = "dynamodb:LeadingKeys"
ATTRIBUTES = "dynamodb:Attributes"
ENCLOSING = "dynamodb:EnclosingOperation"
SCOPE = "kms:EncryptionContext:scope"
SENDER = "ses:FromAddress"
OF_PERSON = "session/person"  # the document of the role that STS gives for one person
TAG = re.compile(r"\$\{aws:PrincipalTag/([^}]+)\}")


@dataclass(frozen=True)
class Statement:
    sid: str
    effect: str
    actions: tuple[str, ...]
    resources: tuple[str, ...]
    condition: dict[str, dict[str, list[str]]]

    def covers(self, use: Use) -> bool:
        """Whether this statement, its condition left aside, is about such a use."""
        return action_of(use) in self.actions and any(
            fnmatchcase(resource_of(use), pattern) for pattern in self.resources
        )

    def applies_to(self, use: Use) -> bool:
        return self.covers(use) and self.holds_for(context_of(use), tags={})

    def holds_for(self, context: Mapping[str, Sequence[str]], *, tags: Mapping[str, str]) -> bool:
        """Whether the condition holds for a request with this context, from a session with these tags. It holds for
        none that lacks a tag which it names."""
        named = {tag for wanted in self._wanted() for one in wanted for tag in TAG.findall(one)}
        return named <= tags.keys() and all(
            holds(
                operator, context[key], [TAG.sub(lambda tag: tags[tag[1]], one) for one in wanted]
            )
            for operator, keys in self.condition.items()
            for key, wanted in keys.items()
        )

    def _wanted(self) -> list[list[str]]:
        return [wanted for keys in self.condition.values() for wanted in keys.values()]

    def only(self, action: str, resource: str) -> "Statement":
        """The part of this statement that is about one action on one resource."""
        return replace(self, actions=(action,), resources=(resource,))

    @property
    def key_patterns(self) -> list[str]:
        return [
            pattern
            for operator, keys in self.condition.items()
            for key, patterns in keys.items()
            if key == LEADING_KEYS and operator != "Null"
            for pattern in patterns
        ]


@cache
def read_document(role: str) -> list[Statement]:
    document = json.loads((FOLDER / f"{role}.json").read_text())
    assert document["Version"] == "2012-10-17"
    return [_statement(**raw) for raw in document["Statement"]]


def is_denied(use: Use) -> bool:
    return any(one.effect == "Deny" and one.applies_to(use) for one in read_document(use.role))


def is_allowed(use: Use) -> bool:
    allows = [one for one in read_document(use.role) if one.effect == "Allow"]
    return any(one.applies_to(use) for one in allows) and not is_denied(use)


def may_change(role: str, update: Mapping[str, Any]) -> bool:
    """Whether a role may send this update, whose attributes are those of its key and of all its expressions."""
    key = {name: value["S"] for name, value in update["Key"].items()}
    names = [*key, *update["ExpressionAttributeNames"].values()]
    context = {LEADING_KEYS: [key["PK"]], ATTRIBUTES: names, ENCLOSING: ["TransactWriteItems"]}
    held = [
        one.effect
        for one in read_document(role)
        if "dynamodb:UpdateItem" in one.actions and one.holds_for(context, tags={})
    ]
    return "Allow" in held and "Deny" not in held


def is_allowed_as_person(
    action: str, leading_keys: Sequence[str], *, tags: Mapping[str, str], index: str = ""
) -> bool:
    """Whether a session of the role for one person may do this with the items of the table, or of an index. Amazon
    judges all keys of a batch at once."""
    resource = f"{TABLE}/index/{index}" if index else TABLE
    context = {LEADING_KEYS: leading_keys}
    statements = [
        one
        for one in read_document(OF_PERSON)
        if f"dynamodb:{action}" in one.actions and resource in one.resources
    ]
    held = [one.effect for one in statements if one.holds_for(context, tags=tags)]
    return "Allow" in held and "Deny" not in held


def action_of(use: Use) -> str:
    if use.resource == "kms":
        return f"kms:{use.action}"
    if use.resource == "letters":
        return f"ses:{use.action}"
    if use.resource == "mail events":
        return f"sqs:{use.action}"
    if use.resource == "person":
        return f"sts:{use.action}"
    return f"{'s3' if use.resource in RESOURCES else 'dynamodb'}:{use.action}"


def resource_of(use: Use) -> str:
    if use.resource == "kms":
        return KMS_KEY
    if use.resource == "letters":
        return MAIL_IDENTITY
    if use.resource == "mail events":
        return MAIL_EVENTS
    if use.resource == "person":
        return PERSON_ROLE
    if bucket := RESOURCES.get(use.resource):
        return bucket if use.action in OF_BUCKETS else f"{bucket}/{_object_of(use)}"
    of_table = {"table": "", "stream": "/stream/2026-11-21T00:00:00.000"}
    return TABLE + of_table.get(use.resource, f"/{use.resource}")


def context_of(use: Use) -> dict[str, list[str]]:
    return {
        LEADING_KEYS: [key_of(use.key_shape)] if use.key_shape != NO_KEY else [],
        ATTRIBUTES: [],  # uses do not state them: `may_change` judges those of a request
        ENCLOSING: ["TransactWriteItems"] if use.in_transaction else [],
        SCOPE: ["socialsite"],  # which `accounts/encryption/person_keys.py` gives to each call
        SENDER: ["${MailFrom}"],  # every letter is from the site itself
    }


def holds(operator: str, found: Sequence[str], wanted: Sequence[str]) -> bool:
    match operator:
        case "StringEquals":
            return len(found) == 1 and found[0] in wanted
        case "ForAnyValue:StringLike":
            return any(fnmatchcase(one, pattern) for one in found for pattern in wanted)
        case "ForAllValues:StringEquals":
            return all(one in wanted for one in found)
        case "ForAllValues:StringLike":  # as Amazon's, it holds where nothing is found
            return all(any(fnmatchcase(one, pattern) for pattern in wanted) for one in found)
        case "Null":
            return list(wanted) == ["false" if found else "true"]
        case "ForAllValues:StringNotEquals":
            return not any(one in wanted for one in found)
        case _:
            raise ValueError(f"nobody said here what {operator} means")


def _statement(
    Sid: str,  # noqa: N803 - as Amazon spells them
    Effect: str,  # noqa: N803
    Action: list[str],  # noqa: N803
    Resource: list[str],  # noqa: N803
    Condition: dict[str, dict[str, list[str]]] | None = None,  # noqa: N803
) -> Statement:
    assert Effect in ("Allow", "Deny")
    return Statement(Sid, Effect, tuple(Action), tuple(Resource), Condition or {})


def _object_of(use: Use) -> str:
    return {
        "media/avatars": "avatars/X.webp",
        "media/headers": "headers/X-750.webp",
        "archive": "archive/date=2026-11-21/X.jsonl.gz",
        "exports": "X/X/export.zip",
        "photos": "private/X/480.webp",
    }[use.resource]
