"""No test contacts another machine: the fixture `nobody_else_is_contacted` sees to it, and has tests of its own."""

import socket
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import BotoCoreError

from tests.contacts import is_here, take_elsewhere

ROOT = Path(__file__).resolve().parents[1]
ELSEWHERE = "192.0.2.1"  # of a network that exists in documents only


def test_a_connection_elsewhere_is_refused_and_noted():
    with pytest.raises(OSError, match=ELSEWHERE):
        socket.create_connection((ELSEWHERE, 80), timeout=1)
    assert take_elsewhere() == [ELSEWHERE]


def test_asking_for_the_address_of_a_name_is_noted_too():
    with pytest.raises(OSError, match=r"x\.example"):
        socket.getaddrinfo("x.example", 443)
    assert take_elsewhere() == ["x.example"]


def test_a_datagram_is_noted_too():
    with socket.socket(type=socket.SOCK_DGRAM) as sender, pytest.raises(OSError, match=ELSEWHERE):
        sender.sendto(b"?", (ELSEWHERE, 53))
    assert take_elsewhere() == [ELSEWHERE]


def test_what_code_takes_for_a_broken_network_is_noted_nevertheless():
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with suppress(urllib.error.URLError):
        opener.open(f"http://{ELSEWHERE}/pixel.gif", timeout=1)
    assert take_elsewhere() == [ELSEWHERE]


def test_botocore_is_held_to_it():
    config = Config(retries={"total_max_attempts": 1}, proxies={"https": ""})
    amazon = boto3.client(
        "dynamodb",
        region_name="eu-central-1",
        aws_access_key_id="nobody",
        aws_secret_access_key="nothing",
        config=config,
    )
    with suppress(BotoCoreError):
        amazon.list_tables()
    assert any(host.endswith(".amazonaws.com") for host in take_elsewhere())


def test_this_machine_may_be_contacted():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()
    assert take_elsewhere() == []
    assert all(is_here(host) for host in ("127.0.0.1", "127.83.2.9", "::1", "localhost", ""))
    assert not any(is_here(host) for host in ("10.0.0.1", "169.254.169.254", "::ffff:8.8.8.8"))


def test_a_child_has_the_guard_too(tmp_path):
    contacts = tmp_path / "contacts"
    asks = f"import socket; socket.create_connection(('{ELSEWHERE}', 80), timeout=1)"
    child = subprocess.run(
        [sys.executable, "-c", asks],
        env={"PYTHONPATH": f"{ROOT / 'tests' / 'contacts'}:{ROOT}", "CONTACTS": str(contacts)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "tests contact no other machine" in child.stderr
    assert ELSEWHERE in contacts.read_text().split()
