"""DynamoDB in the process: one table with its sparse indexes, its stream and its TTL, under a clock that is given.

It does what the site asks of an engine and nothing more, always in the same order. `shards.py` has the stream, and
`network.py` is how calls come here. `test_engine.py` plays calls here and on the embedded engine, and compares.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.simulation.expressions import BadExpression, Raw, condition, update
from tests.simulation.shards import Shards

Place = tuple[str, str]  # partition key and sort key
Answer = tuple[int, dict[str, Any]]

TOKEN_LASTS = 600.0  # seconds
MOST_ACTIONS = 100
BY_TTL = {"Type": "Service", "PrincipalId": "dynamodb.amazonaws.com"}


class Refusal(Exception):
    def __init__(self, code: str, status: int = 400, **more: Any) -> None:
        super().__init__(code)
        self.code, self.status, self.more = code, status, more

    @property
    def body(self) -> dict[str, Any]:
        kind = f"com.amazonaws.dynamodb.v20120810#{self.code}"
        return {"__type": kind, "message": f"simulated {self.code}"} | self.more


FAILED = "ConditionalCheckFailed"


@dataclass
class Index:
    """A sparse index: an item is in it while it has both attributes."""

    hash_key: str
    range_key: str
    partitions: dict[str, list[tuple[str, str, str]]] = field(default_factory=dict)

    def move(self, place: Place, old: Raw | None, new: Raw | None) -> None:
        before, after = self._entry(place, old), self._entry(place, new)
        if before == after:
            return
        if before:
            entries = self.partitions[before[0]]
            del entries[bisect_left(entries, before[1])]
        if after:
            insort(self.partitions.setdefault(after[0], []), after[1])

    def _entry(self, place: Place, item: Raw | None) -> tuple[str, tuple[str, str, str]] | None:
        if item is None or self.hash_key not in item or self.range_key not in item:
            return None
        return item[self.hash_key]["S"], (item[self.range_key]["S"], *place)


@dataclass
class Engine:
    """`now` is asked for the time, `table` is the name of the one table."""

    now: Callable[[], float]
    table: str = "simulated"
    items: dict[Place, Raw] = field(default_factory=dict)
    partitions: dict[str, list[str]] = field(default_factory=dict)
    indexes: dict[str, Index] = field(default_factory=dict)
    shards: Shards = field(default_factory=Shards)
    description: dict[str, Any] = field(default_factory=dict)
    tokens: dict[str, tuple[float, str]] = field(default_factory=dict)
    calls: int = 0
    most_scanned: int = 2000  # items of a page, as its size in bytes is not measured

    # One call

    def answer(self, operation: str, request: dict[str, Any]) -> Answer:
        """Status and body of the answer to a call."""
        self.calls += 1
        does = OPERATIONS.get(operation)
        try:
            if does is None:
                raise Refusal("UnknownOperationException")
            return 200, does(self, request)
        except Refusal as refused:
            return refused.status, refused.body
        except BadExpression as bad:
            return 400, Refusal("ValidationException", why=str(bad)).body

    # Reading

    def get_item(self, request: dict[str, Any]) -> dict[str, Any]:
        item = self.items.get(_place(request["Key"]))
        return ({"Item": item} if item else {}) | _cost(0.5)

    def batch_get(self, request: dict[str, Any]) -> dict[str, Any]:
        ((table, asked),) = request["RequestItems"].items()
        places = [_place(key) for key in asked["Keys"]]
        if len(places) > 100 or len(set(places)) < len(places):
            raise Refusal("ValidationException")
        found = [self.items[one] for one in places if one in self.items]
        return {"Responses": {table: found}, "UnprocessedKeys": {}} | _costs(0.5 * len(places))

    def query(self, request: dict[str, Any]) -> dict[str, Any]:
        names = request.get("ExpressionAttributeNames", {})
        wanted = _bounds(request["KeyConditionExpression"])
        values = request["ExpressionAttributeValues"]
        partition = values[wanted.partition]["S"]
        start = request.get("ExclusiveStartKey")
        if "IndexName" in request:
            entries = self._in_index(
                request["IndexName"], partition, wanted, values, start, request
            )
        else:
            entries = self._in_table(partition, wanted, values, start, request)
        limit = request.get("Limit") or len(entries)
        page, rest = entries[:limit], len(entries) > limit
        found = [self.items[place] for place in page]
        looked_at = len(found)
        if having := request.get("FilterExpression"):
            holds = condition(having)
            found = [item for item in found if holds(item, names, values)]
        answer: dict[str, Any] = {"Items": found, "Count": len(found), "ScannedCount": looked_at}
        if page and (rest or request.get("Limit") == len(page)):
            answer["LastEvaluatedKey"] = self._last(page[-1], request.get("IndexName"))
        return answer | _cost(max(0.5, 0.1 * looked_at))

    def _in_table(
        self, partition: str, wanted: "_Bounds", values: Any, start: Any, request: dict[str, Any]
    ) -> list[Place]:
        sorted_keys = self.partitions.get(partition, [])
        low, high = wanted.slice(sorted_keys, values)
        if start is not None:
            if start["PK"]["S"] != partition:
                raise Refusal("ValidationException")
            if request.get("ScanIndexForward", True):
                low = max(low, bisect_right(sorted_keys, start["SK"]["S"]))
            else:
                high = min(high, bisect_left(sorted_keys, start["SK"]["S"]))
        found = [(partition, sk) for sk in sorted_keys[low:high]]
        return found if request.get("ScanIndexForward", True) else found[::-1]

    def _in_index(
        self,
        name: str,
        partition: str,
        wanted: "_Bounds",
        values: Any,
        start: Any,
        request: dict[str, Any],
    ) -> list[Place]:
        index = self.indexes[name]
        entries = index.partitions.get(partition, [])
        keys = [one[0] for one in entries]
        low, high = wanted.slice(keys, values)
        if start is not None:
            place = (start[index.range_key]["S"], start["PK"]["S"], start["SK"]["S"])
            if request.get("ScanIndexForward", True):
                low = max(low, bisect_right(entries, place))
            else:
                high = min(high, bisect_left(entries, place))
        found = [(pk, sk) for _, pk, sk in entries[low:high]]
        return found if request.get("ScanIndexForward", True) else found[::-1]

    def _last(self, place: Place, index: str | None) -> dict[str, Any]:
        last = {"PK": {"S": place[0]}, "SK": {"S": place[1]}}
        if index:
            item, of_index = self.items[place], self.indexes[index]
            for name in (of_index.hash_key, of_index.range_key):
                last[name] = item[name]
        return last

    def scan(self, request: dict[str, Any]) -> dict[str, Any]:
        places = sorted(self.items)
        start = request.get("ExclusiveStartKey")
        first = bisect_right(places, _place(start)) if start else 0
        limit = min(request.get("Limit") or self.most_scanned, self.most_scanned)
        page = places[first : first + limit]
        found = [self.items[place] for place in page]
        if having := request.get("FilterExpression"):
            holds, values = condition(having), request.get("ExpressionAttributeValues", {})
            names = request.get("ExpressionAttributeNames", {})
            found = [item for item in found if holds(item, names, values)]
        answer: dict[str, Any] = {"Items": found, "Count": len(found), "ScannedCount": len(page)}
        if first + limit < len(places):
            answer["LastEvaluatedKey"] = self._last(page[-1], None)
        return answer | _cost(0.5 * len(page))

    # Writing

    def put_item(self, request: dict[str, Any]) -> dict[str, Any]:
        self._check(request, place := _place(request["Item"]))
        self._write(place, request["Item"])
        return _cost(1)

    def update_item(self, request: dict[str, Any]) -> dict[str, Any]:
        self._check(request, place := _place(request["Key"]))
        old = self.items.get(place)
        new = self._updated(request, place)
        self._write(place, new)
        told = {"ALL_NEW": new, "ALL_OLD": old}.get(request.get("ReturnValues", ""))
        return ({"Attributes": told} if told else {}) | _cost(1)

    def delete_item(self, request: dict[str, Any]) -> dict[str, Any]:
        self._check(request, place := _place(request["Key"]))
        self._write(place, None)
        return _cost(1)

    def batch_write(self, request: dict[str, Any]) -> dict[str, Any]:
        ((_, asked),) = request["RequestItems"].items()
        places = [_written(one)[0] for one in asked]
        if len(asked) > 25 or len(set(places)) < len(places):
            raise Refusal("ValidationException")
        for one in asked:
            self._write(*_written(one))
        return {"UnprocessedItems": {}} | _costs(len(asked))

    def transact(self, request: dict[str, Any]) -> dict[str, Any]:
        actions = request["TransactItems"]
        token = request.get("ClientRequestToken", "")
        known = self.tokens.get(token)
        if token and known and known[0] > self.now():
            if known[1] != repr(actions):
                raise Refusal("IdempotentParameterMismatchException")
            return _costs(2 * len(actions))
        planned: list[tuple[Place, Raw | None] | None] = []
        reasons: list[dict[str, Any]] = []
        for action in actions:
            ((kind, asked),) = action.items()
            place = _place(asked["Item"] if kind == "Put" else asked["Key"])
            reasons.append(self._reason(asked, place))
            planned.append(None)
            if reasons[-1]["Code"] == "None" and kind != "ConditionCheck":
                planned[-1] = (place, self._become(kind, asked, place))
        places = [_place(one.get("Item") or one["Key"]) for a in actions for one in a.values()]
        if len(actions) > MOST_ACTIONS or len(set(places)) < len(places):
            raise Refusal("ValidationException")
        if any(reason["Code"] != "None" for reason in reasons):
            raise Refusal("TransactionCanceledException", CancellationReasons=reasons)
        for one in planned:
            if one is not None:
                self._write(*one)
        if token:
            self.tokens[token] = (self.now() + TOKEN_LASTS, repr(actions))
            if len(self.tokens) > 5000:
                self.tokens = {k: v for k, v in self.tokens.items() if v[0] > self.now()}
        return _costs(2 * len(actions))

    def _become(self, kind: str, asked: dict[str, Any], place: Place) -> Raw | None:
        if kind == "Put":
            return dict(asked["Item"])
        return None if kind == "Delete" else self._updated(asked, place)

    def _reason(self, asked: dict[str, Any], place: Place) -> dict[str, Any]:
        if self._holds(asked, place):
            return {"Code": "None"}
        reason: dict[str, Any] = {"Code": FAILED, "Message": "simulated"}
        if asked.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD" and place in self.items:
            reason["Item"] = self.items[place]
        return reason

    def _holds(self, request: dict[str, Any], place: Place) -> bool:
        text = request.get("ConditionExpression")
        if not text:
            return True
        names = request.get("ExpressionAttributeNames", {})
        values = request.get("ExpressionAttributeValues", {})
        return condition(text)(self.items.get(place, {}), names, values)

    def _check(self, request: dict[str, Any], place: Place) -> None:
        if not self._holds(request, place):
            more = {}
            wish = request.get("ReturnValuesOnConditionCheckFailure")
            if wish == "ALL_OLD" and place in self.items:
                more = {"Item": self.items[place]}
            raise Refusal("ConditionalCheckFailedException", **more)

    def _updated(self, request: dict[str, Any], place: Place) -> Raw:
        old = self.items.get(place) or {"PK": {"S": place[0]}, "SK": {"S": place[1]}}
        names = request.get("ExpressionAttributeNames", {})
        values = request.get("ExpressionAttributeValues", {})
        return update(request["UpdateExpression"])(old, names, values)

    def _write(self, place: Place, new: Raw | None, by: dict[str, str] | None = None) -> None:
        old = self.items.get(place)
        if old == new:  # Amazon makes no record of what changed nothing
            return
        if new is None:
            del self.items[place]
            sorted_keys = self.partitions[place[0]]
            del sorted_keys[bisect_left(sorted_keys, place[1])]
            if not sorted_keys:
                del self.partitions[place[0]]
        else:
            self.items[place] = new
            if old is None:
                insort(self.partitions.setdefault(place[0], []), place[1])
        for index in self.indexes.values():
            index.move(place, old, new)
        self.shards.note(place, old, new, moment=self.now(), by=by)

    def let_go(self, most: int = 1_000_000) -> int:
        """Deletes what is past its `ttl`, as the table does some time later."""
        now = self.now()
        over = [p for p, raw in self.items.items() if float(raw.get("ttl", _NEVER)["N"]) <= now]
        for place in over[:most]:
            self._write(place, None, BY_TTL)
        return len(over[:most])

    # The table itself

    def create_table(self, request: dict[str, Any]) -> dict[str, Any]:
        if self.description:
            raise Refusal("ResourceInUseException")
        self.table = request["TableName"]
        for one in request.get("GlobalSecondaryIndexes", []):
            self.indexes[one["IndexName"]] = Index(*[k["AttributeName"] for k in one["KeySchema"]])
        arn = f"arn:aws:dynamodb:sim:000000000000:table/{self.table}"
        self.description = {
            "TableName": self.table,
            "TableStatus": "ACTIVE",
            "KeySchema": request["KeySchema"],
            "AttributeDefinitions": request["AttributeDefinitions"],
            "TableArn": arn,
            "LatestStreamArn": f"{arn}/stream/1",
            "StreamSpecification": request.get("StreamSpecification", {}),
            "GlobalSecondaryIndexes": [
                one | {"IndexStatus": "ACTIVE", "IndexArn": f"{arn}/index/{one['IndexName']}"}
                for one in request.get("GlobalSecondaryIndexes", [])
            ],
            "CreationDateTime": int(self.now()),
        }
        return {"TableDescription": self.description}

    def describe_table(self, request: dict[str, Any]) -> dict[str, Any]:
        if not self.description:
            raise Refusal("ResourceNotFoundException")
        counted = {"ItemCount": len(self.items), "TableSizeBytes": 300 * len(self.items)}
        return {"Table": self.description | counted}

    def update_ttl(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"TimeToLiveSpecification": request["TimeToLiveSpecification"]}

    def describe_ttl(self, request: dict[str, Any]) -> dict[str, Any]:
        told = {"TimeToLiveStatus": "ENABLED", "AttributeName": "ttl"}
        return {"TimeToLiveDescription": told}


_NEVER = {"N": "99999999999"}
OPERATIONS: dict[str, Callable[[Engine, dict[str, Any]], dict[str, Any]]] = {
    "GetItem": Engine.get_item,
    "BatchGetItem": Engine.batch_get,
    "Query": Engine.query,
    "Scan": Engine.scan,
    "PutItem": Engine.put_item,
    "UpdateItem": Engine.update_item,
    "DeleteItem": Engine.delete_item,
    "BatchWriteItem": Engine.batch_write,
    "TransactWriteItems": Engine.transact,
    "CreateTable": Engine.create_table,
    "DescribeTable": Engine.describe_table,
    "UpdateTimeToLive": Engine.update_ttl,
    "DescribeTimeToLive": Engine.describe_ttl,
}


def _place(key: Raw) -> Place:
    return key["PK"]["S"], key["SK"]["S"]


def _written(request: dict[str, Any]) -> tuple[Place, Raw | None]:
    if "PutRequest" in request:
        item = request["PutRequest"]["Item"]
        return _place(item), item
    return _place(request["DeleteRequest"]["Key"]), None


def _cost(units: float) -> dict[str, Any]:
    return {"ConsumedCapacity": {"TableName": "simulated", "CapacityUnits": units}}


def _costs(units: float) -> dict[str, Any]:
    return {"ConsumedCapacity": [{"TableName": "simulated", "CapacityUnits": units}]}


@dataclass(frozen=True, slots=True)
class _Bounds:
    """What a KeyConditionExpression says of the sort key: names of values."""

    partition: str
    sign: str = ""
    one: str = ""
    other: str = ""

    def slice(self, sorted_keys: list[str], values: Any) -> tuple[int, int]:
        if not self.sign:
            return 0, len(sorted_keys)
        one = values[self.one]["S"]
        match self.sign:
            case "BETWEEN":
                other = values[self.other]["S"]
                return bisect_left(sorted_keys, one), bisect_right(sorted_keys, other)
            case "BEGINS_WITH":
                return bisect_left(sorted_keys, one), bisect_left(sorted_keys, f"{one}\U0010ffff")
            case "=":
                return bisect_left(sorted_keys, one), bisect_right(sorted_keys, one)
            case "<":
                return 0, bisect_left(sorted_keys, one)
            case "<=":
                return 0, bisect_right(sorted_keys, one)
            case ">":
                return bisect_right(sorted_keys, one), len(sorted_keys)
            case _:
                return bisect_left(sorted_keys, one), len(sorted_keys)


_read: dict[str, _Bounds] = {}


def _bounds(text: str) -> _Bounds:
    if text not in _read:
        first, _, second = text.strip("()").partition(" AND ")
        partition = first.split("=")[1].strip(" ()")
        words = second.strip("() ").replace("(", " ").replace(")", " ").replace(",", " ").split()
        if not words:
            _read[text] = _Bounds(partition)
        elif words[0] == "begins_with":
            _read[text] = _Bounds(partition, "BEGINS_WITH", words[2])
        elif words[1].upper() == "BETWEEN":
            _read[text] = _Bounds(partition, "BETWEEN", words[2], words[4])
        else:
            _read[text] = _Bounds(partition, words[1], words[2])
    return _read[text]
