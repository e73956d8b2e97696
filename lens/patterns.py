"""The access patterns of the code: what each does, where it stands, what it reads and writes."""

import csv
import inspect
import json
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import groupby
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

from django.conf import settings

from socialsite.table import escalated_index_name, type_index_name

COMMANDS = {
    "GetItem": "get-item",
    "Query": "query",
    "BatchGetItem": "batch-get-item",
    "TransactGetItems": "transact-get-items",
    "TransactWriteItems": "transact-write-items",
    "BatchWriteItem": "batch-write-item",
    "PutItem": "put-item",
    "UpdateItem": "update-item",
    "DeleteItem": "delete-item",
}
QUERIES = {
    type_index_name: "Item.type_index.query",
    escalated_index_name: "Item.escalated_index.query",
}
# What a call of PynamoDB can be written from; a request with more is not written, rather than written wrong.
OF_QUERY = {
    *("TableName", "IndexName", "KeyConditionExpression", "ExpressionAttributeNames"),
    *("ExpressionAttributeValues", "ScanIndexForward", "ConsistentRead", "Limit"),
    *("ExclusiveStartKey", "ReturnConsumedCapacity"),
}
CONDITIONS = {  # of sort keys, as the table's code writes them
    "": "",
    "SK BETWEEN :low AND :high": "Item.sk.between({low}, {high})",
    "#sk BETWEEN :low AND :high": "{sk}.between({low}, {high})",
    "#sk < :place": "{sk} < {place}",
    "#sk > :place": "{sk} > {place}",
}
ATTRIBUTES = {"update_time": "Item.update_time", "escalated_at": "Item.escalated_at"}


def as_cli(operation: str, request: Mapping[str, Any]) -> str:
    """Returns the call of the AWS CLI."""
    command = COMMANDS.get(operation, operation.lower())
    asked = json.dumps(request, ensure_ascii=False)
    return f"aws dynamodb {command} --cli-input-json {shlex.quote(asked)}"


def as_pynamodb(operation: str, request: Mapping[str, Any]) -> str:
    """Returns the call of PynamoDB for a read, empty for a request that it cannot say."""
    match operation:
        case "GetItem":
            consistent = ", consistent_read=True" if request.get("ConsistentRead") else ""
            return f"Item.get({_key(request['Key'])}{consistent})"
        case "BatchGetItem":
            (asked,) = request["RequestItems"].values()
            keys = ", ".join(f"({_key(key)})" for key in asked["Keys"])
            consistent = ", consistent_read=True" if asked.get("ConsistentRead") else ""
            return f"list(Item.batch_get([{keys}]{consistent}))"
        case "Query":
            return _query(request)
        case _:
            return ""


def _query(request: Mapping[str, Any]) -> str:
    _, _, condition = request["KeyConditionExpression"].partition(" AND ")
    if set(request) - OF_QUERY or condition not in CONDITIONS:
        return ""
    query = QUERIES.get(request.get("IndexName", ""), "Item.query")
    return f"list({query}({', '.join(_query_arguments(request, CONDITIONS[condition]))}))"


def _query_arguments(request: Mapping[str, Any], condition: str) -> Iterator[str]:
    values = {
        name.removeprefix(":"): repr(next(iter(value.values())))
        for name, value in request["ExpressionAttributeValues"].items()
    }
    names = request.get("ExpressionAttributeNames", {})
    yield values["pk"]
    if condition:
        yield condition.format(sk=ATTRIBUTES.get(names.get("#sk", ""), ""), **values)
    if "Limit" in request:
        yield f"limit={request['Limit']}"
    if not request.get("ScanIndexForward", True):
        yield "scan_index_forward=False"
    if request.get("ConsistentRead"):
        yield "consistent_read=True"
    if "ExclusiveStartKey" in request:
        yield f"last_evaluated_key={request['ExclusiveStartKey']!r}"


def _key(key: Mapping[str, Any]) -> str:
    return f"{key['PK']['S']!r}, {key['SK']['S']!r}"


NUMBERS = {
    "get_user_info": 1,
    "list_followers": 2,
    "list_following": 3,
    "list_posts": 4,
    "list_likers": 5,
    "get_like_count": 6,
    "get_timeline": 7,
}
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\d])")
CALL = re.compile(
    r"\b(Quer(y|ies)|(Batch)?GetItems?|TransactWriteItems|PutItem|UpdateItem|BatchWriteItem|Scans?|DescribeTable)\b"
    r"|\bunits?\b"
)
AS_ANOTHER = re.compile(
    r"^((Then )?[Aa]s|Costs?|What|Reads|Before it what|Each further post costs|`\w+`,? (and|then))\b.*`\w+`"
    r"|^(The same calls|Nothing is read|Costs nothing)"
)
PUBLISHED = re.compile(r"^Pattern \d, (\w+): ")
WITHOUT_PATTERNS = ("__main__", ".install", ".settings", ".without_nginx", ".wsgi")


@dataclass(frozen=True, slots=True)
class Pattern:
    """`file` and `line` are where it stands, empty if no function of the code has the name."""

    name: str
    number: int = 0
    does: str = ""
    file: str = ""
    line: int = 0


@cache
def pattern_of(name: str) -> Pattern:
    """Returns the pattern of this name. The first time it looks through all modules."""
    function = _functions().get(name)
    if function is None:
        return Pattern(name)
    wrapped = inspect.unwrap(function)
    file = Path(inspect.getsourcefile(wrapped) or "").relative_to(settings.BASE_DIR)
    does = " ".join(said(wrapped))
    return Pattern(name, NUMBERS.get(name, 0), does, str(file), inspect.getsourcelines(wrapped)[1])


def said(function: Callable[..., Any]) -> tuple[str, str]:
    """Returns what a docstring says is done, which is its first sentence, and all that it says of calls and units."""
    text = PUBLISHED.sub("", " ".join((inspect.getdoc(function) or "").split()))
    first, *more = SENTENCE.split(text)
    does, colon, rest = first.partition(": ")
    if colon and CALL.search(rest) and not CALL.search(does):
        first, more = f"{does}.", [rest[:1].upper() + rest[1:], *more]
    costs = " ".join(one for one in more if CALL.search(one) or AS_ANOTHER.search(one))
    return first[:1].upper() + first[1:], costs


def published(name: str) -> str:
    """Returns what the published model calls one of its seven patterns, `getTimelineByUserID`."""
    match = PUBLISHED.match(_functions()[name].__doc__ or "")
    return match[1] if match else ""


@cache
def _functions() -> dict[str, Callable[..., Any]]:
    return {
        function.__name__: function
        for function, _ in _marked()
        if inspect.unwrap(function).__qualname__ == function.__name__
    }


@cache
def whole_names() -> dict[str, str]:
    """Returns the patterns by name, as `relations.reads:list_followers`."""
    return {name: whole_name(function) for name, function in _functions().items()}


def whole_name(function: Callable[..., Any]) -> str:
    return f"{function.__module__}:{inspect.unwrap(function).__qualname__}"


def access_patterns() -> list[Callable[..., Any]]:
    """Returns every access pattern of the code once, methods too, in the order of the modules."""
    return [value for value, where in _marked() if value.__module__ == where]


def _marked() -> Iterator[tuple[Callable[..., Any], str]]:
    """Yields what is marked, with the module in which it was found."""
    # Most modules of operations are commands.
    rooms = [room for room in settings.ROOMS if room != "operations"]
    for room in [*rooms, "operations.alarms"]:
        for module in walk_packages(import_module(room).__path__, f"{room}."):
            if module.name.endswith(WITHOUT_PATTERNS):
                continue
            for value in vars(import_module(module.name)).values():
                own = vars(value).values() if isinstance(value, type) else (value,)
                for one in own:
                    if getattr(one, "is_access_pattern", False):
                        yield one, module.name


# Which function reads, writes, deletes or checks items of which type.
#
# Nobody writes `uses.tsv`: the tests note it from the calls that they see, and a use that it lacks fails the
# test that sees it (`tests/lens/recorder.py`).

TABLE = Path(__file__).with_name("uses.tsv")
HEAD = ("item", "function", "does")
VERBS = ("read", "write", "delete", "check")


@dataclass(frozen=True, slots=True, order=True)
class Use:
    """A function, by its whole name, does something with items of a type."""

    item: str
    function: str
    verb: str

    def __str__(self) -> str:
        return f"{self.function} does a {self.verb} of {self.item}"


@dataclass(frozen=True, slots=True)
class Function:
    """Where a function stands, by the code that runs."""

    name: str
    file: str
    line: int
    does: str


def read_uses() -> Iterator[Use]:
    """Yields the uses of the file."""
    with TABLE.open(newline="") as file:
        for item, function, verbs in list(csv.reader(file, delimiter="\t"))[1:]:
            yield from (Use(item, function, verb) for verb in verbs.split())


def write_uses(uses: Iterable[Use]) -> None:
    """Writes the file, a sorted row for each item and function."""
    with TABLE.open("w", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(HEAD)
        for (item, function), found in groupby(sorted(uses), lambda use: (use.item, use.function)):
            verbs = {use.verb for use in found}
            writer.writerow([item, function, " ".join(verb for verb in VERBS if verb in verbs)])


@cache
def functions_of(item: str) -> dict[str, list[Function]]:
    """Returns the functions that use items of a type, by what they do."""
    found: dict[str, list[Function]] = {}
    for verb in VERBS:
        names = [use.function for use in read_uses() if use.item == item and use.verb == verb]
        if names:
            found[verb] = [function_of(name) for name in names]
    return found


@cache
def function_of(whole_name: str) -> Function:
    """Returns where `feed.profiles.reads:list_posts` stands. Raises `ImportError` or `AttributeError` if it stands
    nowhere."""
    module, _, name = whole_name.partition(":")
    function: Any = import_module(module)
    for part in name.split("."):
        function = getattr(function, part)
    function = inspect.unwrap(function)
    file = Path(inspect.getsourcefile(function) or "").relative_to(settings.BASE_DIR)
    does = said(function)[0].replace("`", "")
    return Function(name, str(file), inspect.getsourcelines(function)[1], does)
