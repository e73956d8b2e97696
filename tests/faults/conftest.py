"""Helpers of the crash tests tell what differs, as tests do."""

import pytest

NAMES = (
    "looks",
    *(
        f"stories_of_{what}"
        for what in ("moderation", "posts", "relations", "reposts", "timelines")
    ),
)
for name in NAMES:
    pytest.register_assert_rewrite(f"tests.faults.{name}")
