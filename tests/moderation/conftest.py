"""What tests of moderation share with those of people."""

from tests.accounts.conftest import limit
from tests.feed.conftest import requests_of

__all__ = ["limit", "requests_of"]
