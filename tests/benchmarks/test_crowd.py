"""Both databases are asked the same two questions: many who post all the time, and few who were quiet for weeks."""

from datetime import UTC, datetime, timedelta

import pytest

from benchmarks.crowd import BUSY, FOLLOWED, QUIET, QUIET_FROM, QUIET_POSTS, SLEEPY, Crowd
from socialsite.table import ids

POSTS = 3000


@pytest.fixture(scope="module")
def crowd():
    return Crowd(POSTS)


def test_the_busy_reader_follows_a_tenth_of_all_posts(crowd):
    reader = crowd.readers[BUSY]
    assert len(set(crowd.follows[reader])) == FOLLOWED
    assert len(crowd.timeline(reader)) == pytest.approx(POSTS / 10, rel=0.35)


def test_whom_the_quiet_reader_follows_said_nothing_for_weeks(crowd):
    posts = crowd.timeline(crowd.readers[SLEEPY])
    assert len(posts) == QUIET * QUIET_POSTS
    latest = datetime.now(UTC) - timedelta(days=QUIET_FROM)
    assert all(ids.time_of(post.post_id) < latest for post in posts)


def test_the_table_holds_each_timeline_and_every_post(crowd):
    types = [type(item).__name__ for item in crowd.items()]
    entries = sum(len(crowd.timeline(reader)) for reader in crowd.readers.values())
    assert types.count("Post") == types.count("LikeCount") == POSTS
    assert types.count("TimelineEntry") == entries
    assert types.count("Like") == types.count("LikeTrace") > 0
