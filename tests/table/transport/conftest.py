"""What tests of the transport share: the table behind a front, and what was given up."""

from collections.abc import Callable, Iterator

import pytest
from django.conf import settings

from socialsite.observing import metrics
from socialsite.table import connection
from tests.faults.processes import wait_until
from tests.table.transport.front import Front, standing_before
from tests.web.conftest import table_at

SECONDS = 0.9


@pytest.fixture
def front(table: str) -> Iterator[Front]:
    """All calls go through it. A call may take 0.9 seconds."""
    engine = settings.DYNAMODB_ENDPOINT
    before = settings.DYNAMODB_SECONDS, settings.DYNAMODB_WEB_SECONDS
    settings.DYNAMODB_SECONDS = settings.DYNAMODB_WEB_SECONDS = SECONDS
    with standing_before(engine) as front, table_at(front.url):
        connection.connection()
        front.asked.clear()
        yield front
        front.stop_playing()
    settings.DYNAMODB_SECONDS, settings.DYNAMODB_WEB_SECONDS = before


@pytest.fixture
def web_front(front: Front) -> Iterator[Front]:
    """The same before a process that serves pages: it does not wait twice, and has a breaker."""
    connection.disconnect()
    connection.connect_to_serve()
    wait_until(lambda: connection._connected is not None, seconds=30)
    front.asked.clear()
    yield front
    connection._serves_pages = False
    connection.disconnect()


@pytest.fixture
def given_up() -> Callable[[], dict[str, float]]:
    """`given_up()`: how many calls of this test were left to botocore, by reason."""
    before = _counted()

    def since() -> dict[str, float]:
        now = _counted()
        return {
            reason: count - before.get(reason, 0)
            for reason, count in now.items()
            if count > before.get(reason, 0)
        }

    return since


def _counted() -> dict[str, float]:
    return {
        sample.labels["reason"]: sample.value
        for sample in metrics.GIVEN_UP.collect()[0].samples
        if sample.name.endswith("_total")
    }
