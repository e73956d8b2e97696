"""The settings of a pusher that a test starts: the site's own, with the push services of the test."""

import os

from socialsite.settings import *  # noqa: F403

PUSH_TEST_ORIGINS = os.environ["PUSH_TEST_ORIGINS"].split(",")
