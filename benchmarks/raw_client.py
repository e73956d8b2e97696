"""The floor: what any client of DynamoDB must do, and nothing else.

One kept-alive connection, a Signature Version 4 made by hand, JSON in and out; no retries, no checks, no models.
"""

import hashlib
import hmac
import http.client
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import orjson

from socialsite.table import PAGE_SIZE, RawItem, keys
from socialsite.table.transport.requests import wire

REGION, ACCESS_KEY, SECRET_KEY = "us-east-1", "local", "local"
SIGNED = "host;x-amz-date;x-amz-target"
BATCH_WRITE_LIMIT = 25


class RawClient:
    def __init__(self, url: str) -> None:
        self._host = urlsplit(url).netloc
        self._connection = http.client.HTTPConnection(self._host, timeout=30)
        self._signing_day, self._signing_key = "", b""

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        body = orjson.dumps(request)
        self._connection.request(
            "POST", "/", body, self._headers(f"DynamoDB_20120810.{operation}", body)
        )
        response = self._connection.getresponse()
        answer: dict[str, Any] = orjson.loads(response.read())
        if response.status != 200:
            raise RuntimeError(f"{operation}: {answer}")
        return answer

    def timeline(self, table: str, user_id: str) -> list[RawItem]:
        """The items of a home timeline: the same two calls that the site makes for it."""
        entries = self.call(
            "Query",
            {
                "TableName": table,
                "KeyConditionExpression": "PK = :pk",
                "ExpressionAttributeValues": {":pk": {"S": keys.timeline(user_id)}},
                "ScanIndexForward": False,
                "ConsistentRead": False,
                "ReturnConsumedCapacity": "TOTAL",
                "Limit": PAGE_SIZE + 1,
            },
        )["Items"][:PAGE_SIZE]
        posts = [(entry["post_id"]["S"], entry["author_id"]["S"]) for entry in entries]
        # In the site's order: the engine takes up to a tenth more or less time in another one.
        wanted = [keys.post(author_id, post_id) for post_id, author_id in posts]
        wanted += dict.fromkeys(keys.user_info(author_id) for _, author_id in posts)
        for post_id, _ in posts:
            wanted += (keys.like_count(post_id), keys.like_trace(user_id, post_id))
        asked = {"Keys": [wire(key) for key in wanted], "ConsistentRead": False}
        request = {"RequestItems": {table: asked}, "ReturnConsumedCapacity": "TOTAL"}
        items: list[RawItem] = self.call("BatchGetItem", request)["Responses"][table]
        return items

    def write(self, table: str, items: Sequence[RawItem]) -> None:
        """At most 25 items, in one BatchWriteItem."""
        asked: Any = {table: [{"PutRequest": {"Item": item}} for item in items]}
        while asked:
            asked = self.call("BatchWriteItem", {"RequestItems": asked}).get("UnprocessedItems")

    def _headers(self, target: str, body: bytes) -> dict[str, str]:
        now = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        day = now[:8]
        canonical = (
            f"POST\n/\n\nhost:{self._host}\nx-amz-date:{now}\nx-amz-target:{target}\n\n{SIGNED}\n"
            f"{hashlib.sha256(body).hexdigest()}"
        )
        scope = f"{day}/{REGION}/dynamodb/aws4_request"
        text = f"AWS4-HMAC-SHA256\n{now}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
        signature = hmac.new(self._key_of(day), text.encode(), hashlib.sha256).hexdigest()
        return {
            "Content-Type": "application/x-amz-json-1.0",
            "X-Amz-Date": now,
            "X-Amz-Target": target,
            "Authorization": f"AWS4-HMAC-SHA256 Credential={ACCESS_KEY}/{scope}, "
            f"SignedHeaders={SIGNED}, Signature={signature}",
        }

    def _key_of(self, day: str) -> bytes:
        if day != self._signing_day:
            key = f"AWS4{SECRET_KEY}".encode()
            for part in (day, REGION, "dynamodb", "aws4_request"):
                key = hmac.new(key, part.encode(), hashlib.sha256).digest()
            self._signing_day, self._signing_key = day, key
        return self._signing_key
