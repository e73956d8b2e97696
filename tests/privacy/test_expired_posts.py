"""Posts that ended by themselves, where someone leaves, and in the archive."""

from datetime import timedelta

import pytest

from feed.likes.writes import like_post
from privacy.erasure.writes import close_account
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.table.reading import scan
from tests.feed.expiring import clock_at, end_now, end_of, ending_post, remove_expired
from tests.looks import broken_invariants
from tests.streams.expired import archived, own_archive


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path) -> None:
    own_archive(settings, tmp_path)


def test_an_erased_person_leaves_no_post_that_ended_and_is_still_stored(alice, bob, drain_stream):
    over, alive = ending_post(alice, "over"), ending_post(alice, "not yet")
    like_post(by=bob, post_id=over, author_id=alice.user_id)
    drain_stream()
    end_now(alice.user_id, over)
    drain_stream()
    close_account(by=alice, at_once=True)
    do_due()
    drain_stream()
    do_due(utc_now() + timedelta(days=3))
    drain_stream()
    left = str(list(scan()))
    assert over not in left
    assert alive not in left
    assert broken_invariants() == {}


@pytest.mark.parametrize("kept", [False, True])
def test_the_archive_keeps_it_only_where_the_site_is_set_to(alice, settings, drain_stream, kept):
    settings.ARCHIVE_EXPIRED_POSTS = kept
    post_id = ending_post(alice)
    drain_stream()
    with clock_at(end_of(alice, post_id)):
        remove_expired()
        drain_stream()
    lines = {line["type"] for line in archived() if post_id in str(line)}
    assert lines == ({"Post", "LikeCount"} if kept else set())
