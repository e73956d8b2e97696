"""The benchmarks themselves: bounds, crowds, load and stream as simulated, and docs/scale.md."""

import io
import socket
import threading
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from rich.console import Console

from benchmarks import stream_simulation
from benchmarks.bounds import KEPT_IN, Bound, conclude, kept_bounds, percentile
from benchmarks.crowd import BUSY, FOLLOWED, QUIET, QUIET_FROM, QUIET_POSTS, SLEEPY, Crowd
from benchmarks.data import TEXTS
from benchmarks.load import Asked, check_refusals, fetch, load, request_for
from benchmarks.scale.page import BILL_SIZES, PAGE, bills_of, figure, values_of, worked_out
from benchmarks.search import Texts
from benchmarks.stream_simulation import POLL_EVERY, Plan, simulate
from costs.bill import ASSUMED, bill_before
from feed.likes import reads
from feed.likes.models import Like
from feed.posts.models import LikeCount, LikeTrace, Post, TimelineEntry
from feed.timelines import local
from lens.figures import BUDGETS
from relations.models import Follower
from socialsite.prices import FIRST, prices_of
from socialsite.streams import worker
from socialsite.table import ids, item_size


@pytest.mark.parametrize(
    ("bound", "held", "verdict"),
    [
        (Bound("pages", 1.2, "≥", must=1.0, goal=1.5), True, "[green]held[/], not the goal"),
        (Bound("pages", 1.6, "≥", must=1.0, goal=1.5), True, "[green]held[/]"),
        (Bound("pages", 0.9, "≥", must=1.0, goal=1.5), False, "[red]missed[/]"),
        (Bound("data", 1.5, "≤", goal=1.4), True, "[yellow]not the goal[/]"),
        (Bound("data", 1.4, "≤", goal=1.4), True, "[green]held[/]"),
        (Bound("told", 7, "≤"), True, ""),
    ],
)
def test_a_goal_is_told_and_a_limit_is_held(bound, held, verdict):
    assert (bound.held, bound.verdict) == (held, verdict)


def test_a_run_fails_by_a_missed_limit_and_keeps_what_it_found(tmp_path, monkeypatch):
    console, file = Console(file=io.StringIO()), tmp_path / "kept"
    monkeypatch.setenv(KEPT_IN, str(file))
    well = Bound("data", 1.3, "≤", must=2, goal=1.4, rounds="1.2 to 1.4")
    missed = Bound("page", 3, "≤", must=2)
    assert conclude(console, [well]) == 0
    assert conclude(console, [missed]) == 1
    assert kept_bounds(file) == [well, missed]


# Both databases are asked the same two questions: many who post all the time, and few who were quiet for weeks.

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


# What asks for pages takes whole answers alone, and says so when a server refuses.

REQUEST = request_for("/", "session=1")
PAGE_ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
BUSY_ANSWER = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\n\r\nbusy"


@contextmanager
def server(*answers):
    """Gives each of the answers in turn on every connection, and the last one from then on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve(connection):
            with connection:
                for number in range(1_000_000):
                    if not connection.recv(4096):
                        return
                    for part in answers[min(number, len(answers) - 1)]:
                        connection.sendall(part)

        def accept():
            while True:
                try:
                    connection = listener.accept()[0]
                except OSError:
                    return
                threading.Thread(target=serve, args=(connection,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


def test_an_answer_that_comes_in_parts_is_one_answer():
    with server([PAGE_ANSWER[:30], PAGE_ANSWER[30:50], PAGE_ANSWER[50:]]) as port:
        assert fetch(port, REQUEST) == "hello"


def test_every_connection_asks_again_until_the_time_is_over():
    with server([PAGE_ANSWER]) as port:
        asked = load(port, REQUEST, 0.2, connections=3)
    assert len(asked.milliseconds) > 3
    assert asked.rate == pytest.approx(len(asked.milliseconds) / 0.2, rel=0.5)


def test_a_server_that_refuses_is_not_a_fast_server():
    with server([PAGE_ANSWER], [BUSY_ANSWER]) as port:
        asked = load(port, REQUEST, 0.1, connections=2)
    assert len(asked.milliseconds) == 2
    assert asked.refused > 2
    with pytest.raises(
        RuntimeError, match=f"home: {asked.refused} answers said busy, beside 2 pages"
    ):
        check_refusals("home", [asked])


def test_a_connection_that_was_told_busy_rests_before_it_asks_again():
    with server([PAGE_ANSWER], [BUSY_ANSWER]) as port:
        asked = load(port, REQUEST, 0.25, connections=2, after_refusal=0.1)
    assert len(asked.milliseconds) == 2
    assert 2 <= asked.refused <= 6


def test_a_few_refusals_in_all_turns_together_are_forgiven():
    check_refusals("home", [Asked(0.0, [], [1.0] * 5, 1.0), Asked(100.0, [10.0] * 100, [], 1.0)])
    with pytest.raises(RuntimeError, match="busy"):
        check_refusals(
            "home", [Asked(0.0, [], [1.0] * 6, 1.0), Asked(100.0, [10.0] * 100, [], 1.0)]
        )


def test_a_fault_is_no_page():
    fault = b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n"
    with server([fault]) as port, pytest.raises(RuntimeError, match="500"):
        fetch(port, REQUEST)


# The simulated stream behaves as waiting lines do: never fresher than its work takes, and shards share a load.

QUIET_STREAM = Plan(posts_a_second=0.5, shards=1, followers=10, star_every=10**9)


def test_a_quiet_stream_is_as_fresh_as_its_poll():
    ages = simulate(QUIET_STREAM)
    work = QUIET_STREAM.followers / QUIET_STREAM.entries_a_second
    assert percentile(ages, 50) == pytest.approx(POLL_EVERY / 2 + work, abs=0.06)
    assert min(ages) > work


def test_the_same_seed_gives_the_same_ages_and_another_one_others():
    assert simulate(QUIET_STREAM) == simulate(QUIET_STREAM)
    assert simulate(QUIET_STREAM) != simulate(replace(QUIET_STREAM, seed=19))


def test_one_reader_with_more_than_it_can_write_falls_behind_and_more_shards_keep_up():
    one = Plan(posts_a_second=20, shards=1, star_every=10**9)
    assert one.posts_a_second * one.followers > one.entries_a_second
    assert percentile(simulate(one), 95) > 10
    assert percentile(simulate(replace(one, shards=8)), 95) < 1


def test_others_need_not_wait_until_a_star_has_reached_everyone():
    with_stars = replace(QUIET_STREAM, posts_a_second=2, star_every=20, star_followers=20_000)
    ages = simulate(with_stars)
    assert max(ages) > with_stars.star_followers / with_stars.entries_a_second
    assert percentile(ages, 50) < 2


def test_a_burst_makes_posts_older_and_is_worked_off():
    calm = Plan(posts_a_second=3, shards=1, star_every=10**9)
    burst = replace(calm, burst=5)
    assert max(simulate(burst)) > 2 * max(simulate(calm))
    assert simulate(burst)[-1] < 1


# Every figure of docs/scale.md is what its formula gives, and its assumptions are what the code says.

HEAD = """\
| `people` | 1,000 | 50,000 | accounts |
| `share` | 0.5 | 0.5 | of them |
"""


def size(*items):
    return sum(item_size(item.serialize()) for item in items)


def test_every_figure_is_what_its_formula_gives():
    page = PAGE.read_text()
    assert worked_out(page) == page


def test_a_formula_is_worked_out_for_each_size_from_the_names_above_it():
    page = HEAD + "| `most` | `ceil(people * share / 300)` | | |\n"
    assert worked_out(page).splitlines()[-1] == "| `most` | `ceil(people * share / 300)` | 2 | 84 |"


def test_a_figure_that_was_typed_is_put_right():
    page = HEAD + "| `most` | `people * share` | 7 | 8 |\n"
    assert worked_out(page).splitlines()[-1] == "| `most` | `people * share` | 500 | 25,000 |"


def test_a_formula_that_names_nothing_known_is_an_error():
    with pytest.raises(NameError):
        worked_out(HEAD + "| `most` | `posts * 2` | | |\n")
    with pytest.raises(ValueError, match="neither"):
        worked_out("| `two names` | 1 | 2 | |\n")


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (0.01018, "0.0102"), (7.0, "7"), (41.26, "41.3"), (1234.5, "1,230")],
)
def test_three_digits_count(value, text):
    assert figure(value) == text


def test_what_the_code_knows_is_what_the_page_assumes():
    user_id, post_id, end = ids.new_id(), ids.new_id(), datetime.now(UTC)
    who = {"post_id": post_id, "author_id": user_id}
    listed = prices_of(FIRST).dollars
    known = {
        **{name: listed[name] for name in ("read_price", "write_price", "storage_price")},
        **{one.name: one.value for one in ASSUMED if one.name in values_of(PAGE.read_text())[0]},
        "timeline_days": settings.TIMELINE_DAYS,
        "local_shards": local.SHARDS,
        "hot_shards": reads.SHARDS,
        "most_shards": reads.MOST_SHARDS,
    }
    sizes = {
        "entry_bytes": size(TimelineEntry.new(user_id=user_id, ttl=end, **who)),
        "follower_bytes": size(Follower.new(user_id=user_id, follower_id=user_id)),
        "post_bytes": size(Post.new(content=TEXTS[0], **who), LikeCount.new(post_id=post_id)),
        "like_bytes": size(Like.new(user_id=user_id, **who), LikeTrace.new(user_id=user_id, **who)),
    }
    for assumed in values_of(PAGE.read_text()):
        assert {name: assumed[name] for name in known} == known
        for name, bytes_ in sizes.items():
            assert assumed[name] == pytest.approx(bytes_, rel=0.05)
        assert assumed["home_reads"] <= BUDGETS["feed:home"].reads


def test_the_bill_is_of_the_same_habits_and_ends_where_the_table_alone_does():
    page = PAGE.read_text()
    million = values_of(page)[0]
    habits = {one.name for one in ASSUMED} & million.keys()
    assert habits == {"pages", "pulses", "peak", "page_ms", "entries_a_second"}
    for one, people in zip(bills_of(page, prices_of(FIRST)), BILL_SIZES, strict=True):
        table = one.values["units"] + one.values["storage"]
        assert table == pytest.approx(million["dollars"] * people / million["people"])
        before = bill_before(
            people, active_share=million["active"], prices=prices_of(FIRST).dollars
        )
        assert before.total == pytest.approx(one.total, rel=0.01)


def test_a_bill_that_was_typed_is_put_right():
    page = PAGE.read_text()
    assert worked_out(page.replace("| Load balancer | ", "| Load balancer | 1")) == page


def test_the_simulation_polls_as_the_worker_does():
    assert stream_simulation.POLL_EVERY == worker.POLL_EVERY
    assert stream_simulation.RECORDS_A_READ == worker.RECORDS_A_READ
    assert stream_simulation.INLINE == settings.FAN_OUT_INLINE
    assert stream_simulation.STEP == settings.FAN_OUT_STEP


def test_searches_of_the_benchmark_find_something_and_are_the_same_each_time():
    posts = list(Texts().posts(2_000, ["x", "y"]))
    assert len(posts) == 200
    assert [one.content for one in posts] == [
        one.content for one in Texts().posts(2_000, ["x", "y"])
    ]
    for size, some in enumerate(Texts().searches(posts, 5).values(), 1):
        for text in some:
            words = set(text.split())
            assert len(words) <= size
            assert any(words <= set(one.content.split()) for one in posts)
