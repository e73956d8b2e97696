"""What tests with injected faults share: the hook, hurried clocks, limits out of the way."""

from collections.abc import Iterator

import pytest

from socialsite.streams import worker
from socialsite.table import connection
from socialsite.table.connection import client
from tests.faults.processes import wait_until
from tests.injected.faults import Hook, HurriedClock, hurry
from tests.web.conftest import no_limits

__all__ = ["no_limits"]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> HurriedClock:
    return hurry(monkeypatch)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that meets a fault tries again at once."""
    monkeypatch.setattr(worker, "FAULT_PAUSE", 0)


@pytest.fixture
def hook(table: str) -> Iterator[Hook]:
    with Hook().hooked(client()) as hook:
        yield hook


@pytest.fixture
def web_process(table: str) -> Iterator[None]:
    """This process is one that serves pages in production: briefly patient, with a breaker."""
    connection.disconnect()
    connection.connect_to_serve()
    wait_until(lambda: connection._connected is not None, seconds=30)
    yield
    connection._serves_pages = False
    connection.disconnect()
