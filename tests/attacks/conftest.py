"""What attacks share: the hook between the site and its engine, hurried clocks, limits out of the way."""

from tests.injected.conftest import clock, hook
from tests.web.conftest import no_limits

__all__ = ["clock", "hook", "no_limits"]
