"""What tests of alarms share with those of costs."""

from tests.costs.conftest import add_up, measured

__all__ = ["add_up", "measured"]
