"""The connections: what is taken for an answer, where they may be used, signed, and over TLS."""

import os
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from botocore import auth
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from botocore.session import get_session
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from accounts.models import UserCount
from operations.serving.nginx import make_certificate
from socialsite.environment import dynamodb_transport
from socialsite.table import NotFound, Unavailable, create, get, keys
from socialsite.table.connection import client, connection, disconnect
from socialsite.table.resilience import ordinary_patience
from socialsite.table.transport import client as transport
from socialsite.table.transport import client as transport_client
from socialsite.table.transport import http_client
from socialsite.table.transport.client import OPERATIONS, REPLACING, Signer, way_of
from socialsite.table.transport.http_client import GivenUp, Wire
from tests import together as crossing
from tests.injected.faults import Hook
from tests.table.transport.front import standing_before
from tests.web.conftest import table_at

Reply = Callable[[socket.socket], bool]  # whether the connection stays


def sent(data: bytes, *, stays: bool = True) -> Reply:
    def reply(connected: socket.socket) -> bool:
        connected.sendall(data)
        return stays

    return reply


def in_pieces(data: bytes) -> Reply:
    def reply(connected: socket.socket) -> bool:
        for number in range(len(data)):
            connected.sendall(data[number : number + 1])
        return True

    return reply


def ok(body: bytes = b"{}", *more: bytes, stays: bool = True) -> Reply:
    """A good answer."""
    head = b"\r\n".join((b"HTTP/1.1 200 OK", b"content-length: %d" % len(body), *more))
    return sent(head + b"\r\n\r\n" + body, stays=stays)


def closed(_: socket.socket) -> bool:
    return False


class Server:
    """`replies` are taken one for each request, from whatever connection it comes; then good empty answers follow,
    or what was asked."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.echoes = False
        self.connections: list[socket.socket] = []
        self.requests: list[bytes] = []
        self.may_answer = threading.Event()
        self.may_answer.set()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]

    def serve(self) -> None:
        while True:
            try:
                connected, _ = self._listening.accept()
            except OSError:
                return
            self.connections.append(connected)
            threading.Thread(target=self._converse, args=(connected,), daemon=True).start()

    def end(self) -> None:
        self.may_answer.set()
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self.hang_up()

    def hang_up(self) -> None:
        """Ends all connections, as a server does with those that are idle."""
        for connected in self.connections:
            with suppress(OSError):
                connected.shutdown(socket.SHUT_RDWR)

    def _good(self, request: bytes) -> Reply:
        return ok(request) if self.echoes else ok()

    def _converse(self, connected: socket.socket) -> None:
        with suppress(OSError), connected, connected.makefile("rb") as reading:
            while request := _request_from(reading):
                self.requests.append(request)
                reply = self.replies.pop(0) if self.replies else self._good(request)
                self.may_answer.wait(60)
                if not reply(connected):
                    return


def _request_from(reading: Any) -> bytes:
    length = 0
    while line := reading.readline().strip().lower():
        if line.startswith(b"content-length:"):
            length = int(line.partition(b":")[2])
    body: bytes = reading.read(length)
    return body


@contextmanager
def serving() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.end()
        thread.join(60)


# The connections: what is taken for an answer, what is given up, and when a connection is used again.

SECONDS = 0.3
ANSWER = b'HTTP/1.1 200 OK\r\nContent-Length: 9\r\nX: y\r\n\r\n{"a": 12}'


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


@pytest.fixture
def wire(server: Server) -> Iterator[Wire]:
    wire = Wire("127.0.0.1", server.port, seconds=SECONDS, tls=None)
    yield wire
    wire.forget()


def exchange(wire: Wire, body: bytes = b"asked") -> bytes:
    head = f"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: {len(body)}\r\n\r\n"
    return wire.receive(wire.send(head.encode() + body))


HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
IN_CHUNKS = CHUNKED + b'4\r\n{"a"\r\n0005\r\n: 12}\r\n0\r\n\r\n'


@pytest.mark.parametrize(
    "reply",
    [
        sent(ANSWER),
        sent(ANSWER.replace(b"Content-Length: 9", b"CONTENT-LENGTH:9 ")),
        sent(ANSWER, stays=False),
        in_pieces(ANSWER),
        sent(IN_CHUNKS),
        in_pieces(IN_CHUNKS),
    ],
    ids=["whole", "other letters", "and the end", "in pieces", "in chunks", "in bits of chunks"],
)
def test_an_answer_with_its_length_or_in_chunks_is_understood(wire, server, reply):
    server.replies = [reply]
    assert exchange(wire) == b'{"a": 12}'


def test_the_largest_answer_of_a_batch_is_read_whole(wire, server):
    body = os.urandom(17 * 1024 * 1024)
    server.replies = [ok(body), sent(CHUNKED + b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body))]
    assert exchange(wire) == body
    assert exchange(wire) == body


def test_an_answer_without_a_body_is_an_empty_one(wire, server):
    server.replies = [ok(b"")]
    assert exchange(wire) == b""


STRANGE = {
    "chunked with a length": HEAD + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
    "chunked and compressed": CHUNKED.replace(b"chunked", b"gzip, chunked") + b"0\r\n\r\n",
    "a chunk that is longer": CHUNKED + b"1\r\n{}\r\n0\r\n\r\n",
    "a chunk of a strange length": CHUNKED + b"+2\r\n{}\r\n0\r\n\r\n",
    "a chunk that says more": CHUNKED + b"2;x=y\r\n{}\r\n0\r\n\r\n",
    "a chunk far too long": CHUNKED + b"fffffff\r\n{}",
    "headers after the chunks": CHUNKED + b"2\r\n{}\r\n0\r\nX: y\r\n\r\n",
    "more after the chunks": CHUNKED + b"2\r\n{}\r\n0\r\n\r\nHTTP/1.1 200 OK",
    "two lengths": HEAD + b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
    "two lengths in one": HEAD + b"Content-Length: 2, 2\r\n\r\n{}",
    "a length twice, once hidden": HEAD + b"Content-Length: 2\r\nContent-Length : 3\r\n\r\n{}",
    "a strange length": HEAD + b"Content-Length: +2\r\n\r\n{}",
    "no length": HEAD + b"Connection: close\r\n\r\n{}",
    "more than its length": HEAD + b"Content-Length: 2\r\n\r\n{}HTTP/1.1 200 OK",
    "compressed": HEAD + b"Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n\x1f\x8b",
    "far too long": HEAD + b"Content-Length: 999999999\r\n\r\n{}",
    "headers without end": HEAD + b"X: y\r\n" * 20_000,
    "another protocol": b"SSH-2.0-OpenSSH_9.2\r\n\r\n",
}


@pytest.mark.parametrize("answer", STRANGE.values(), ids=STRANGE)
def test_anything_else_is_given_up_and_its_connection_ends(wire, server, answer):
    server.replies = [sent(answer)]
    with pytest.raises(GivenUp) as given_up:
        exchange(wire)
    assert given_up.value.reason == "answer"
    assert exchange(wire) == b"{}"
    assert len(server.connections) == 2


@pytest.mark.parametrize("status", [204, 302, 400, 500, 503])
def test_another_status_is_given_up_and_told(wire, server, status):
    server.replies = [sent(b"HTTP/1.1 %d Strange\r\nContent-Length: 2\r\n\r\n{}" % status)]
    with pytest.raises(GivenUp) as given_up:
        exchange(wire)
    assert (given_up.value.reason, given_up.value.status) == ("status", status)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (sent(HEAD + b"Content-Length: 9\r\n\r\n{", stays=False), "broken"),
        (sent(HEAD, stays=False), "broken"),
        (sent(CHUNKED + b"2\r\n{}\r\n", stays=False), "broken"),
        (closed, "broken"),
        (sent(HEAD + b"Content-Length: 9\r\n\r\n{"), "timeout"),
        (sent(b""), "timeout"),
    ],
    ids=[
        "half a body",
        "half a head",
        "half of the chunks",
        "nothing",
        "half a body and silence",
        "silence",
    ],
)
def test_a_connection_that_ends_or_falls_silent_is_given_up(wire, server, reply, reason):
    server.replies = [reply]
    with pytest.raises(GivenUp) as given_up:
        exchange(wire)
    assert (given_up.value.reason, given_up.value.status) == (reason, 0)


def test_an_address_where_nobody_listens_is_given_up():
    with pytest.raises(GivenUp, match=r"^connect$"):
        exchange(Wire("127.0.0.1", 9, seconds=SECONDS, tls=None))


def test_a_connection_is_used_again(wire, server):
    for _ in range(3):
        exchange(wire)
    assert (len(server.requests), len(server.connections)) == (3, 1)


def test_one_that_the_server_closed_meanwhile_is_replaced_unseen(wire, server):
    exchange(wire)
    server.hang_up()
    assert exchange(wire) == b"{}"
    assert len(server.connections) == 2


def test_one_that_ends_instead_of_answering_is_asked_once_more_on_a_new_one(wire, server):
    exchange(wire)
    server.replies = [closed, ok(b"[]")]
    assert exchange(wire) == b"[]"
    assert (len(server.requests), len(server.connections)) == (3, 2)


def test_it_is_not_asked_a_third_time(wire, server):
    exchange(wire)
    server.replies = [closed, closed, ok()]
    with pytest.raises(GivenUp, match="broken"):
        exchange(wire)
    assert len(server.requests) == 3


def test_one_that_says_it_closes_is_not_used_again(wire, server):
    server.replies = [ok(b"{}", b"Connection: close")]
    exchange(wire)
    exchange(wire)
    assert len(server.connections) == 2


def test_after_a_minute_another_one_is_opened(wire, server, monkeypatch):
    exchange(wire)
    now = http_client.time.monotonic()
    monkeypatch.setattr(http_client.time, "monotonic", lambda: now + 61)
    exchange(wire)
    assert len(server.connections) == 2


def test_two_calls_at_once_have_two_connections(wire, server):
    lines = [wire.send(b"POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\nx") for _ in range(2)]
    assert [wire.receive(line) for line in lines] == [b"{}", b"{}"]
    assert len(server.connections) == 2


def test_eight_threads_get_their_own_answers(server):
    server.echoes = True
    wire = Wire("127.0.0.1", server.port, seconds=30, tls=None)
    numbers = [b"%d" % number for number in range(200)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda body: exchange(wire, body), numbers))
    wire.forget()
    assert answers == numbers
    assert len(server.connections) <= 8


def test_a_child_process_opens_its_own(wire, server):
    exchange(wire)
    child = os.fork()
    if not child:
        os._exit(0 if not wire._idle and exchange(wire) == b"{}" else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert exchange(wire) == b"{}"  # the parent's is still open
    assert len(server.connections) == 2


# Where the own way may be used, and where botocore asks instead: for listeners that may replace a request, too.

REAL = pytest.mark.engines("embedded", "dynamodb-local", reason="moto answers inside botocore")


def read():
    with pytest.raises(NotFound):
        get(UserCount, keys.user_count("nobody"))


@pytest.fixture
def stand(monkeypatch):
    """`stand(url)`: whether the own way may be used for a client of this address. Nothing is sent."""
    monkeypatch.setattr(transport, "_standing", None)

    def at(url="https://dynamodb.us-east-1.amazonaws.com", **config):
        session = get_session()
        session.set_credentials("a key", "a secret")
        for name, value in config.items():
            session.set_config_variable(name, value)
        made = session.create_client("dynamodb", "us-east-1", endpoint_url=url)
        transport.stand(made, session=session, patience=ordinary_patience())
        return way_of(made, "Query")

    return at


@REAL
def test_it_is_used_unless_it_is_turned_off(table, settings):
    assert all(way_of(client(), operation) for operation in OPERATIONS)
    settings.DYNAMODB_TRANSPORT = "botocore"
    disconnect()
    assert not any(way_of(client(), operation) for operation in OPERATIONS)
    read()
    settings.DYNAMODB_TRANSPORT = "own"
    disconnect()
    assert way_of(client(), "Query")


@pytest.mark.engines("moto", reason="the others are asked directly")
def test_moto_hears_each_request(table):
    assert not any(way_of(client(), operation) for operation in OPERATIONS)


def test_the_setting_has_two_values():
    assert dynamodb_transport({}) == dynamodb_transport({"DYNAMODB_TRANSPORT": "own"}) == "own"
    assert dynamodb_transport({"DYNAMODB_TRANSPORT": "botocore"}) == "botocore"
    with pytest.raises(ImproperlyConfigured, match="Set it to own or botocore"):
        dynamodb_transport({"DYNAMODB_TRANSPORT": "http3"})


@REAL
@pytest.mark.parametrize("event", REPLACING)
def test_whoever_may_replace_a_request_gets_botocore(table, event):
    heard = []

    def listen(event_name, **_):
        heard.append(event_name)

    events, name = client().meta.events, f"{event}.dynamodb"
    events.register(name, listen)
    try:
        read()
        assert heard == [f"{event}.dynamodb.GetItem"]
    finally:
        events.unregister(name, listen)
    read()
    assert len(heard) == 1
    assert way_of(client(), "GetItem")


@REAL
def test_a_listener_to_one_operation_leaves_the_others(table):
    with Hook().hooked(client()):
        assert not any(way_of(client(), operation) for operation in OPERATIONS)
    with crossing.meanwhile(lambda: None, before="Query"):
        found = {operation for operation in OPERATIONS if way_of(client(), operation)}
    assert found == {*OPERATIONS} - {"Query"}


@REAL
def test_it_belongs_to_one_client(table):
    session = get_session()
    session.set_credentials("a key", "a secret")
    other = session.create_client("dynamodb", "us-east-1", endpoint_url="http://127.0.0.1:9")
    assert way_of(other, "Query") is None
    assert connection().connection.client is way_of(client(), "Query").client


@REAL
def test_it_stands_at_the_address_of_a_region(stand):
    assert stand()
    assert stand("http://[::1]:8000")


@REAL
def test_it_does_not_stand_behind_a_proxy(stand, monkeypatch):
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:3128")
    assert stand() is None
    monkeypatch.setenv("no_proxy", "amazonaws.com")
    assert stand()


@REAL
@pytest.mark.parametrize(
    ("name", "value"),
    [("NO_PROXY", "localhost"), ("no_proxy", "localhost"), ("http_proxy", "http://127.0.0.1:3128")],
)
def test_it_stands_where_no_proxy_is_set_for_its_scheme(stand, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    assert stand()


@pytest.mark.parametrize(
    ("url", "config"),
    [
        ("http://127.0.0.1:8000/path", {}),
        ("http://127.0.0.1:8000/?query", {}),
        ("https://dynamodb.us-east-1.amazonaws.com", {"account_id_endpoint_mode": "required"}),
        ("https://dynamodb.us-east-1.amazonaws.com", {"ca_bundle": "/nowhere.pem"}),
    ],
)
def test_it_does_not_stand_where_botocore_does_more(stand, url, config):
    assert stand(url, **config) is None


# The signature is botocore's.

HOST = "dynamodb.eu-central-1.amazonaws.com"
HEADERS = {
    "X-Amz-Target": "DynamoDB_20120810.Query",
    "Content-Type": "application/x-amz-json-1.0",
    "Host": HOST,
    "User-Agent": "socialsite",
}
LAST_SECOND = datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC)
FIRST_SECOND = datetime(2027, 1, 1, tzinfo=UTC)


@pytest.fixture
def at(monkeypatch):
    """`at(moment)`: it is this time, for botocore too."""

    def stop(moment: datetime) -> None:
        monkeypatch.setattr(auth, "get_current_datetime", lambda: moment)
        monkeypatch.setattr(transport_client, "time", _Stopped(moment))

    return stop


class _Stopped:
    def __init__(self, moment: datetime) -> None:
        self._moment = moment

    def gmtime(self) -> time.struct_time:
        return self._moment.timetuple()

    strftime = staticmethod(time.strftime)


def signed_here(signer: Signer, credentials: Credentials, body: bytes, **more: str) -> dict:
    headers = HEADERS | more
    signer.sign(headers, body, credentials.get_frozen_credentials())
    return headers


def signed_by_botocore(credentials: Credentials, body: bytes, **more: str) -> dict:
    request = AWSRequest("POST", f"https://{HOST}/", headers=HEADERS | more, data=body)
    frozen = credentials.get_frozen_credentials()
    SigV4Auth(frozen, "dynamodb", "eu-central-1").add_auth(request)
    return dict(request.headers)


@pytest.mark.parametrize("token", [None, "a/token+of==many"], ids=["no token", "a token"])
@pytest.mark.parametrize("body", [b"{}", "{“é” 陈}".encode() * 9999], ids=["short", "long"])
@pytest.mark.parametrize(
    "more",
    [{}, {"X-Amz-Api-Version": "2012-08-10"}, {"X-Amzn-Trace-Id": "Root=1;Parent=2"}],
    ids=["no more headers", "one more", "one that proxies change"],
)
def test_it_is_the_same(at, token, body, more):
    at(LAST_SECOND)
    credentials = Credentials("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG", token)
    here = signed_here(Signer("eu-central-1"), credentials, body, **more)
    assert here == signed_by_botocore(credentials, body, **more)


def test_the_kept_key_changes_with_the_day_and_with_the_secret(at):
    signer = Signer("eu-central-1")
    old, new = Credentials("OLD", "old secret"), Credentials("NEW", "new secret", "token")
    for moment, credentials in (
        (LAST_SECOND, old),
        (FIRST_SECOND, old),
        (FIRST_SECOND, new),
        (FIRST_SECOND, new),
        (LAST_SECOND, old),
    ):
        at(moment)
        assert signed_here(signer, credentials, b"{}") == signed_by_botocore(credentials, b"{}")


# Over TLS, as with Amazon: certificates are checked, with those that botocore trusts.

not_on_moto = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto answers inside botocore, so the own way stays shut"
)


@pytest.fixture
def certificate(tmp_path):
    file = tmp_path / "tls.pem"
    file.write_text(make_certificate(["127.0.0.1"]))
    return str(file)


@pytest.fixture
def secure_front(table, certificate, monkeypatch):
    """The table over TLS, with a certificate that this process trusts."""
    create(UserCount.new(user_id="A"))
    engine = settings.DYNAMODB_ENDPOINT
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate)
    monkeypatch.setenv("AWS_CA_BUNDLE", certificate)
    with standing_before(engine, tls=tls) as front, table_at(front.url):
        yield front


def read_one():
    return get(UserCount, keys.user_count("A"))


@not_on_moto
def test_calls_are_answered_over_one_kept_connection(secure_front, given_up):
    read_one()
    connections = secure_front.connections
    for _ in range(5):
        assert read_one().user_id == "A"
    assert way_of(client(), "GetItem")
    assert given_up() == {}
    assert secure_front.connections <= connections + 1  # a late ticket of TLS 1.3 may cost one


@not_on_moto
def test_a_certificate_that_nobody_trusts_is_refused_in_both_ways(
    secure_front, given_up, monkeypatch
):
    read_one()
    way_of(client(), "GetItem").wire._tls = ssl.create_default_context()
    way_of(client(), "GetItem").wire.forget()
    assert read_one().user_id == "A"  # by botocore, which trusts it
    assert given_up() == {"tls": 1}
    monkeypatch.delenv("AWS_CA_BUNDLE")
    disconnect()
    with pytest.raises(Unavailable, match="CERTIFICATE_VERIFY_FAILED"):
        read_one()
