"""What the tests of costs share: everything is measured, and nothing was measured before."""

from collections.abc import Callable, Iterator

import pytest

from costs.keeping import write_sums
from costs.prices import Window
from costs.spent import Spent, list_spent
from socialsite.streams.worker import Worker
from socialsite.table import meter


@pytest.fixture
def measured(settings) -> Iterator[None]:
    """From here on everything is measured."""
    settings.COST_SAMPLE = 1.0
    meter.take()
    yield
    settings.COST_SAMPLE = 0.0
    meter.take()


@pytest.fixture
def add_up(table) -> Callable[[], list[Spent]]:
    """Writes what was spent, lets the worker add it up, and returns today's sums, but for what that itself spent."""
    worker = Worker()

    def write_and_add() -> list[Spent]:
        write_sums()
        worker.drain()
        meter.take()
        return list_spent(Window.until_today(1))

    return write_and_add
