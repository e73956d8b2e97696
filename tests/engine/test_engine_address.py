"""The engine lets in everyone who reaches it, so nobody may guess where it listens."""

import logging
import socket
import stat
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from socialsite.engine import lock, process, running
from tests.engine.processes import PROJECT, RunningTable

on_linux = pytest.mark.skipif(
    not Path("/proc/net/tcp").exists(), reason="only Linux has more loopback hosts than 127.0.0.1"
)


@on_linux
def test_host_and_port_are_new_at_each_start() -> None:
    addresses = [urlsplit(process.secret_address()) for _ in range(50)]
    assert len({address.hostname for address in addresses}) == 50
    assert len({address.port for address in addresses}) > 1
    assert all(str(address.hostname).startswith("127.") for address in addresses)
    assert "127.0.0.1" not in {address.hostname for address in addresses}


@on_linux
@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_the_engine_does_not_answer_where_a_web_page_would_look(
    table: RunningTable, host: str
) -> None:
    port = urlsplit(table.url).port
    with pytest.raises(OSError, match=r"refused|unreachable|assign|Address family"):
        socket.create_connection((host, port), timeout=2)


def test_only_a_private_file_tells_the_address(tmp_path: Path) -> None:
    try:
        url = running.ensure_running(project=PROJECT, data_dir=tmp_path, table_name="x").url
        host = str(urlsplit(url).hostname).encode()
        telling = [file for file in tmp_path.iterdir() if host in file.read_bytes()]
        assert tmp_path / lock.STATE_NAME in telling
        assert {stat.S_IMODE(file.stat().st_mode) for file in telling} == {0o600}
    finally:
        running.stop_owned()


def test_a_system_with_one_loopback_host_says_that_the_port_alone_hides_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # 192.0.2.0/24 is no network of any machine, as the rest of 127.0.0.0/8 is none on macOS.
    monkeypatch.setattr(process, "LOOPBACK_NET", process.ipaddress.ip_network("192.0.2.0/24"))
    with caplog.at_level(logging.WARNING, "socialsite.engine"):
        assert urlsplit(process.secret_address()).hostname == "127.0.0.1"
    assert "listen on 127.0.0.1 only" in caplog.text
    assert "DYNAMODB_ENDPOINT" in caplog.text
