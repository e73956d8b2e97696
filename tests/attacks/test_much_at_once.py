"""Very large bodies, and very many guesses."""

import os
import re
import resource
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, RequestFactory
from django.urls import get_resolver

from accounts.sign_in import browsers
from photos.forms import MOST_PHOTOS
from socialsite.pictures.limits import MOST_BYTES
from socialsite.web.limits import LimitReached, Slowdown, take_turn
from tests.accounts.conftest import clock
from tests.conftest import PASSWORD, person
from tests.injected.faults import IS_LONG
from tests.web.test_authorisation import patterns

__all__ = ["clock"]

PROJECT = Path(__file__).resolve().parents[2]
LARGEST_FILE = 64 * 1024
RUNSERVER = (  # what `manage.py runserver` serves with, without its engine and worker
    "import sys; from django.core.servers.basehttp import run; from socialsite.wsgi import application; "
    "run('127.0.0.1', int(sys.argv[1]), application, threading=True)"
)
COMMANDS = {
    "gunicorn": [
        "-m",
        "gunicorn",
        "socialsite.wsgi",
        "--worker-class",
        "gthread",
        "--threads",
        "4",
    ],
    "runserver": ["-c", RUNSERVER],
}


@dataclass(frozen=True)
class Server:
    """A running server."""

    port: int
    process: subprocess.Popen[bytes]

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def most_memory(self) -> int:
        """Returns the most bytes that the processes ever held, together."""
        return sum(_high_water(pid) for pid in self._pids())

    def _pids(self) -> list[int]:
        own = self.process.pid
        children = Path(f"/proc/{own}/task/{own}/children").read_text().split()
        return [own, *map(int, children)]


@contextmanager
def serving(name: str, data_dir: Path) -> Iterator[Server]:
    """Starts the server and waits until it answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, *COMMANDS[name]]
    command += ["--bind", f"127.0.0.1:{port}"] if name == "gunicorn" else [str(port)]
    environment = os.environ | {
        "DATA_DIR": str(data_dir),
        "DEBUG": "1",
        "DYNAMODB_ENDPOINT": "http://127.0.0.1:9",
        "DJANGO_SETTINGS_MODULE": "socialsite.settings",
        "PYTHONDONTWRITEBYTECODE": "1",
        "TMPDIR": str(data_dir),
    }
    process = subprocess.Popen(
        command,
        cwd=PROJECT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE)),
    )
    try:
        _wait_for(port, process)
        yield Server(port, process)
    finally:
        process.terminate()
        process.wait(20)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        assert process.poll() is None, "the server ended"
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=5) as probe:
                probe.sendall(b"GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n")
                if b" 200 " in probe.recv(100):
                    return
        except OSError:
            time.sleep(0.05)  # nobody listens yet
    raise AssertionError("the server does not answer")


def _high_water(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


# Bodies of 150 MB, from nobody in particular, over real sockets to real servers: refused, and kept nowhere.

embedded_alone = pytest.mark.engines("embedded", reason="no engine is asked")

MB = 1024 * 1024
HUGE = 150 * MB
A_LITTLE = 12 * MB  # that memory may grow while 150 MB are on their way
WARM_UP = 8  # refusals, so that each process gives some
FORM = "application/x-www-form-urlencoded"
PARTS = "multipart/form-data; boundary=x"
PART = b'--x\r\nContent-Disposition: form-data; name="avatar"; filename="a.png"\r\n\r\n'


@pytest.fixture(scope="module", params=list(COMMANDS))
def server(request: pytest.FixtureRequest, tmp_path_factory) -> Iterator[Server]:
    with serving(request.param, tmp_path_factory.mktemp(request.param)) as running:
        # Code, words and templates that the first refusal needs are kept for all: they are none of a body's memory.
        for _ in range(WARM_UP):
            send(running, head("/login", f"Content-Length: {HUGE}"), b"", most=0)
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


@embedded_alone
@pytest.mark.skipif(sys.platform != "linux", reason="reads memory from /proc")
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


@embedded_alone
@pytest.mark.skipif(sys.platform != "linux", reason="reads memory from /proc")
def test_a_huge_body_to_another_host_is_refused_too(server):
    before = server.most_memory()
    start = head("/login", f"Content-Length: {HUGE}").replace(b"localhost", b"evil.example")
    answer = send(server, start, b"x" * MB, most=HUGE)
    assert answer.status == 413
    report("another host", server, before, answer)


@embedded_alone
@pytest.mark.skipif(sys.platform != "linux", reason="reads memory from /proc")
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


@embedded_alone
@pytest.mark.skipif(sys.platform != "linux", reason="reads memory from /proc")
def test_a_body_of_unknown_length_is_refused(server):
    before = server.most_memory()
    start = head("/login", "Content-Type: " + FORM, "Transfer-Encoding: chunked")
    answer = send(server, start, b"100000\r\n" + b"x" * MB + b"\r\n", most=HUGE)
    assert answer.status == 411
    assert answer.is_closed
    report("chunked", server, before, answer)


@embedded_alone
@pytest.mark.skipif(sys.platform != "linux", reason="reads memory from /proc")
def test_no_byte_is_read_beyond_a_length_that_is_a_lie(server):
    before = server.most_memory()
    lines = ("Content-Type: " + FORM, "Content-Length: 9", "Connection: close")
    answer = send(server, head("/login", *lines), b"account=" + b"x" * MB, most=HUGE)
    assert answer.status in (403, 422)
    report("lying length", server, before, answer)


@embedded_alone
@pytest.mark.skipif(sys.platform != "linux", reason="reads memory from /proc")
def test_a_length_that_is_no_number_is_no_fault(server):
    for length in ("-1", "1e9", "abc", "0x10", "9" * 30, ""):
        start = head("/login", f"Content-Length: {length}", "Connection: close")
        answer = send(server, start, b"", most=0)
        assert answer.status in (400, 403, 413), length


@embedded_alone
@pytest.mark.skipif(sys.platform != "linux", reason="reads memory from /proc")
def test_a_small_form_is_taken(server):
    body = b"account=alice&password=wrong"
    lines = ("Content-Type: " + FORM, f"Content-Length: {len(body)}", "Connection: close")
    assert send(server, head("/login", *lines) + body, b"", most=0).status == 403  # without a token


@embedded_alone
@pytest.mark.skipif(sys.platform != "linux", reason="reads memory from /proc")
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
        "chat": (MOST_PHOTOS + 1) * MOST_BYTES,
        "chat_of_group": (MOST_PHOTOS + 1) * MOST_BYTES,
        "upload_media": MOST_BYTES,
        "older_upload_media": MOST_BYTES,
        "update_credentials": 2 * MOST_BYTES,
        "workbench": 4 * MB,
        "pictures": 1_000_000,  # a list of hashes
        "import": 25_000_000,  # an archive of 20 MB, and lists
    }


@embedded_alone
@pytest.mark.skipif(sys.platform != "linux", reason="reads memory from /proc")
def test_no_upload_is_kept_in_memory_or_under_a_name():
    assert settings.FILE_UPLOAD_HANDLERS == ["socialsite.web.bodies.UnnamedFileUploadHandler"]
    request = RequestFactory().post("/photos", {"photo": SimpleUploadedFile("a.jpg", b"x" * MB)})
    upload = request.FILES["photo"]
    assert os.fstat(upload.fileno()).st_nlink == 0
    assert upload.read() == b"x" * MB


HOURS = 24 if IS_LONG else 3


def guess(account: str, address: str) -> int:
    form = {"account": account, "password": "a guess"}
    return Client(REMOTE_ADDR=address).post("/login", form).status_code


def test_a_patient_attacker_with_an_address_for_each_guess(alice, clock):
    """A guess as soon as the pause is over."""
    begun, guesses, pauses = clock.now, 0, 0
    while clock.now < begun + HOURS * browsers.HOUR:
        address = f"2001:db8:{guesses:x}:{pauses:x}::1"
        form = {"account": "alice", "password": "a guess"}
        response = Client(REMOTE_ADDR=address).post("/login", form)
        if response.status_code == 422:
            guesses += 1
        else:
            assert response.status_code == 429
            pauses += 1
            clock.now += int(response["Retry-After"])
    print(f"one account, an address for each guess: {guesses} in {HOURS} hours, {pauses} refused")
    assert guesses <= 31 + 6 * HOURS  # 175 in a day


def test_one_address_at_many_accounts(alice, clock):
    people = [person(f"person_{number}") for number in range(5)]
    tries = 2 * browsers.PASSWORD_BY_ADDRESS.free
    statuses = [guess(people[n % 5].handle + str(n // 5), "198.51.100.1") for n in range(tries)]
    print(
        f"one address, {tries} accounts at once: {statuses.count(422)} guesses, {statuses.count(429)} refused"
    )
    assert statuses.count(422) == browsers.PASSWORD_BY_ADDRESS.free
    assert statuses.count(429) == tries - browsers.PASSWORD_BY_ADDRESS.free


@pytest.mark.parametrize("free", [1, 5])
def test_tries_at_the_same_moment_are_counted_each(table, clock, free):
    lane = Slowdown("race", free=free, longest=600, seconds=3600)

    def try_once(_: int) -> bool:
        try:
            take_turn([(lane, "somebody")])
        except LimitReached:
            return False
        return True

    with ThreadPoolExecutor(16) as pool:
        taken = sum(pool.map(try_once, range(64)))
    print(f"64 tries at the same moment, {free} free: {taken} taken")
    assert 1 <= taken <= free


def test_the_owner_signs_in_while_all_of_it_goes_on(alice, clock):
    browser = Client()
    form = {"account": "alice", "password": PASSWORD}
    browser.post("/login", form)
    browser.post("/logout")
    for number in range(60):
        guess("alice", f"198.51.{number}.1")
    elsewhere = Client(REMOTE_ADDR="203.0.113.9").post("/login", form).status_code
    known = browser.post("/login", form, REMOTE_ADDR="203.0.113.9").status_code
    print(f"after 60 guesses: {known} in a known browser, {elsewhere} in another")
    assert (known, elsewhere) == (302, 429)
