"""gunicorn and nginx by themselves, with the shipped configurations."""

import http.client
import os
import re
import runpy
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import URLPattern, URLResolver, get_resolver

from operations.serving.nginx import (
    SHIPPED,
    THIS_MACHINE,
    Places,
    command,
    configuration,
    find_nginx,
    free_addresses,
    make_certificate,
    write_configuration,
)
from tests.faults.processes import wait_until
from tests.operations.serving.served import ROOT, UNVERIFIED, children_of, needs_nginx

embedded_alone = pytest.mark.engines("embedded", reason="no engine is asked")


class Gunicorn:
    """A master with two workers, which serve tests/operations/serving/hello.py."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.app, health = free_addresses(2)
        self.log = folder / "gunicorn.log"
        own = {"GUNICORN_BIND": self.app, "HEALTH_BIND": health, "WEB_CONCURRENCY": "2"}
        command = [sys.executable, "-m", "gunicorn", "--config", "deploy/gunicorn.conf.py"]
        self.process = subprocess.Popen(
            [*command, "tests.operations.serving.hello"],
            cwd=ROOT,
            env=os.environ | own | environment,
            stdout=self.log.open("w"),
            stderr=subprocess.STDOUT,
        )

    def connect(self) -> http.client.HTTPConnection:
        host, _, port = self.app.rpartition(":")
        return http.client.HTTPConnection(host, int(port), timeout=10)

    def answers(self) -> bool:
        try:
            connection = self.connect()
            connection.request("GET", "/")
            return connection.getresponse().status == 200
        except OSError:
            return False


@contextmanager
def gunicorn(folder: Path, **environment: str) -> Iterator[Gunicorn]:
    started = Gunicorn(folder, **environment)
    try:
        yield started
    finally:
        if started.process.poll() is None:
            started.process.send_signal(signal.SIGTERM)
            started.process.wait(60)


@embedded_alone
def test_a_port_for_health_that_is_in_use_is_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with gunicorn(tmp_path, HEALTH_BIND=address) as started:
            assert started.process.wait(60) == 1
    said = started.log.read_text()
    assert f"HEALTH_BIND is {address}, where gunicorn cannot listen" in said
    assert "Traceback" not in said


MALFORMED = (
    b"stranger's words\x1b[31m\r\n\r\n",
    b"GET /password/reset/stranger's\xff HTTP/1.1\r\n\r\n",
    b"GET / HTTP/stranger's\r\n\r\n",
    b"GET / HTTP/1.1\r\nstranger's words: x\r\n\r\n",
    b"POST / HTTP/1.1\r\nTransfer-Encoding: stranger's\r\n\r\n",
    b"POST / HTTP/1.1\r\nContent-Length: stranger's\r\n\r\n",
)


@embedded_alone
def test_the_log_names_what_is_wrong_with_a_request_and_nothing_that_was_sent(
    tmp_path: Path,
) -> None:
    """A malformed line can hold the token of a letter."""
    with gunicorn(tmp_path) as started:
        wait_until(started.answers, seconds=60)
        host, _, port = started.app.rpartition(":")
        for sent in MALFORMED:
            with socket.create_connection((host, int(port)), timeout=10) as stranger:
                stranger.sendall(sent)
                assert stranger.recv(12) in (b"HTTP/1.1 400", b"HTTP/1.1 501")
    said = started.log.read_text()
    assert "Invalid request from ip=127.0.0.1: InvalidRequestLine" in said
    assert said.count("Invalid request from ip=127.0.0.1: ") == len(MALFORMED)
    assert "stranger" not in said


@embedded_alone
def test_the_address_of_a_request_that_meets_a_fault_is_not_logged(tmp_path: Path) -> None:
    with gunicorn(tmp_path) as started:
        wait_until(started.answers, seconds=60)
        connection = started.connect()
        connection.request("GET", "/fault?of=stranger")
        assert connection.getresponse().status == 500
    said = started.log.read_text()
    assert "Error handling a request" in said
    assert "RuntimeError: a fault" in said
    assert "stranger" not in said


@embedded_alone
@pytest.mark.skipif(sys.platform != "linux", reason="the kernel of Linux ends them")
def test_a_killed_master_leaves_no_worker_that_holds_the_port(tmp_path: Path) -> None:
    """Though someone sends slowly, for whom a worker that ends in order would wait."""
    with gunicorn(tmp_path) as started:
        wait_until(started.answers, seconds=60)
        slow = started.connect()
        slow.putrequest("POST", "/")
        slow.putheader("Content-Length", "10")
        slow.endheaders(b"half")
        wait_until(lambda: len(children_of(started.process.pid)) == 2, seconds=60)
        started.process.kill()
        started.process.wait()
        host, _, port = started.app.rpartition(":")
        wait_until(lambda: is_free(host, int(port)), seconds=graceful_timeout() * 0.75)
        slow.close()


def graceful_timeout() -> int:
    """In how many seconds a worker ends that is told to."""
    return int(runpy.run_path(str(ROOT / "deploy/gunicorn.conf.py"))["graceful_timeout"])


def is_free(host: str, port: int) -> bool:
    try:
        socket.create_server((host, port)).close()
    except OSError:
        return False
    return True


# The nginx that `make serve` runs is the shipped configuration, but for ports and files.

PLACES = Places(
    outer="127.0.0.1:9443",
    inner="127.0.0.1:9002",
    app="127.0.0.1:9000",
    health="127.0.0.1:9001",
    live="127.0.0.1:9003",
    certificate=Path("/some where/tls.pem"),
    key=Path("/some where/tls.pem"),
    workers=4,
    hosts=("localhost", "127.0.0.1", "[::1]"),
)


def test_only_what_is_marked_as_the_operators_own_differs() -> None:
    shipped = SHIPPED.read_text()
    kept = set(configuration(shipped, PLACES).splitlines())
    changed = [line for line in shipped.splitlines() if line not in kept]
    assert [line for line in changed if "# yours" not in line and "8002" not in line] == []


def test_nothing_of_the_shipped_places_is_left() -> None:
    made = configuration(SHIPPED.read_text(), PLACES)
    assert not [
        word for word in ("8000", "8001", "8002", "8003", "example.org", "/run/") if word in made
    ]
    assert "limit_conn site 48;" in made


@pytest.mark.parametrize(
    "gone", ["listen 443 ssl", "limit_conn site 24;", "127.0.0.1:8002", "example\\.org"]
)
def test_a_shipped_file_that_lacks_a_place_is_noticed(gone: str) -> None:
    with pytest.raises(ValueError, match=r"deploy/nginx\.conf has no"):
        configuration(SHIPPED.read_text().replace(gone, ""), PLACES)


def uploads(resolver: URLResolver, start: str = "") -> Iterator[tuple[str, int]]:
    """The addresses, each with an example of what stands in it, and how many bytes of upload they take."""
    for entry in resolver.url_patterns:
        pattern = re.sub(r"^\^|/\?\$$|\$$", "", str(entry.pattern))  # of the addresses of the API
        address = start + re.sub(r"<[^>]*>", "x", pattern)
        if isinstance(entry, URLResolver):
            yield from uploads(entry, address)
        elif isinstance(entry, URLPattern):
            yield f"/{address}", getattr(entry.callback, "upload_bytes", 0)


def test_addresses_that_take_uploads_get_them_and_no_others() -> None:
    """A little more than the site takes, so that it is the site that refuses what is too large."""
    shipped = SHIPPED.read_text()
    large = re.compile(re.findall(r"location ~ (\S+) {", shipped)[0])
    sizes = [int(size) * 1024**2 for size in re.findall(r"client_max_body_size (\d+)m;", shipped)]
    assert sizes == [sizes[0], sizes[1], sizes[1]]
    forms = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    for address, most in uploads(get_resolver()):
        assert bool(large.fullmatch(address)) == bool(most), address
        assert most + forms < (sizes[1] if most else sizes[0]), address


# The shipped nginx by itself, in front of a site that is down: whom it leads on to https, and what it writes.

embedded_alone_for_nginx_answers = pytest.mark.engines("embedded", reason="nginx knows no engine")
SECRET = "s3cr3t-of-a-letter"
OURS = ("localhost", "LOCALHOST", "127.0.0.1", "social.example", "a.social.example")
STRANGE = ("evil.example", "localhost.evil.example", "xsocial.example", "localhost@evil.example")


class Front:
    """A running nginx, and what it wrote."""

    def __init__(self, folder: Path) -> None:
        outer, inner, app, health, live = free_addresses(5)
        certificate = folder / "tls.pem"
        certificate.write_text(make_certificate(["localhost"]))
        hosts = (*THIS_MACHINE, ".social.example")
        places = Places(outer, inner, app, health, live, certificate, certificate, 2, hosts)
        write_configuration(folder / "nginx", places)
        program = find_nginx({})
        assert program
        self.port, self.log = int(outer.rpartition(":")[2]), folder / "said.log"
        self.process = subprocess.Popen(
            command(program, folder / "nginx"), stderr=self.log.open("w"), start_new_session=True
        )
        until = time.monotonic() + 20
        while not self._listens():
            assert self.process.poll() is None, self.said
            assert time.monotonic() < until, self.said
            time.sleep(0.02)

    @property
    def said(self) -> str:
        return self.log.read_text()

    def plainly(self, host: str | None, path: str = "/about") -> str:
        """The head of the answer to a request without TLS on the port of https."""
        named = "" if host is None else f"Host: {host}\r\n"
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as plain:
            version = "1.0" if host is None else "1.1"
            plain.sendall(f"GET {path} HTTP/{version}\r\n{named}\r\n".encode())
            return plain.recv(8192).decode().partition("\r\n\r\n")[0]

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> int:
        connection = http.client.HTTPSConnection(
            "127.0.0.1", self.port, timeout=20, context=UNVERIFIED
        )
        connection.request(method, path, body or None, {"Host": "localhost", **headers})
        return connection.getresponse().status

    def _listens(self) -> bool:
        with suppress(OSError):
            return self.ask("GET", "/") == 503
        return False


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    made = Front(tmp_path_factory.mktemp("front"))
    yield made
    made.process.terminate()
    made.process.wait(20)


@needs_nginx
@embedded_alone_for_nginx_answers
@pytest.mark.parametrize("host", OURS)
def test_plain_http_leads_to_https_for_the_hosts_of_the_site(front: Front, host: str) -> None:
    head = front.plainly(f"{host}:{front.port}", "/about?a=b")
    assert head.startswith("HTTP/1.1 301")
    assert f"Location: https://{host}:{front.port}/about?a=b\r\n" in f"{head}\r\n"


@needs_nginx
@embedded_alone_for_nginx_answers
@pytest.mark.parametrize("host", [*STRANGE, "", None])
def test_nobody_is_led_to_a_host_that_is_not_the_sites(front: Front, host: str | None) -> None:
    head = front.plainly(host)
    assert head.split()[1] == "400"
    assert "Location" not in head


@needs_nginx
@embedded_alone_for_nginx_answers
def test_no_line_holds_the_address_or_the_referrer_of_a_request(front: Front) -> None:
    """Large bodies, bodies that are too large, a site that is down, people who leave, and what is no request."""
    path, referrer = f"/password/reset/{SECRET}", {"Referer": f"https://localhost/erased/{SECRET}"}
    assert front.ask("POST", path, b"x" * 500_000, **referrer) == 503  # kept in a file meanwhile
    assert front.ask("POST", path, b"x" * 3_000_000, **referrer) == 413
    with suppress(OSError):
        front.ask("POST", "/photos", b"x" * 130_000_000, **referrer)
    assert front.ask("GET", path, **referrer) == 503
    front.plainly("localhost", path)
    front.plainly("evil.example", path)
    with (
        socket.create_connection(("127.0.0.1", front.port), timeout=10) as plain,
        UNVERIFIED.wrap_socket(plain, server_hostname="localhost") as halfway,
    ):
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nReferer: /{SECRET}\r\n"
        halfway.sendall(f"{head}Content-Length: 9\r\n\r\nx".encode())
    with suppress(OSError, ssl.SSLError), socket.create_connection(("127.0.0.1", front.port)) as it:
        it.sendall(f"{SECRET}\r\n\r\n".encode())
        it.recv(100)
    assert front.ask("GET", "/") == 503
    assert SECRET not in front.said
    assert front.said == ""


def handshake(front: Front, *, version: ssl.TLSVersion, ciphers: str) -> str:
    """The version and cipher that nginx agrees to, empty if it refuses."""
    context = ssl._create_unverified_context()
    context.minimum_version = context.maximum_version = version
    context.set_ciphers(f"{ciphers}:@SECLEVEL=0")
    try:
        with (
            socket.create_connection(("127.0.0.1", front.port), timeout=10) as plain,
            context.wrap_socket(plain, server_hostname="localhost") as agreed,
        ):
            return f"{agreed.version()} {(agreed.cipher() or ('',))[0]}"
    except (ssl.SSLError, ConnectionResetError):
        return ""


@needs_nginx
@embedded_alone_for_nginx_answers
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_only_tls_1_2_and_1_3_with_ciphers_that_last_are_agreed_to(front: Front) -> None:
    new, old = ssl.TLSVersion.TLSv1_3, ssl.TLSVersion.TLSv1_2
    assert handshake(front, version=new, ciphers="ALL").startswith("TLSv1.3 ")
    for good in ("ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305"):
        assert handshake(front, version=old, ciphers=good) == f"TLSv1.2 {good}"
    for weak in ("ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES256-SHA384", "AES128-GCM-SHA256"):
        assert handshake(front, version=old, ciphers=weak) == ""
    for ended in (ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1):
        assert handshake(front, version=ended, ciphers="ALL") == ""
