"""The simulated stream behaves as waiting lines do: never fresher than its work takes, and shards share a load."""

from dataclasses import replace

import pytest

from benchmarks.bounds import percentile
from benchmarks.stream_simulation import POLL_EVERY, Plan, simulate

QUIET = Plan(posts_a_second=0.5, shards=1, followers=10, star_every=10**9)


def test_a_quiet_stream_is_as_fresh_as_its_poll():
    ages = simulate(QUIET)
    work = QUIET.followers / QUIET.entries_a_second
    assert percentile(ages, 50) == pytest.approx(POLL_EVERY / 2 + work, abs=0.06)
    assert min(ages) > work


def test_the_same_seed_gives_the_same_ages_and_another_one_others():
    assert simulate(QUIET) == simulate(QUIET)
    assert simulate(QUIET) != simulate(replace(QUIET, seed=19))


def test_one_reader_with_more_than_it_can_write_falls_behind_and_more_shards_keep_up():
    one = Plan(posts_a_second=20, shards=1, star_every=10**9)
    assert one.posts_a_second * one.followers > one.entries_a_second
    assert percentile(simulate(one), 95) > 10
    assert percentile(simulate(replace(one, shards=8)), 95) < 1


def test_others_need_not_wait_until_a_star_has_reached_everyone():
    with_stars = replace(QUIET, posts_a_second=2, star_every=20, star_followers=20_000)
    ages = simulate(with_stars)
    assert max(ages) > with_stars.star_followers / with_stars.entries_a_second
    assert percentile(ages, 50) < 2


def test_a_burst_makes_posts_older_and_is_worked_off():
    calm = Plan(posts_a_second=3, shards=1, star_every=10**9)
    burst = replace(calm, burst=5)
    assert max(simulate(burst)) > 2 * max(simulate(calm))
    assert simulate(burst)[-1] < 1
