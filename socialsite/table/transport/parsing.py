"""Reads DynamoDB's answers: JSON as it is, with bytes for binary values.

botocore walks the AttributeValue shape for every value, a quarter of a page's time. The JSON is already what we want,
but for binary values, which few answers have. `register` lets botocore's own calls be read in the same way, and as
strictly: botocore reads any body as an empty answer, and so would take a proxy's page for a finished write.
"""

import base64
from typing import Any

import orjson

from socialsite.table.errors import Unavailable

OPERATIONS = (
    *("GetItem", "Query", "BatchGetItem"),
    *("PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"),
)

BINARY = b'"B":'  # no text of a person can hold it: quotation marks in JSON are escaped
STRANGE = "something other than DynamoDB answered"


def answer_of(body: bytes) -> dict[str, Any]:
    """Returns the answer in a body of a call that went well. Raises `Unavailable` if DynamoDB cannot have said it."""
    try:
        parsed = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise Unavailable(STRANGE) from error
    if not isinstance(parsed, dict):
        raise Unavailable(STRANGE)
    return {name: with_bytes(value) for name, value in parsed.items()} if BINARY in body else parsed


def with_bytes(parsed: Any) -> Any:
    """Returns a parsed answer with bytes where JSON has the base64 of a binary value."""
    if isinstance(parsed, list):
        return [with_bytes(one) for one in parsed]
    if not isinstance(parsed, dict):
        return parsed
    if isinstance(encoded := parsed.get("B"), str):
        return {"B": base64.b64decode(encoded)}
    return {name: with_bytes(value) for name, value in parsed.items()}


def register(events: Any) -> None:
    """Hooks this into a botocore client's events."""
    for operation in OPERATIONS:
        events.register(f"before-parse.dynamodb.{operation}", _parse_fast)


def _parse_fast(
    response_dict: dict[str, Any], customized_response_dict: dict[str, Any], **_: Any
) -> None:
    # Only answers without errors: those keep botocore's own path.
    if response_dict["status_code"] == 200:
        customized_response_dict.update(answer_of(response_dict["body"]))
        response_dict["body"] = b"{}"
