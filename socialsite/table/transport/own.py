"""The site's own way to DynamoDB, with a third of the work that botocore needs for a call.

It emits botocore's events with botocore's arguments, so that the meter, the breaker and tests hear both ways. What it
cannot do it gives up, and botocore asks in its place. After several calls in a row that were given up it rests, because
each of them is asked twice.
"""

import base64
import logging
import time
from dataclasses import dataclass, field
from typing import Any

import orjson
from botocore.exceptions import ConnectTimeoutError, ReadTimeoutError

from socialsite.table.resilience.patience import Patience
from socialsite.table.transport.parsing import answer_of
from socialsite.table.transport.reader import GivenUp
from socialsite.table.transport.signing import Signer
from socialsite.table.transport.wire import Line, Wire
from socialsite.web.observing import metrics

log = logging.getLogger(__name__)

OPERATIONS = ("GetItem", "Query", "BatchGetItem", "BatchWriteItem")
# botocore lets listeners put other requests or answers in a call's place here: simulated engines, injected faults.
REPLACING = ("provide-client-params", "before-send")
GIVEN_UP = "given-up.dynamodb"  # an event of our own: botocore asks this call, as another one

RESTS_AFTER = 5  # calls in a row that were sent in vain
REST = 10.0  # seconds
LATE = {"timeout": ReadTimeoutError, "connect timeout": ConnectTimeoutError}


@dataclass(frozen=True, slots=True)
class Answered:
    """What listeners may know of an answer."""

    status_code: int


@dataclass(slots=True)
class Call:
    """A call that has begun. Without a line it was given up while it began."""

    operation: str
    line: Line | None = None
    given_up: GivenUp | None = None
    context: dict[str, Any] = field(default_factory=dict)
    has_ended: bool = False


class OwnWay:
    """The own way of one botocore client. Safe to use from many threads."""

    def __init__(self, client: Any, wire: Wire, *, host: str, patience: Patience) -> None:
        self.client = client
        self.wire = wire
        self._host = host
        self._patience = patience
        self._events = client.meta.events
        self._signer = Signer(client.meta.region_name)
        models = client.meta.service_model
        self._models = {name: models.operation_model(name) for name in OPERATIONS}
        self._unheard: tuple[object, set[str]] = (None, set())  # for these listeners
        self._in_vain = 0  # in a row
        self._rests_until = 0.0

    def is_open_to(self, operation: str) -> bool:
        """Whether this may be asked here: not while it rests, nor while a listener may replace the request."""
        if self._rests_until and time.monotonic() < self._rests_until:
            return False
        emitter = self._events._emitter
        seen, unheard = self._unheard
        listeners = emitter._lookup_cache  # botocore makes it anew whenever they change
        if seen is not listeners:
            found = emitter._handlers.prefix_search
            unheard = {
                name
                for name in OPERATIONS
                if not any(found(f"{event}.dynamodb.{name}") for event in REPLACING)
            }
            self._unheard = (listeners, unheard)
        return operation in unheard

    def begin(self, operation: str, request: dict[str, Any]) -> Call:
        """Sends a call's request. Raises what listeners raise, such as the breaker, and botocore for credentials."""
        call = Call(operation)
        self._emit("before-parameter-build", call, params=request)
        try:
            body = orjson.dumps(request, default=_encoded)
        except TypeError:  # such as half a character, which botocore can write
            call.given_up = GivenUp("request")
            return call
        headers = {
            "X-Amz-Target": f"DynamoDB_20120810.{operation}",
            "Content-Type": "application/x-amz-json-1.0",
        }
        params = {
            "url_path": "/",
            "query_string": "",
            "method": "POST",
            "headers": headers,
            "body": body,
            "url": self.client.meta.endpoint_url,
            "context": call.context,
        }
        self._emit("before-call", call, params=params, request_signer=None)
        try:
            call.line = self.wire.send(self._message(headers, body))
        except GivenUp as given_up:
            call.given_up = given_up
        except Exception as error:  # no credentials could be had
            self._fail(call, error)
            raise
        return call

    def finish(self, call: Call) -> dict[str, Any]:
        """Returns the answer. Raises `GivenUp` if botocore is to ask, and botocore's error for a timeout that this
        process does not repeat."""
        if call.line is not None:
            try:
                body = self.wire.receive(call.line)
            except GivenUp as given_up:
                call.given_up = given_up
        if call.given_up is not None:
            raise self._gave_up(call, call.given_up)
        try:
            parsed = answer_of(body)
        except Exception as error:
            self._fail(call, error)
            raise
        call.has_ended = True
        self._in_vain = 0
        parsed["ResponseMetadata"] = {"HTTPStatusCode": 200, "RetryAttempts": 0}
        self._tell_of_answer(call, 200, body, parsed)
        self._emit("after-call", call, http_response=Answered(200), parsed=parsed)
        return parsed

    def drop(self, call: Call) -> None:
        """Ends a call whose answer nobody waits for any more. Does nothing if it has ended."""
        if not call.has_ended:
            call.has_ended = True
            if call.line is not None:
                call.line.close()
            self._events.emit(GIVEN_UP, context=call.context)

    def _message(self, headers: dict[str, str], body: bytes) -> bytes:
        credentials = self.client._get_credentials()
        if credentials is None:
            raise GivenUp("request")
        headers["Host"] = self._host
        headers["User-Agent"] = "socialsite"
        self._signer.sign(headers, body, credentials.get_frozen_credentials())
        lines = "\r\n".join([f"{name}: {value}" for name, value in headers.items()])
        start = f"POST / HTTP/1.1\r\n{lines}\r\nContent-Length: {len(body)}\r\n\r\n"
        return start.encode() + body

    def _gave_up(self, call: Call, given_up: GivenUp) -> Exception:
        if given_up.reason in LATE and not self._patience.repeats_timeouts:
            late = LATE[given_up.reason](endpoint_url=self.client.meta.endpoint_url)
            self._fail(call, late)
            return late
        if given_up.status and given_up.reason == "status":  # what is not understood is no answer
            self._tell_of_answer(call, given_up.status, b"", {})
        self.drop(call)
        metrics.count_given_up(given_up.reason)
        if given_up.reason != "request":
            self._count_in_vain(given_up.reason)
        return given_up

    def _count_in_vain(self, reason: str) -> None:
        self._in_vain += 1
        if self._in_vain >= RESTS_AFTER:
            self._in_vain = 0
            self._rests_until = time.monotonic() + REST
            log.warning(
                "The table is not reached, or not understood (%s); botocore asks alone.", reason
            )

    def _fail(self, call: Call, error: Exception) -> None:
        call.has_ended = True
        told = {"response_dict": None, "parsed_response": None, "exception": error}
        self._events.emit(
            f"response-received.dynamodb.{call.operation}", context=call.context, **told
        )
        self._events.emit(
            f"after-call-error.dynamodb.{call.operation}", context=call.context, exception=error
        )

    def _tell_of_answer(self, call: Call, status: int, body: bytes, parsed: Any) -> None:
        answer = {"status_code": status, "headers": {}, "body": body, "context": call.context}
        self._events.emit(
            f"response-received.dynamodb.{call.operation}",
            response_dict=answer,
            parsed_response=parsed,
            context=call.context,
            exception=None,
        )

    def _emit(self, event: str, call: Call, **told: Any) -> None:
        name = f"{event}.dynamodb.{call.operation}"
        self._events.emit(name, model=self._models[call.operation], context=call.context, **told)


def _encoded(value: Any) -> str:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    raise TypeError(type(value).__name__)
