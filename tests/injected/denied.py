"""A role that lacks a right: what DynamoDB, its stream and S3 answer then."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from botocore.awsrequest import AWSResponse
from django.core.files.storage import Storage

from tests.injected.hook import Fault, _Body

IN_S3 = b"<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>"


def denied(*operations: str) -> Fault:
    """These operations are denied, or all."""
    return Fault(
        "denied",
        lambda sending: sending.refuse("AccessDeniedException"),
        operations=frozenset(operations),
    )


@contextmanager
def denied_bucket(storage: Storage) -> Iterator[None]:
    """Everything asked of this storage's bucket is denied."""
    events: Any = storage.connection.meta.client.meta.events  # type: ignore[attr-defined]

    def deny(request: Any, **_: Any) -> AWSResponse:
        return AWSResponse(request.url, 403, {"Content-Type": "application/xml"}, _Body(IN_S3))

    events.register_first("before-send.s3", deny)
    try:
        yield
    finally:
        events.unregister("before-send.s3", deny)
