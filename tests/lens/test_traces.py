"""The worker keeps traces of the last records: each reading of them, within bounds, and in debug mode alone."""

import pytest

from feed.likes.reads import get_like_count
from lens.followed import State
from relations.follows.writes import follow
from socialsite.streams import traces
from socialsite.streams.ledger import LeaseLost, Ledger
from socialsite.streams.shards import Reader
from socialsite.streams.worker import Worker
from tests.conftest import post
from tests.lens.following import followed_page, item_of, like, said, states
from tests.streams.crowd import crowd, gather


@pytest.mark.usefixtures("tracing")
@pytest.mark.parametrize(
    ("killed_in", "left", "then"),
    [
        ((Reader, "commit"), State.HANDLED, State.GIVEN_UP),
        ((Ledger, "_planned"), State.REFUSED, State.REFUSED),
    ],
)
def test_a_record_that_is_handled_again_after_a_kill_shows_that_the_first_time_counted_nothing(
    alice, bob, log_in, monkeypatch, killed_in, left, then
):
    post_id = post(bob)
    browser = log_in(alice)
    sight = like(browser, post_id)
    dying = Worker()

    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(*killed_in, die)
    with pytest.raises(KeyboardInterrupt):
        dying.step()
    monkeypatch.undo()
    assert states(sight, "Like") == [left]
    dying.give_up()
    Worker().drain()
    assert states(sight, "Like") == [then, State.COMMITTED]
    assert get_like_count(post_id) == 1
    text = said(followed_page(browser, sight), sight)
    assert "counted nothing" in text
    assert "read again" in text


@pytest.mark.usefixtures("tracing")
def test_a_worker_whose_lease_was_taken_shows_that_it_counted_nothing(
    alice, bob, log_in, monkeypatch
):
    post_id = post(bob)
    frozen, thief = Worker(), Worker()
    frozen.drain()
    sight = like(log_in(alice), post_id)
    commit = Ledger.commit

    def freeze(self, proof):
        monkeypatch.undo()
        for reader in frozen.readers.values():
            reader.lease.give_up()
        thief.drain()
        commit(self, proof)

    monkeypatch.setattr(Ledger, "commit", freeze)
    frozen.step()
    first, second = item_of(sight, "Like").readings
    assert (first.state, first.trace.commit.error) == (State.REFUSED, LeaseLost.__name__)
    assert second.state == State.COMMITTED
    assert get_like_count(post_id) == 1


def test_no_trace_is_kept_outside_debug_mode(alice, bob, drain_stream, settings):
    settings.DEBUG = False
    traces.keep_traces()
    follow(by=alice, user_id=bob.user_id)
    drain_stream()
    assert not traces.are_kept()
    assert traces.kept_traces() == []


def test_a_process_whose_worker_is_elsewhere_says_so_and_does_not_ask_again(
    alice, bob, log_in, settings
):
    settings.DEBUG = True
    browser = log_in(alice)
    sight = like(browser, post(bob))
    page = followed_page(browser, sight)
    assert "in debug mode alone" in said(page, sight)
    assert "hx-get" not in page.one("section", id=f"followed-{sight.request_id}").attributes


@pytest.mark.usefixtures("tracing")
def test_traces_are_bounded_in_number_and_in_bytes(alice, drain_stream, monkeypatch):
    gather(crowd(6), alice)
    drain_stream()
    kept = traces.kept_traces()
    assert 0 < len(kept) <= traces.KEPT
    monkeypatch.setattr(traces, "MOST_BYTES", sum(trace.size for trace in kept) // 2)
    post(alice)
    drain_stream()
    assert sum(trace.size for trace in traces.kept_traces()) <= traces.MOST_BYTES
    assert traces.kept_traces()[-1].key != kept[-1].key
