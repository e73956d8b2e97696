"""The connections: what is taken for an answer, what is given up, and when a connection is used again."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from socialsite.table.transport import http_client
from socialsite.table.transport.http_client import GivenUp, Wire
from tests.table.transport.played import Server, closed, in_pieces, ok, sent, serving

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
