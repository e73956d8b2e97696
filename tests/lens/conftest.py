"""What tests of the lens share: the requests that reach DynamoDB, and developers."""

import pytest

from socialsite.process_state import reset_process_state
from socialsite.streams import traces
from tests.feed.conftest import requests_of

__all__ = ["requests_of"]


@pytest.fixture
def developing(settings):
    """Debug mode, in which whatever comes from this machine is a developer's."""
    settings.DEBUG = True


@pytest.fixture
def tracing(developing, table):
    """A developer's process, which serves and works."""
    traces.keep_traces()
    yield
    reset_process_state()
