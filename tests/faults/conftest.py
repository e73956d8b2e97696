"""Helpers of the crash tests tell what differs, as tests do."""

import pytest

for name in ("looks", "stories_of_posts", "stories_of_relations", "stories_of_timelines"):
    pytest.register_assert_rewrite(f"tests.faults.{name}")
