"""The worker writes the news of widely followed authors into a timeline: all of it, for readers who still want it."""

import pytest

from accounts.models import UserSettings
from feed.posts.reads import Pointer
from feed.timelines import stream
from feed.timelines.big_authors import KEPT, LATE, forget_to_pull, note_recent
from feed.timelines.stream import merge_step
from feed.timelines.writes import clear_entries
from relations.blocks.writes import mute
from relations.follows.writes import unfollow
from socialsite.clock import utc_now
from socialsite.streams.models import JobKind
from socialsite.table import PAGE_SIZE, change, fetch, keys, write_batch
from tests.conftest import person, post
from tests.feed.pulling import entries_of, news_of, pull
from tests.looks import broken_invariants
from tests.streams.crowd import home, jobs, open_home


def test_of_more_authors_than_a_page_has_posts_none_is_missing(bob, monkeypatch, drain_stream):
    monkeypatch.setattr(stream, "AUTHORS_A_STEP", 10)
    authors = [person(f"author_{number}") for number in range(PAGE_SIZE + 5)]
    pull(bob, *authors)
    drain_stream()
    posts = [post(author) for author in authors][::-1]
    drain_stream()
    assert home(bob) == posts[:PAGE_SIZE]
    open_home(bob)
    drain_stream()
    assert entries_of(bob) == posts
    assert not broken_invariants()


def test_what_has_left_a_list_meanwhile_is_found_among_the_authors_posts(star, bob, drain_stream):
    posts = [post(star) for _ in range(KEPT + 5)][::-1]
    drain_stream()
    assert home(bob) == posts[:PAGE_SIZE]
    open_home(bob)
    drain_stream()
    assert entries_of(bob) == posts
    assert not broken_invariants()


@pytest.mark.parametrize("merged", ["", "1.long-ago"], ids=["never", "long ago"])
def test_a_timeline_that_was_not_merged_gets_as_much_as_after_a_follow(
    alice, bob, settings, drain_stream, merged
):
    settings.BACKFILL_POSTS = KEPT + 2
    pull(bob, alice)
    change(UserSettings, keys.user_settings(bob.user_id), [UserSettings.merged.set(merged)])
    drain_stream()
    posts = [post(alice) for _ in range(KEPT + 5)][::-1]
    drain_stream()
    open_home(bob)
    drain_stream()
    assert entries_of(bob) == posts[: KEPT + 2]


def test_a_post_that_came_late_into_its_list_is_merged_all_the_same(
    star, bob, monkeypatch, drain_stream
):
    carol = person("carla")
    pull(bob, carol)
    late = post(star)
    drain_stream()
    early = utc_now() - LATE / 2
    open_home(bob)
    drain_stream()
    monkeypatch.setattr("feed.timelines.big_authors.utc_now", lambda: early)
    second = post(carol)
    note_recent(Pointer(second, carol.user_id), ends=None)
    monkeypatch.undo()
    assert news_of(bob)[-1] == second
    open_home(bob)
    drain_stream()
    assert entries_of(bob) == [second, late]


@pytest.mark.parametrize("leave", ["unfollow", "mute"])
def test_a_reader_who_leaves_while_the_news_is_written_keeps_none_of_it(
    star, bob, monkeypatch, drain_stream, leave
):
    post(star)
    drain_stream()
    open_home(bob)
    (job,) = jobs(JobKind.MERGE_PULLED)
    write = stream.write_batch

    def leave_and_write(**entries: object) -> None:
        """The reader leaves, and another worker clears the timeline, before this one writes."""
        if leave == "mute":
            mute(by=bob, user_id=star.user_id)
        else:
            unfollow(by=bob, user_id=star.user_id)
            forget_to_pull(bob.user_id, star.user_id)
        clear_entries(bob.user_id, star.user_id)
        write(**entries)

    monkeypatch.setattr(stream, "write_batch", leave_and_write)
    merge_step(job)
    assert entries_of(bob) == []


def test_a_job_for_an_account_that_is_gone_ends(star, bob, drain_stream):
    post(star)
    drain_stream()
    open_home(bob)
    (job,) = jobs(JobKind.MERGE_PULLED)
    gone = keys.user_settings(bob.user_id)
    write_batch(deletes=[gone])
    assert merge_step(job).cursor is None
    assert entries_of(bob) == []
    assert not fetch([gone], consistent=True)


def test_a_timeline_that_lacks_merged_news_is_reported(star, bob, drain_stream):
    post_id = post(star)
    drain_stream()
    later = int((utc_now() + 2 * LATE).timestamp() * 1000)
    merged = [UserSettings.merged.set(f"{later}.x")]
    change(UserSettings, keys.user_settings(bob.user_id), merged)
    assert broken_invariants() == {
        "timelines miss no new post of those who are followed": [
            f"{bob.user_id}: {post_id} by {star.user_id}"
        ]
    }
