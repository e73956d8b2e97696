"""The one hook between botocore and the engine: it counts what is sent, and answers in the engine's place.

It sits on botocore's `before-send` event, below PynamoDB and everything of ours, so that retries, translation of errors
and pages are the real ones. Which faults there are stands in `faults.py`.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from botocore.awsrequest import AWSPreparedRequest, AWSResponse

FOR_EVER: int = 1_000_000
SERVICES = ("dynamodb", "dynamodb-streams")
JSON = {"Content-Type": "application/x-amz-json-1.0"}


@dataclass(frozen=True)
class Sending:
    """One request on its way, and the means to let it through."""

    operation: str
    request: AWSPreparedRequest
    endpoint: Any

    @property
    def body(self) -> dict[str, Any]:
        """What is asked."""
        read: dict[str, Any] = json.loads(self.request.body)
        return read

    def let_through(self, body: dict[str, Any] | None = None) -> AWSResponse:
        """The engine's answer, to what was asked or to another body. Local engines check no signature."""
        if body is not None:
            self.request.body = json.dumps(body).encode()
            self.request.headers["Content-Length"] = str(len(self.request.body))
        answer: AWSResponse = self.endpoint._send(self.request)
        return answer

    def answer(self, status: int, body: dict[str, Any]) -> AWSResponse:
        """An answer of our own."""
        return AWSResponse(self.request.url, status, JSON, _Body(json.dumps(body).encode()))

    def refuse(self, code: str, status: int = 400, **more: Any) -> AWSResponse:
        """An error as DynamoDB words it."""
        kind = f"com.amazonaws.dynamodb.v20120810#{code}"
        return self.answer(status, {"__type": kind, "message": f"injected {code}", **more})


@dataclass(frozen=True)
class _Body:
    content: bytes

    def stream(self) -> Iterator[bytes]:
        yield self.content


@dataclass(frozen=True)
class Fault:
    """One thing that can go wrong: `answer` returns what the caller gets, or raises what botocore would."""

    name: str
    answer: Callable[[Sending], AWSResponse]
    operations: frozenset[str] = frozenset()  # empty: all

    def applies_to(self, operation: str) -> bool:
        return not self.operations or operation in self.operations


@dataclass
class Hook:
    """Every request that was sent, and the fault that is armed, if one is."""

    sent: list[str] = field(default_factory=list)
    injected: int = 0
    _fault: Fault | None = None
    _first: int = 0
    _left: int = 0

    def arm(self, fault: Fault, *, at: int = 0, times: int = 1) -> None:
        """From the `at`-th request on (counted from now, 0 is the next), the next `times` that it applies to."""
        self.sent.clear()
        self.injected = 0
        self._fault, self._first, self._left = fault, at, times

    def disarm(self) -> None:
        self._fault = None

    @contextmanager
    def armed(self, fault: Fault, *, at: int = 0, times: int = 1) -> Iterator[None]:
        self.arm(fault, at=at, times=times)
        try:
            yield
        finally:
            self.disarm()

    @contextmanager
    def hooked(self, *clients: Any) -> Iterator["Hook"]:
        """Listens to these clients inside the block."""
        for client in clients:
            self.listen(client)
        try:
            yield self
        finally:
            self.disarm()
            self.leave(clients)

    def listen(self, client: Any) -> None:
        for service in SERVICES:
            client.meta.events.register_first(
                f"before-send.{service}",
                partial(self._before_send, client._endpoint),
                unique_id=f"faults {service}",
            )

    def leave(self, clients: Iterable[Any]) -> None:
        for client in clients:
            for service in SERVICES:
                client.meta.events.unregister(
                    f"before-send.{service}", unique_id=f"faults {service}"
                )

    def _before_send(
        self, endpoint: Any, request: AWSPreparedRequest, event_name: str, **_: Any
    ) -> AWSResponse | None:
        operation = event_name.rpartition(".")[2]
        number = len(self.sent)
        self.sent.append(operation)
        fault = self._fault
        if fault is None or number < self._first or not self._left:
            return None
        if not fault.applies_to(operation):
            return None
        self._left -= 1
        self.injected += 1
        return fault.answer(Sending(operation, request, endpoint))
