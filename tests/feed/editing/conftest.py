"""Fixtures of what authors change later."""

from collections.abc import Callable

import pytest

from socialsite.streams.worker import Worker
from tests.looks import broken_invariants, drain


@pytest.fixture
def broken(table) -> Callable[[], dict[str, list[str]]]:
    """What is not as it must be, once the worker has caught up."""
    worker = Worker()

    def look() -> dict[str, list[str]]:
        drain(worker)
        return broken_invariants()

    return look
