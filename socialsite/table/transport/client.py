"""Calls that do not go through botocore, and where botocore is asked instead."""

import base64
import hmac
import logging
import os
import ssl
import time
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

import orjson
from botocore.exceptions import ClientError, ConnectTimeoutError, ReadTimeoutError
from botocore.httpsession import get_cert_path
from botocore.utils import get_environ_proxies
from django.conf import settings

from socialsite.observing import metrics
from socialsite.table.errors import Unavailable
from socialsite.table.resilience import Patience
from socialsite.table.transport.http_client import GivenUp, Line, Wire

# Signs requests to DynamoDB with Signature Version 4.
#
# botocore derives the key of the day anew for each request and walks each header several times. Here the key is
# kept for as long as secret and day are the same.

SERVICE = "dynamodb"
NOT_SIGNED = {"user-agent", "x-amzn-trace-id"}  # as botocore: proxies may change them


class Signer:
    """The signer of one region. Safe to use from many threads."""

    def __init__(self, region: str) -> None:
        self._region = region
        self._kept: tuple[str, str, bytes] = ("", "", b"")  # secret, day and their key

    def sign(self, headers: dict[str, str], body: bytes, credentials: Any) -> None:
        """Adds the date, the token if there is one, and the signature to a request's headers, which name the host.
        `credentials` are botocore's, frozen."""
        moment = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        headers["X-Amz-Date"] = moment
        if credentials.token:
            headers["X-Amz-Security-Token"] = credentials.token
        lines = {name.lower(): value for name, value in headers.items()}
        names = sorted(lines.keys() - NOT_SIGNED)
        signed = ";".join(names)
        listed = "\n".join([f"{name}:{lines[name]}" for name in names])
        asked = f"POST\n/\n\n{listed}\n\n{signed}\n{sha256(body).hexdigest()}"
        scope = f"{moment[:8]}/{self._region}/{SERVICE}/aws4_request"
        text = f"AWS4-HMAC-SHA256\n{moment}\n{scope}\n{sha256(asked.encode()).hexdigest()}"
        key = self._key_of(moment[:8], credentials.secret_key)
        signature = hmac.digest(key, text.encode(), "sha256").hex()
        headers["Authorization"] = (
            f"AWS4-HMAC-SHA256 Credential={credentials.access_key}/{scope}, "
            f"SignedHeaders={signed}, Signature={signature}"
        )

    def _key_of(self, day: str, secret: str) -> bytes:
        kept_secret, kept_day, key = self._kept
        if kept_secret != secret or kept_day != day:
            key = f"AWS4{secret}".encode()
            for part in (day, self._region, SERVICE, "aws4_request"):
                key = hmac.digest(key, part.encode(), "sha256")
            self._kept = (secret, day, key)
        return key


# Reads DynamoDB's answers: JSON as it is, with bytes for binary values.
#
# botocore walks the AttributeValue shape for every value, a quarter of a page's time. The JSON is already what
# we want, but for binary values, which few answers have. `register` lets botocore's own calls be read in the
# same way, and as strictly: botocore reads any body as an empty answer, and so would take a proxy's page for a
# finished write.

PARSED = (
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


def refusal_in(body: bytes) -> str:
    """Returns the name of the error in the body of a call that was refused, or "" if it is not DynamoDB's."""
    try:
        code = orjson.loads(body)["__type"]
        return str(code).rpartition("#")[2]
    except (orjson.JSONDecodeError, LookupError, TypeError):
        return ""


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
    for operation in PARSED:
        events.register(f"before-parse.dynamodb.{operation}", _parse_fast)


def register_stream(events: Any) -> None:
    """The same for the client of a stream: a quarter of the time for a record. Moments stay numbers, as Lambda has
    them."""
    events.register("before-parse.dynamodb-streams.GetRecords", _parse_fast)


def _parse_fast(
    response_dict: dict[str, Any], customized_response_dict: dict[str, Any], **_: Any
) -> None:
    # Only answers without errors: those keep botocore's own path.
    if response_dict["status_code"] == 200:
        customized_response_dict.update(answer_of(response_dict["body"]))
        response_dict["body"] = b"{}"


log = logging.getLogger(__name__)

# The site's own way to DynamoDB, with a third of the work that botocore needs for a call.
#
# It emits botocore's events with botocore's arguments, so that the meter, the breaker and tests hear both ways.
# What it cannot do it gives up, and botocore asks in its place. After several calls in a row that were given up
# it rests, because each of them is asked twice.

OPERATIONS = (
    *("GetItem", "Query", "BatchGetItem", "BatchWriteItem"),
    *("PutItem", "UpdateItem", "TransactWriteItems"),
)
# What an engine answers to a condition that does not hold: not given up, for it would be asked, and paid, twice.
REFUSALS = {"ConditionalCheckFailedException", "TransactionCanceledException"}
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
        """Returns the answer. Raises `GivenUp` if botocore is to ask, and botocore's errors for a condition that does
        not hold and for a timeout that this process does not repeat."""
        if call.line is not None:
            line, call.line = call.line, None  # the wire keeps or closes it
            try:
                body = self.wire.receive(line)
            except GivenUp as given_up:
                call.given_up = given_up
        if call.given_up is not None:
            raise self._refusal(call, call.given_up) or self._gave_up(call, call.given_up)
        try:
            parsed = answer_of(body)
        except Exception as error:
            self._fail(call, error)
            raise
        self._end(call, 200, body, parsed)
        return parsed

    def _refusal(self, call: Call, given_up: GivenUp) -> ClientError | None:
        """Returns botocore's error for a condition that does not hold, if it was that."""
        code = refusal_in(given_up.body) if given_up.body else ""
        if code not in REFUSALS:
            return None
        told = answer_of(given_up.body)
        members = self.client.meta.service_model.shape_for_error_code(code).members
        parsed = {name: value for name, value in told.items() if name in members}
        message = told.get("message", told.get("Message", ""))
        parsed["Error"] = {"Message": message, "Code": code}
        self._end(call, given_up.status, given_up.body, parsed)
        error: ClientError = self.client.exceptions.from_code(code)(parsed, call.operation)
        return error

    def _end(self, call: Call, status: int, body: bytes, parsed: dict[str, Any]) -> None:
        call.has_ended = True
        self._in_vain = 0
        parsed["ResponseMetadata"] = {"HTTPStatusCode": status, "RetryAttempts": 0}
        self._tell_of_answer(call, status, body, parsed)
        self._emit("after-call", call, http_response=Answered(status), parsed=parsed)

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


# Says where the own way may stand: at an address reached directly, unless `DYNAMODB_TRANSPORT` forbids it.
#
# It asks the regional address of DynamoDB, also where botocore would take the one with the account's number in
# it.

PORTS = {"http": 80, "https": 443}

_standing: OwnWay | None = None


def stand(client: Any, *, session: Any, patience: Patience) -> None:
    """Makes the own way for this client of botocore's, instead of the last one, or none where it may not be used."""
    global _standing
    if _standing is not None:
        _standing.wire.forget()
    url = client.meta.endpoint_url
    _standing = _own_way(client, session, patience) if _is_allowed(client, url) else None


def way_of(client: Any, operation: str) -> OwnWay | None:
    """Returns the own way of this client, if it can be used for the operation now."""
    own = _standing
    if own is None or own.client is not client or not own.is_open_to(operation):
        return None
    return own


def _is_allowed(client: Any, url: str) -> bool:
    parts = urlsplit(url)
    return (
        settings.DYNAMODB_TRANSPORT == "own"
        and parts.scheme in PORTS
        and parts.path in ("", "/")
        and not parts.query
        and client.meta.config.account_id_endpoint_mode != "required"
        and parts.scheme not in get_environ_proxies(url)  # `NO_PROXY` alone is among them
    )


def _own_way(client: Any, session: Any, patience: Patience) -> OwnWay | None:
    parts = urlsplit(client.meta.endpoint_url)
    host, default = str(parts.hostname), PORTS[parts.scheme]
    port = parts.port or default
    try:
        tls = _tls(session) if parts.scheme == "https" else None
    except OSError:  # no such file: botocore says so at each call
        return None
    written = f"[{host}]" if ":" in host else host
    wire = Wire(host, port, seconds=patience.seconds, tls=tls)
    return OwnWay(
        client,
        wire,
        host=written if port == default else f"{written}:{port}",
        patience=patience,
    )


def _tls(session: Any) -> ssl.SSLContext:
    # The certificates that botocore trusts.
    bundle = session.get_config_variable("ca_bundle") or os.environ.get("REQUESTS_CA_BUNDLE")
    return ssl.create_default_context(cafile=get_cert_path(bundle or True))
