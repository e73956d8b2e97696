"""A post of anyone that is liked very fast: its likes are spread from then on, at the usual cost."""

import random
import threading
from datetime import UTC, datetime
from functools import partial
from itertools import count, islice

import pytest

from accounts.people.viewer import Viewer
from feed.cards.reads import get_post
from feed.likes.checks import mend_like_count
from feed.likes.models import Like, like_shard
from feed.likes.reads import (
    LEVELS,
    MOST_SHARDS,
    SHARDS,
    get_like_count,
    like_partitions,
    like_places,
    list_likers,
)
from feed.likes.stream import LikeRates
from feed.likes.writes import like_post, unlike_post
from feed.publishing.writes import delete_post
from socialsite.streams.lambda_handler import handle
from socialsite.streams.worker import POLL_EVERY, Worker
from socialsite.table import Conflict, Unavailable, fetch, ids, keys, query, row, write_batch
from tests.conftest import HTMX, post
from tests.faults.crash_points import LONG
from tests.feed.timelines import raise_to, shards_of
from tests.looks import broken_invariants
from tests.streams.crowd import crowd
from tests.streams.records import event, everything, handle_all, lines, unread
from tests.together import together
from tests.web.html import Html

not_on_moto = pytest.mark.engines(
    "embedded",
    "dynamodb-local",
    reason="moto copies a table for each transaction: many likes take minutes",
)

FAST = 3  # likes in a second
ENOUGH = 12  # so that some second has so many of them, however slow the machine


@pytest.fixture
def fast(settings) -> None:
    settings.SPREAD_LIKES_ABOVE = FAST


@pytest.fixture
def post_id(alice) -> str:
    return post(alice)


@pytest.fixture
def early(alice, post_id) -> list[Viewer]:
    """Those who like the post before it is hot."""
    fans = crowd(ENOUGH)
    like(fans, post_id, alice)
    return fans


@pytest.fixture
def hot(post_id, early, worker) -> str:
    worker.drain()
    return post_id


def like(fans: list[Viewer], post_id: str, author: Viewer) -> None:
    """All of them like it, as many shards as it has now."""
    shards = shards_of(post_id, author)
    for fan in fans:
        like_post(by=fan, post_id=post_id, author_id=author.user_id, shards=shards)


def likers_in(partition: str) -> list[str]:
    return [row(Like, raw).user_id for raw in query(partition, consistent=True)]


def likers(post_id: str, author: Viewer) -> list[str]:
    shards = shards_of(post_id, author)
    return [one for part in like_partitions(post_id, shards) for one in likers_in(part)]


@not_on_moto
@pytest.mark.usefixtures("fast")
def test_likes_that_come_slowly_are_not_spread(alice, post_id, worker, settings):
    settings.SPREAD_LIKES_ABOVE = ENOUGH + 1
    like(crowd(ENOUGH), post_id, alice)
    worker.drain()
    assert shards_of(post_id, alice) == 0


@not_on_moto
@pytest.mark.usefixtures("fast")
def test_a_rate_is_of_one_second_and_one_partition():
    rates, first, second = LikeRates(), *(datetime(2026, 1, 1, 0, 0, n, tzinfo=UTC) for n in (1, 2))
    assert [rates.note("a", first) for _ in range(3)] == [1, 2, 3]
    assert [rates.note("b", first), rates.note("a", second), rates.note("b", first)] == [1, 1, 2]


@not_on_moto
@pytest.mark.usefixtures("fast")
def test_likes_that_come_fast_are_spread_from_then_on_and_those_of_before_stay(alice, hot, early):
    assert shards_of(hot, alice) == SHARDS
    late = crowd(10)
    like(late, hot, alice)
    assert likers_in(keys.likes(hot)) == [fan.user_id for fan in early]
    for fan in late:
        assert fan.user_id in likers_in(keys.likes(hot, like_shard(fan.user_id, SHARDS)))


@not_on_moto
@pytest.mark.usefixtures("fast")
def test_where_even_a_shard_is_hot_they_are_spread_further_and_never_back(alice, hot, worker):
    raise_to(SHARDS, hot, alice)
    strangers = (Viewer(ids.new_id()) for _ in count())
    of_one_shard = (one for one in strangers if like_shard(one.user_id, SHARDS) == 5)
    like(list(islice(of_one_shard, ENOUGH)), hot, alice)
    worker.drain()
    assert shards_of(hot, alice) == MOST_SHARDS
    for fan in crowd(ENOUGH):  # as pages of a while ago still have it
        like_post(by=fan, post_id=hot, author_id=alice.user_id)
    worker.drain()
    assert shards_of(hot, alice) == MOST_SHARDS
    assert broken_invariants() == {}


@not_on_moto
@pytest.mark.usefixtures("fast")
def test_the_count_is_exact_across_it(alice, post_id, worker):
    for number in range(4):
        like(crowd(ENOUGH), post_id, alice)
        worker.step()
        assert get_like_count(post_id) == ENOUGH * (number + 1)
    assert shards_of(post_id, alice) >= SHARDS
    assert broken_invariants() == {}


@not_on_moto
@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("before", LEVELS)
@pytest.mark.parametrize("now", LEVELS)
def test_nobody_likes_it_twice_around_it(alice, bob, post_id, worker, before, now):
    for shards in (before, now):
        like_post(by=bob, post_id=post_id, author_id=alice.user_id, shards=shards)
    raise_to(MOST_SHARDS, post_id, alice)
    worker.drain()
    assert likers(post_id, alice) == [bob.user_id]
    assert get_like_count(post_id) == 1
    assert broken_invariants() == {}


@not_on_moto
@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("before", LEVELS)
@pytest.mark.parametrize("now", LEVELS)
def test_a_like_is_taken_back_wherever_it_was_put(alice, bob, post_id, worker, before, now):
    like_post(by=bob, post_id=post_id, author_id=alice.user_id, shards=before)
    unlike_post(by=bob, post_id=post_id, shards=now)
    raise_to(MOST_SHARDS, post_id, alice)
    worker.drain()
    assert not likers(post_id, alice)
    assert not list(query(keys.like_trace(bob.user_id, post_id).pk))
    assert get_like_count(post_id) == 0


@not_on_moto
@pytest.mark.usefixtures("fast")
def test_a_persons_places_are_three_at_most(alice):
    for fan in crowd(50):
        places = [like_places(fan.user_id, shards) for shards in LEVELS]
        assert [place[0] for place in places] == [like_shard(fan.user_id, n) for n in LEVELS]
        assert all(set(place) == set(places[0]) for place in places)
        assert len(places[0]) <= len(LEVELS)


@not_on_moto
@pytest.mark.usefixtures("fast")
def test_the_button_knows_and_takes_back_a_like_of_before(alice, hot, early, log_in, worker):
    for fan in early[:2]:
        assert get_post(hot, alice.user_id, viewer=fan).liked
    browser = log_in(early[0])
    button = Html(browser.post(f"/@alice/posts/{hot}/like", {"on": "0"}, headers=HTMX))
    assert button.one("button")["aria-pressed"] == "false"
    worker.drain()
    assert not get_post(hot, alice.user_id, viewer=early[0]).liked
    assert get_like_count(hot) == ENOUGH - 1
    browser.post(f"/@alice/posts/{hot}/like", {"on": "1"}, headers=HTMX)
    assert early[0].user_id in likers_in(keys.likes(hot, like_shard(early[0].user_id, SHARDS)))


@not_on_moto
@pytest.mark.usefixtures("fast")
def test_the_page_of_likers_lists_all_in_order_over_its_pages(alice, hot, early, log_in):
    late = crowd(15)
    like(late, hot, alice)
    expected = [fan.user_id for fan in [*early, *late]]
    page = list_likers(hot, shards=SHARDS)
    following = list_likers(hot, shards=SHARDS, cursor=page.next_cursor)
    assert [card.user_id for card in [*page.items, *following.items]] == expected


@not_on_moto
@pytest.mark.usefixtures("fast")
def test_a_page_of_likers_that_was_open_goes_on_after_it(alice, post_id, worker):
    fans = crowd(30)
    like(fans[:25], post_id, alice)
    page = list_likers(post_id)
    raise_to(SHARDS, post_id, alice)
    like(fans[25:], post_id, alice)
    following = list_likers(post_id, shards=SHARDS, cursor=page.next_cursor)
    assert [card.user_id for card in following.items] == [fan.user_id for fan in fans[20:]]


@not_on_moto
@pytest.mark.usefixtures("fast")
def test_deleting_the_post_clears_likes_of_every_time(alice, hot, early, worker):
    late = crowd(10)
    like(late, hot, alice)
    raise_to(MOST_SHARDS, hot, alice)
    latest = crowd(10)
    like(latest, hot, alice)
    delete_post(by=alice, post_id=hot)
    worker.drain()
    assert not any(likers_in(part) for part in like_partitions(hot, MOST_SHARDS))
    for fan in [*early, *late, *latest]:
        assert not list(query(keys.like_trace(fan.user_id, hot).pk))


@not_on_moto
@pytest.mark.usefixtures("fast")
def test_a_post_that_is_gone_before_its_likes_are_heard_of_comes_not_back(
    alice, post_id, early, worker
):
    delete_post(by=alice, post_id=post_id)
    worker.drain()
    assert not fetch([keys.post(alice.user_id, post_id), keys.like_count(post_id)])
    assert broken_invariants() == {}


@not_on_moto
@pytest.mark.usefixtures("fast")
def test_a_batch_handled_twice_does_and_enters_the_same(alice, post_id, early):
    records = unread()
    first, done = handle_all(records), everything()
    assert shards_of(post_id, alice) == SHARDS
    assert lines(handle_all(records)) == lines(first)
    assert everything() == done


@not_on_moto
@pytest.mark.usefixtures("fast")
def test_under_lambda_too(alice, post_id, early):
    batch = event(unread())
    for _ in range(2):
        assert handle(batch) == {"batchItemFailures": []}
    assert shards_of(post_id, alice) == SHARDS
    assert get_like_count(post_id) == ENOUGH


@not_on_moto
@pytest.mark.usefixtures("fast")
def test_reconcile_counts_where_likes_are_by_now_not_where_they_were_when_it_read_the_post(
    alice, hot, worker
):
    (seen,) = fetch([keys.post(alice.user_id, hot)]).values()
    stale = {name: value for name, value in seen.items() if name != "like_shards"}
    like(crowd(5), hot, alice)
    assert not list(mend_like_count(stale))
    worker.drain()
    assert not list(mend_like_count(stale))
    assert get_like_count(hot) == ENOUGH + 5


@not_on_moto
@pytest.mark.usefixtures("fast")
def test_the_audit_sees_a_like_that_is_there_twice_or_where_nobody_reads(alice, hot, early, bob):
    of_it = {"post_id": hot, "author_id": alice.user_id}
    write_batch(puts=[Like.new(**of_it, user_id=early[0].user_id, shards=SHARDS)])
    assert "nobody likes a post twice" in broken_invariants()
    raise_to(None, hot, alice)
    assert "every like lies where its post's likes are read" in broken_invariants()


# People like and unlike a post in several browsers while its likes are spread further: one like each, all
# counted.

BROWSERS = 8
TURNS = 300 if LONG else 30

not_on_moto_for_hot_posts_at_once = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto does not hold transactions apart from each other"
)


def turns(fan: Viewer, post_id: str, author: Viewer, seed: int) -> None:
    """Presses, by pages that say how far the likes are spread: this moment's, or one of long ago."""
    dice = random.Random(seed)
    for _ in range(TURNS):
        try:
            shards = get_post(post_id, author.user_id, viewer=fan).like_shards
            if dice.random() < 0.3:
                shards = dice.choice(LEVELS)
            if dice.random() < 0.6:
                like_post(by=fan, post_id=post_id, author_id=author.user_id, shards=shards)
            else:
                unlike_post(by=fan, post_id=post_id, shards=shards)
        except (Conflict, Unavailable):  # a refusal that says so is right
            continue


def work(stop: threading.Event) -> None:
    worker = Worker()
    while not stop.wait(POLL_EVERY / 5):
        worker.step()
    worker.drain()


@not_on_moto_for_hot_posts_at_once
def test_a_storm_while_shards_are_added_leaves_one_like_each(alice, settings):
    settings.SPREAD_LIKES_ABOVE = 4
    post_id, fans = post(alice), crowd(BROWSERS // 2)
    stop = threading.Event()
    working = threading.Thread(target=work, args=(stop,))
    working.start()
    try:
        jobs = [partial(turns, fans[n // 2], post_id, alice, n) for n in range(BROWSERS)]
        assert together(*jobs) == [None] * BROWSERS
    finally:
        stop.set()
        working.join()
    wrong = broken_invariants()
    wrong.pop("every like lies where its post's likes are read", None)  # put there out of turn
    assert wrong == {}
    liking = [card.user_id for card in list_likers(post_id, shards=MOST_SHARDS).items]
    assert len(liking) == len({*liking}) == get_like_count(post_id)


@not_on_moto_for_hot_posts_at_once
@pytest.mark.parametrize("_again", range(10 if LONG else 6))
def test_two_likes_of_one_person_that_race_with_the_raise_are_one(alice, bob, _again):
    post_id = post(alice)
    pressed = [
        partial(like_post, by=bob, post_id=post_id, author_id=alice.user_id, shards=shards)
        for shards in LEVELS
    ]
    assert together(*pressed) == [None] * len(LEVELS)
    Worker().drain()
    assert get_like_count(post_id) == 1
    assert len(list_likers(post_id, shards=MOST_SHARDS).items) == 1
    together(*(partial(unlike_post, by=bob, post_id=post_id, shards=n) for n in LEVELS))
    assert not list_likers(post_id, shards=MOST_SHARDS).items


# What hot posts cost: a like and a card what they cost anyway, the page of likers more with every shard.


@not_on_moto
@pytest.mark.engines("embedded", reason="the others report other capacity")
@pytest.mark.parametrize("shards", LEVELS)
def test_what_a_like_a_card_and_a_page_of_likers_cost(alice, bob, post_id, requests_of, shards):
    raise_to(shards, post_id, alice)
    with requests_of() as liking:
        like_post(by=bob, post_id=post_id, author_id=alice.user_id, shards=shards)
    with requests_of() as card:
        assert get_post(post_id, alice.user_id, viewer=bob).liked
    with requests_of() as page:
        assert list_likers(post_id, shards=shards, viewer=bob).items
    with requests_of() as unliking:
        unlike_post(by=bob, post_id=post_id, shards=shards)
    assert (liking.units, card.units, unliking.units) == ([4], [2.5], [4])
    assert page.operations == ["Query"] * (shards + 1) + ["BatchGetItem"]
    assert sum(page.units[:-1]) == 0.5 * (shards + 1)


@not_on_moto
def test_a_like_of_before_is_taken_back_in_two_calls(alice, bob, post_id, requests_of):
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    raise_to(SHARDS, post_id, alice)
    with requests_of() as requests:
        unlike_post(by=bob, post_id=post_id, shards=SHARDS)
    assert requests.operations == ["TransactWriteItems"] * 2


@not_on_moto
def test_taking_back_what_was_not_liked_is_two_calls_however_many_places(
    alice, bob, post_id, requests_of
):
    """One where the like stands alone, and one where a repost keeps its trace."""
    raise_to(SHARDS, post_id, alice)
    with requests_of() as requests:
        unlike_post(by=bob, post_id=post_id, shards=SHARDS)
    assert requests.operations == ["TransactWriteItems"] * 2
