"""What asks for pages takes whole answers alone, and says so when a server refuses."""

import socket
import threading
from contextlib import contextmanager

import pytest

from benchmarks.load import Asked, check_refusals, fetch, load, request_for

REQUEST = request_for("/", "session=1")
PAGE = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
BUSY = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\n\r\nbusy"


@contextmanager
def server(*answers):
    """Gives each of the answers in turn on every connection, and the last one from then on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve(connection):
            with connection:
                for number in range(1_000_000):
                    if not connection.recv(4096):
                        return
                    for part in answers[min(number, len(answers) - 1)]:
                        connection.sendall(part)

        def accept():
            while True:
                try:
                    connection = listener.accept()[0]
                except OSError:
                    return
                threading.Thread(target=serve, args=(connection,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


def test_an_answer_that_comes_in_parts_is_one_answer():
    with server([PAGE[:30], PAGE[30:50], PAGE[50:]]) as port:
        assert fetch(port, REQUEST) == "hello"


def test_every_connection_asks_again_until_the_time_is_over():
    with server([PAGE]) as port:
        asked = load(port, REQUEST, 0.2, connections=3)
    assert len(asked.milliseconds) > 3
    assert asked.rate == pytest.approx(len(asked.milliseconds) / 0.2, rel=0.5)


def test_a_server_that_refuses_is_not_a_fast_server():
    with server([PAGE], [BUSY]) as port:
        asked = load(port, REQUEST, 0.1, connections=2)
    assert len(asked.milliseconds) == 2
    assert asked.refused > 2
    with pytest.raises(
        RuntimeError, match=f"home: {asked.refused} answers said busy, beside 2 pages"
    ):
        check_refusals("home", [asked])


def test_a_few_refusals_in_all_turns_together_are_forgiven():
    check_refusals("home", [Asked(0.0, [], 5), Asked(100.0, [10.0] * 100, 0)])
    with pytest.raises(RuntimeError, match="busy"):
        check_refusals("home", [Asked(0.0, [], 6), Asked(100.0, [10.0] * 100, 0)])


def test_a_fault_is_no_page():
    fault = b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n"
    with server([fault]) as port, pytest.raises(RuntimeError, match="500"):
        fetch(port, REQUEST)
