"""The clock of the fault tests: retries are not waited for."""

from tests.injected.conftest import clock, impatient

__all__ = ["clock", "impatient"]
