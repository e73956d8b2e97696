"""What tests about finding share."""

from tests.feed.conftest import requests_of

__all__ = ["requests_of"]
