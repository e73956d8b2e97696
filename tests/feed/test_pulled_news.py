"""What widely followed authors post is merged into a reader's home, however many of them there are, and then written
into the reader's own timeline, once."""

from datetime import timedelta

import pytest

from accounts.models import PULLED, UserInfo, UserSettings
from accounts.viewer import Viewer
from feed.access_patterns import get_timeline
from feed.newer import Pill, has_newer
from feed.pointers import Pointer
from feed.pulled.news import LATE, ask_to_merge, get_news
from feed.pulled.recent import KEPT, note_recent
from feed.services.publish_post import publish_post
from feed.stream_handlers import merge_pulled
from feed.stream_handlers.cross_to_pull import forget_to_pull, learn_to_pull
from feed.stream_handlers.follow_timeline import clear_entries
from feed.stream_handlers.merge_pulled import merge_step
from privacy.services.close_account import close_account
from relations.services.follow import follow, unfollow
from relations.services.mute import mute, unmute
from socialsite.clock import utc_now
from socialsite.models import JobKind
from socialsite.table import ids, keys
from socialsite.table.paging import PAGE_SIZE
from socialsite.table.reading import query
from socialsite.table.writing import change
from tests.conftest import person, post
from tests.looks import broken_invariants
from tests.streams.crowd import home, jobs, open_home, reached, returning


@pytest.fixture
def wide(alice, bob, drain_stream) -> Viewer:
    """Alice, whose posts are pulled, also by Bob. His timeline was merged."""
    pull(bob, alice)
    drain_stream()
    open_home(bob)
    drain_stream()
    return alice


def pull(reader: Viewer, *authors: Viewer) -> None:
    for author in authors:
        change(UserInfo, keys.user_info(author.user_id), [UserInfo.reading.set(PULLED)])
        follow(by=reader, user_id=author.user_id)
        learn_to_pull(reader.user_id, author.user_id)


def entries_of(reader: Viewer) -> list[str]:
    rows = query(keys.timeline(reader.user_id), forward=False)
    return [raw["post_id"]["S"] for raw in rows]


def news_of(reader: Viewer) -> list[str]:
    return [raw["post_id"]["S"] for raw in get_news(returning(reader)).entries]


def test_opening_home_writes_the_news_into_the_timeline_once(wide, bob, log_in, drain_stream):
    browser = log_in(bob)
    post_id = post(wide)
    drain_stream()
    assert entries_of(bob) == []
    assert post_id in browser.get("/").content.decode()
    assert len(jobs(JobKind.MERGE_PULLED)) == 1
    drain_stream()
    assert entries_of(bob) == [post_id]
    assert news_of(bob) == []
    browser.get("/")
    assert not jobs(JobKind.MERGE_PULLED)
    assert home(bob) == [post_id]
    assert not broken_invariants()


def test_the_worker_is_asked_once_for_the_same_news(wide, bob, drain_stream):
    post(wide)
    drain_stream()
    for _ in range(3):
        open_home(bob)
    assert len(jobs(JobKind.MERGE_PULLED)) == 1


def test_a_further_page_asks_for_nothing(wide, bob, log_in, drain_stream):
    browser = log_in(bob)
    for _ in range(PAGE_SIZE + 1):
        post(bob)
    drain_stream()
    older = get_timeline(returning(bob)).next_cursor
    post(wide)
    drain_stream()
    browser.get("/", {"page": older})
    assert not jobs(JobKind.MERGE_PULLED)


def test_without_news_home_makes_one_call_more_for_up_to_a_hundred_authors(
    bob, log_in, requests_of, drain_stream
):
    browser = log_in(bob)
    authors = [person(f"author_{number}") for number in range(3)]
    pull(bob, *authors)
    for author in authors:
        post(author)
    for _ in range(101 - len(authors)):
        learn_to_pull(bob.user_id, ids.new_id())
    drain_stream()
    browser.get("/")
    drain_stream()
    assert not jobs(JobKind.MERGE_PULLED)
    with requests_of() as requests:
        browser.get("/")
    assert sorted(requests.operations) == [*["BatchGetItem"] * 4, "Query"]  # 101 take two
    for _ in range(2):
        forget_to_pull(bob.user_id, max(returning(bob).pulled))
    browser.get("/")
    drain_stream()
    with requests_of() as requests:
        browser.get("/")
    assert sorted(requests.operations) == [*["BatchGetItem"] * 3, "Query"]


def test_a_reader_who_pulls_nobody_reads_no_lists(bob, requests_of):
    reader = returning(bob)
    with requests_of() as requests:
        get_news(reader)
    assert requests.operations == []


def test_of_more_authors_than_a_page_has_posts_none_is_missing(bob, monkeypatch, drain_stream):
    monkeypatch.setattr(merge_pulled, "AUTHORS_A_STEP", 10)
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


def test_what_has_left_a_list_meanwhile_is_found_among_the_authors_posts(wide, bob, drain_stream):
    posts = [post(wide) for _ in range(KEPT + 5)][::-1]
    drain_stream()
    assert home(bob) == posts[:PAGE_SIZE]
    open_home(bob)
    drain_stream()
    assert entries_of(bob) == posts
    assert not broken_invariants()


def test_a_timeline_that_was_never_merged_gets_as_much_as_after_a_follow(
    alice, bob, settings, drain_stream
):
    settings.BACKFILL_POSTS = KEPT + 2
    pull(bob, alice)
    drain_stream()
    posts = [post(alice) for _ in range(KEPT + 5)][::-1]
    drain_stream()
    open_home(bob)
    drain_stream()
    assert entries_of(bob) == posts[: KEPT + 2]


def test_a_post_that_came_late_into_its_list_is_merged_all_the_same(
    wide, bob, monkeypatch, drain_stream
):
    carol = person("carla")
    pull(bob, carol)
    late = post(wide)
    drain_stream()
    early = utc_now() - LATE / 2
    open_home(bob)
    drain_stream()
    monkeypatch.setattr("feed.pulled.recent.utc_now", lambda: early)
    second = post(carol)
    note_recent(Pointer(second, carol.user_id), ends=None)
    monkeypatch.undo()
    assert news_of(bob)[-1] == second
    open_home(bob)
    drain_stream()
    assert entries_of(bob) == [second, late]


def test_posts_of_muted_authors_are_no_news(wide, bob, drain_stream):
    mute(by=bob, user_id=wide.user_id)
    drain_stream()
    post_id = post(wide)
    drain_stream()
    assert news_of(bob) == []
    assert not has_newer(returning(bob), Pill.above(returning(bob), None))
    open_home(bob)
    drain_stream()
    assert entries_of(bob) == []
    unmute(by=bob, user_id=wide.user_id)
    drain_stream()
    assert entries_of(bob) == [post_id]
    assert not broken_invariants()


def test_posts_for_some_or_after_their_end_are_no_news(wide, bob, monkeypatch, drain_stream):
    publish_post(by=wide, content="Soon over", nonce="1", expires_in="1h")
    publish_post(by=wide, content="For friends", nonce="2", audience="friends")
    drain_stream()
    assert len(news_of(bob)) == 1
    later = utc_now() + timedelta(hours=2)
    monkeypatch.setattr("feed.pulled.news.utc_now", lambda: later)
    assert news_of(bob) == []


@pytest.mark.parametrize("leave", ["unfollow", "mute"])
def test_a_reader_who_leaves_while_the_news_is_written_keeps_none_of_it(
    wide, bob, monkeypatch, drain_stream, leave
):
    post(wide)
    drain_stream()
    open_home(bob)
    (job,) = jobs(JobKind.MERGE_PULLED)
    write = merge_pulled.write_batch

    def leave_and_write(**entries: object) -> None:
        """The reader leaves, and another worker clears the timeline, before this one writes."""
        if leave == "mute":
            mute(by=bob, user_id=wide.user_id)
        else:
            unfollow(by=bob, user_id=wide.user_id)
            forget_to_pull(bob.user_id, wide.user_id)
        clear_entries(bob.user_id, wide.user_id)
        write(**entries)

    monkeypatch.setattr(merge_pulled, "write_batch", leave_and_write)
    merge_step(job)
    assert entries_of(bob) == []


def test_a_job_for_an_account_that_is_gone_ends(wide, bob, drain_stream):
    post(wide)
    drain_stream()
    open_home(bob)
    (job,) = jobs(JobKind.MERGE_PULLED)
    close_account(by=bob, at_once=True)
    drain_stream()
    before = entries_of(bob)
    assert merge_step(job).cursor is None
    assert entries_of(bob) == before


def test_a_timeline_that_lacks_merged_news_is_reported(wide, bob, drain_stream):
    post_id = post(wide)
    drain_stream()
    later = int((utc_now() + 2 * LATE).timestamp() * 1000)
    merged = [UserSettings.merged.set(f"{later}.x")]
    change(UserSettings, keys.user_settings(bob.user_id), merged)
    assert broken_invariants() == {
        "timelines miss no new post of those who are followed": [
            f"{bob.user_id}: {post_id} by {wide.user_id}"
        ]
    }


def test_news_goes_to_its_reader_alone(wide, bob, carol, drain_stream):
    pull(carol, wide)
    drain_stream()
    post_id = post(wide)
    drain_stream()
    open_home(bob)
    drain_stream()
    assert reached([bob, carol], post_id, wide) == 1
    assert home(carol) == [post_id]


def test_asking_without_news_writes_nothing(bob, requests_of):
    reader = returning(bob)
    with requests_of() as requests:
        ask_to_merge(reader, get_news(reader))
    assert requests.operations == []
