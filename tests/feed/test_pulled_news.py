"""What widely followed authors post is merged into a reader's home, however many of them there are, and then written
into the reader's own timeline, once."""

from datetime import timedelta

from feed.home.reads import Pill, get_timeline, has_newer
from feed.publishing.writes import publish_post
from feed.timelines.big_authors import ask_to_merge, forget_to_pull, get_news, learn_to_pull
from relations.blocks.writes import mute, unmute
from socialsite.clock import utc_now
from socialsite.streams.models import JobKind
from socialsite.table import PAGE_SIZE, ids
from tests.conftest import person, post
from tests.feed.pulling import entries_of, news_of, pull
from tests.looks import broken_invariants
from tests.streams.crowd import home, jobs, open_home, reached, returning


def test_opening_home_writes_the_news_into_the_timeline_once(star, bob, log_in, drain_stream):
    browser = log_in(bob)
    post_id = post(star)
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


def test_the_worker_is_asked_once_for_the_same_news(star, bob, drain_stream):
    post(star)
    drain_stream()
    for _ in range(3):
        open_home(bob)
    assert len(jobs(JobKind.MERGE_PULLED)) == 1


def test_a_further_page_asks_for_nothing(star, bob, log_in, drain_stream):
    browser = log_in(bob)
    for _ in range(PAGE_SIZE + 1):
        post(bob)
    drain_stream()
    older = get_timeline(returning(bob)).next_cursor
    post(star)
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


def test_posts_of_muted_authors_are_no_news(star, bob, drain_stream):
    mute(by=bob, user_id=star.user_id)
    drain_stream()
    post_id = post(star)
    drain_stream()
    assert news_of(bob) == []
    assert not has_newer(returning(bob), Pill.above(returning(bob), None))
    open_home(bob)
    drain_stream()
    assert entries_of(bob) == []
    unmute(by=bob, user_id=star.user_id)
    drain_stream()
    assert entries_of(bob) == [post_id]
    assert not broken_invariants()


def test_posts_for_some_or_after_their_end_are_no_news(star, bob, monkeypatch, drain_stream):
    publish_post(by=star, content="Soon over", nonce="1", expires_in="1h")
    publish_post(by=star, content="For friends", nonce="2", audience="friends")
    drain_stream()
    assert len(news_of(bob)) == 1
    later = utc_now() + timedelta(hours=2)
    monkeypatch.setattr("feed.timelines.big_authors.utc_now", lambda: later)
    assert news_of(bob) == []


def test_news_goes_to_its_reader_alone(star, bob, carol, drain_stream):
    pull(carol, star)
    drain_stream()
    post_id = post(star)
    drain_stream()
    open_home(bob)
    drain_stream()
    assert reached([bob, carol], post_id, star) == 1
    assert home(carol) == [post_id]


def test_asking_without_news_writes_nothing(bob, requests_of):
    reader = returning(bob)
    with requests_of() as requests:
        ask_to_merge(reader, get_news(reader))
    assert requests.operations == []
