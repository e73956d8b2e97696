"""Bodies of 150 MB, from nobody in particular, over real sockets to real servers: refused, and kept nowhere."""

import os
import re
import select
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import RequestFactory
from django.urls import get_resolver

from photos.forms import MOST_PHOTOS
from socialsite.pictures.limits import MOST_BYTES
from tests.attacks.servers import COMMANDS, Server, serving
from tests.web.test_authorisation import patterns

pytestmark = [
    pytest.mark.engines("embedded", reason="no engine is asked"),
    pytest.mark.skipif(sys.platform != "linux", reason="reads memory from /proc"),
]

MB = 1024 * 1024
HUGE = 150 * MB
A_LITTLE = 24 * MB  # that memory may grow while 150 MB are on their way
FORM = "application/x-www-form-urlencoded"
PARTS = "multipart/form-data; boundary=x"
PART = b'--x\r\nContent-Disposition: form-data; name="avatar"; filename="a.png"\r\n\r\n'


@pytest.fixture(scope="module", params=list(COMMANDS))
def server(request: pytest.FixtureRequest, tmp_path_factory) -> Iterator[Server]:
    with serving(request.param, tmp_path_factory.mktemp(request.param)) as running:
        yield running


@dataclass
class Answer:
    """What came back, how much was sent until then, and whether the server ended the connection."""

    raw: bytes
    sent: int
    is_closed: bool

    @property
    def status(self) -> int:
        return int(self.raw.split(b" ", 2)[1]) if self.raw else 0


def head(path: str, *lines: str) -> bytes:
    return "\r\n".join((f"POST {path} HTTP/1.1", "Host: localhost", *lines, "", "")).encode()


def send(server: Server, start: bytes, chunk: bytes, *, most: int, listens: bool = True) -> Answer:
    """Sends the start and then chunks up to `most` bytes, until an answer comes; one that does not listen sends all of
    it first, as some browsers do."""
    sent, raw = 0, b""
    with server.connect() as connection:
        connection.sendall(start)
        try:
            while sent < most and not (listens and select.select([connection], [], [], 0)[0]):
                connection.sendall(chunk[: most - sent])
                sent += min(len(chunk), most - sent)
        except OSError:
            pass  # it is closed already; what was answered can be read all the same
        try:
            while received := connection.recv(65_536):
                raw += received
        except ConnectionResetError:
            pass
        except TimeoutError:
            return Answer(raw, sent, is_closed=False)
        return Answer(raw, sent, is_closed=True)


def report(what: str, server: Server, before: int, answer: Answer) -> None:
    grown = server.most_memory() - before
    print(f"{what}: {answer.status} after {answer.sent // MB} MB, memory grew by {grown // MB} MB")
    assert grown < A_LITTLE
    assert server.process.poll() is None


@pytest.mark.parametrize(
    ("path", "kind", "start"),
    [
        ("/login", FORM, b"account="),
        ("/login", PARTS, PART),
        ("/posts", PARTS, PART),
        ("/settings/profile", PARTS, PART),
        ("/not/there", FORM, b"x="),
        ("/healthz", FORM, b"x="),
        ("/static/css/site.css", FORM, b"x="),
    ],
)
def test_a_huge_body_is_refused_and_kept_nowhere(server, path, kind, start):
    before = server.most_memory()
    lines = (f"Content-Type: {kind}", f"Content-Length: {HUGE}")
    answer = send(server, head(path, *lines) + start, b"x" * MB, most=HUGE - len(start))
    assert answer.status == 413
    assert answer.is_closed
    report(f"{path} {kind[:9]}", server, before, answer)


def test_a_huge_body_to_another_host_is_refused_too(server):
    before = server.most_memory()
    start = head("/login", f"Content-Length: {HUGE}").replace(b"localhost", b"evil.example")
    answer = send(server, start, b"x" * MB, most=HUGE)
    assert answer.status == 413
    report("another host", server, before, answer)


@pytest.mark.parametrize("size", [settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1, 6 * MB, 15 * MB])
def test_a_browser_that_sends_all_of_it_first_is_shown_the_page(server, size):
    before = server.most_memory()
    lines = ("Content-Type: " + FORM, f"Content-Length: {size}", "Connection: close")
    answer = send(server, head("/login", *lines), b"x" * MB, most=size, listens=False)
    assert answer.status == 413
    assert answer.sent == size
    assert b"</html>" in answer.raw
    assert re.search(rb"X-Request-ID: [0-9A-Z]{26}", answer.raw)
    report(f"{size} bytes", server, before, answer)


def test_a_body_of_unknown_length_is_refused(server):
    before = server.most_memory()
    start = head("/login", "Content-Type: " + FORM, "Transfer-Encoding: chunked")
    answer = send(server, start, b"100000\r\n" + b"x" * MB + b"\r\n", most=HUGE)
    assert answer.status == 411
    assert answer.is_closed
    report("chunked", server, before, answer)


def test_no_byte_is_read_beyond_a_length_that_is_a_lie(server):
    before = server.most_memory()
    lines = ("Content-Type: " + FORM, "Content-Length: 9", "Connection: close")
    answer = send(server, head("/login", *lines), b"account=" + b"x" * MB, most=HUGE)
    assert answer.status in (403, 422)
    report("lying length", server, before, answer)


def test_a_length_that_is_no_number_is_no_fault(server):
    for length in ("-1", "1e9", "abc", "0x10", "9" * 30, ""):
        start = head("/login", f"Content-Length: {length}", "Connection: close")
        answer = send(server, start, b"", most=0)
        assert answer.status in (400, 403, 413), length


def test_a_small_form_is_taken(server):
    body = b"account=alice&password=wrong"
    lines = ("Content-Type: " + FORM, f"Content-Length: {len(body)}", "Connection: close")
    assert send(server, head("/login", *lines) + body, b"", most=0).status == 403  # without a token


def test_only_views_with_an_upload_take_more_than_a_form():
    taken = {
        pattern.name: pattern.callback.upload_bytes
        for pattern in patterns(get_resolver())
        if hasattr(pattern.callback, "upload_bytes")
    }
    assert taken == {
        "photos": MOST_BYTES,
        "publish": (MOST_PHOTOS + 1) * MOST_BYTES,
        "quote": (MOST_PHOTOS + 1) * MOST_BYTES,
        "reply": (MOST_PHOTOS + 1) * MOST_BYTES,
        "drafts": (MOST_PHOTOS + 1) * MOST_BYTES,
        "arrange_photos": (MOST_PHOTOS + 1) * MOST_BYTES,
        "edit_profile": 2 * MOST_BYTES,
        "welcome": MOST_BYTES,
    }


def test_no_upload_is_kept_in_memory_or_under_a_name():
    assert settings.FILE_UPLOAD_HANDLERS == ["socialsite.web.bodies.UnnamedFileUploadHandler"]
    request = RequestFactory().post("/photos", {"photo": SimpleUploadedFile("a.jpg", b"x" * MB)})
    upload = request.FILES["photo"]
    assert os.fstat(upload.fileno()).st_nlink == 0
    assert upload.read() == b"x" * MB
