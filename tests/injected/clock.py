"""A clock that runs ahead instead of sleeping, so that waits are measured but not waited for."""

import time
from typing import Any

import botocore.endpoint
import pytest
from botocore.retries.quota import RetryQuota

from socialsite.table import reading, resilience, writing


class HurriedClock:
    """Stands in for the `time` module where a retry is waited for: what is slept is added to what the clock shows."""

    def __init__(self) -> None:
        self.slept = 0.0

    def sleep(self, seconds: float) -> None:
        self.slept += seconds

    def monotonic(self) -> float:
        return time.monotonic() + self.slept

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)


def hurry(monkeypatch: pytest.MonkeyPatch) -> HurriedClock:
    """Back-off of botocore and of the table package passes at once.

    The budget of retries that botocore keeps for a whole process never runs out, so that each test meets the same
    number of tries.
    """
    clock = HurriedClock()
    for module in (botocore.endpoint, reading, resilience, writing):
        monkeypatch.setattr(module, "time", clock)
    monkeypatch.setattr(RetryQuota, "acquire", lambda *_: True)
    return clock
