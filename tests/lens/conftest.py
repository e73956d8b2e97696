"""What tests of the lens share: the requests that reach DynamoDB, and developers."""

import pytest

from tests.feed.conftest import requests_of

__all__ = ["requests_of"]


@pytest.fixture
def developing(settings):
    """Debug mode, in which whatever comes from this machine is a developer's."""
    settings.DEBUG = True
