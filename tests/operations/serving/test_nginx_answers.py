"""The shipped nginx by itself, in front of a site that is down: whom it leads on to https, and what it writes."""

import http.client
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from operations.serving.nginx import (
    THIS_MACHINE,
    Places,
    command,
    find_nginx,
    free_addresses,
    make_certificate,
    write_configuration,
)
from tests.operations.serving.served import UNVERIFIED, needs_nginx

pytestmark = [
    needs_nginx,
    pytest.mark.engines("embedded", reason="nginx knows no engine"),
]
SECRET = "s3cr3t-of-a-letter"
OURS = ("localhost", "LOCALHOST", "127.0.0.1", "social.example", "a.social.example")
STRANGE = ("evil.example", "localhost.evil.example", "xsocial.example", "localhost@evil.example")


class Front:
    """A running nginx, and what it wrote."""

    def __init__(self, folder: Path) -> None:
        outer, inner, app, health = free_addresses(4)
        certificate = folder / "tls.pem"
        certificate.write_text(make_certificate(["localhost"]))
        hosts = (*THIS_MACHINE, ".social.example")
        places = Places(outer, inner, app, health, certificate, certificate, 2, hosts)
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


@pytest.mark.parametrize("host", OURS)
def test_plain_http_leads_to_https_for_the_hosts_of_the_site(front: Front, host: str) -> None:
    head = front.plainly(f"{host}:{front.port}", "/about?a=b")
    assert head.startswith("HTTP/1.1 301")
    assert f"Location: https://{host}:{front.port}/about?a=b\r\n" in f"{head}\r\n"


@pytest.mark.parametrize("host", [*STRANGE, "", None])
def test_nobody_is_led_to_a_host_that_is_not_the_sites(front: Front, host: str | None) -> None:
    head = front.plainly(host)
    assert head.split()[1] == "400"
    assert "Location" not in head


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
