"""The lens of a write shows what the worker then did; the worker keeps traces of it."""

import secrets

import pytest
from django.test import Client

from feed.likes.reads import get_like_count
from lens.followed import FollowedItem, State, what_followed
from lens.sight import Sight, kept_of
from lens.views import ASKED_AT_MOST
from relations.follows.writes import follow
from socialsite import keys
from socialsite.streams import traces
from socialsite.streams.ledger import LeaseLost, Ledger
from socialsite.streams.shards import Reader
from socialsite.streams.worker import Worker
from tests.conftest import HTMX, post
from tests.streams.crowd import crowd, gather, reached
from tests.streams.records import checkpoint
from tests.web.html import Html


def like(browser: Client, post_id: str, *, on: str = "1") -> Sight:
    """Bob's post is liked in a browser."""
    before = {sight.request_id for sight in kept_of(viewer_id_of(browser))}
    browser.post(f"/@bob/posts/{post_id}/like", {"on": on}, headers=HTMX)
    (sight,) = [one for one in kept_of(viewer_id_of(browser)) if one.request_id not in before]
    return sight


def publish(browser: Client, author_id: str) -> tuple[Sight, str]:
    """A post is published in a browser. Returns its id too."""
    browser.post("/posts", {"content": "Hello", "nonce": secrets.token_urlsafe(16)})
    sight = next(one for one in kept_of(author_id) if one.method == "POST")
    (written,) = [one.written for one in what_followed(sight).items if one.written.type == "Post"]
    return sight, written.values["post_id"]


def viewer_id_of(browser: Client) -> str:
    return str(browser.session["user"])


def followed_page(browser: Client, sight: Sight, query: str = "") -> Html:
    return Html(browser.get(f"/dev/lens/{sight.request_id}/followed{query}"))


def said(page: Html, sight: Sight) -> str:
    return " ".join(page.one("section", id=f"followed-{sight.request_id}").text.split())


def item_of(sight: Sight, name: str) -> FollowedItem:
    (item,) = [one for one in what_followed(sight).items if one.written.type == name]
    return item


def states(sight: Sight, name: str) -> list[State]:
    return [reading.state for reading in item_of(sight, name).readings]


# The lens of a write shows what the worker then did with each stream record, and where that was finished.


@pytest.mark.usefixtures("tracing")
def test_a_like_is_followed_to_the_counter_the_notification_and_the_checkpoint(
    alice, bob, log_in, drain_stream
):
    post_id = post(bob)
    drain_stream()
    browser = log_in(alice)
    sight = like(browser, post_id)
    drain_stream()
    (reading,) = item_of(sight, "Like").readings
    sums = [(one.attribute, one.change) for run in reading.runs for one in run.run.sums]
    assert sums == [("like#", 1)]
    (commit,) = what_followed(sight).commits
    written = {(line.type, line.key) for line in commit.lines}
    assert ("LikeCount", keys.like_count(post_id)) in written
    assert {"Bell", "Notification"} <= {line.type for line in commit.lines}
    assert commit.commit.checkpoint == checkpoint(reading.trace.shard_id)
    text = said(followed_page(browser, sight), sight)
    for shown in ("count_like", "notify_of_like", "+1 LikeCount like#", "Finished in checkpoint"):
        assert shown in text
    assert commit.commit.checkpoint in text


@pytest.mark.usefixtures("tracing")
def test_what_no_handler_hears_of_is_finished_at_once(alice, bob, log_in):
    sight = like(log_in(alice), post(bob))
    item = item_of(sight, "LikeTrace")
    assert (item.is_heard, item.is_finished, item.readings) == (False, True, [])


@pytest.mark.usefixtures("tracing")
def test_a_worker_that_is_behind_has_not_come_to_it_yet(alice, bob, log_in, drain_stream):
    browser = log_in(alice)
    sight = like(browser, post(bob))
    address = f"/dev/lens/{sight.request_id}/followed"
    waiting = followed_page(browser, sight)
    assert "Not yet" in said(waiting, sight)
    assert waiting.one("section", id=f"followed-{sight.request_id}")["hx-get"].startswith(address)
    assert waiting.one("a", href=address).text == "Look again"
    drain_stream()
    done = followed_page(browser, sight)
    assert "Not yet" not in said(done, sight)
    assert "hx-get" not in done.one("section", id=f"followed-{sight.request_id}").attributes
    assert not done.all("a", href=address)


@pytest.mark.usefixtures("tracing")
def test_it_asks_again_so_often_and_no_more(alice, bob, log_in):
    browser = log_in(alice)
    sight = like(browser, post(bob))
    section = {"id": f"followed-{sight.request_id}"}
    first = followed_page(browser, sight, "?asked=x").one("section", **section)
    assert first["hx-get"].endswith("?asked=1")
    last = followed_page(browser, sight, f"?asked={ASKED_AT_MOST}")
    assert "hx-get" not in last.one("section", **section).attributes
    assert "Another process may hold the lease" in said(last, sight)


@pytest.mark.usefixtures("tracing")
def test_a_post_is_followed_to_the_timeline_of_each_follower(alice, log_in, drain_stream):
    fans = gather(crowd(12), alice)
    drain_stream()
    browser = log_in(alice)
    sight, post_id = publish(browser, alice.user_id)
    drain_stream()
    (fan_out,) = [
        run for run in item_of(sight, "Post").readings[0].runs if run.name == "fan_out_post"
    ]
    assert [(one.kind, one.items.name, one.items.count) for one in fan_out.wrote] == [
        ("Put", "TimelineEntry", reached(fans, post_id, alice))
    ]
    assert reached(fans, post_id, alice) == 12
    assert fan_out.cost.writes == 12
    assert "Put 12 TimelineEntry" in said(followed_page(browser, sight), sight)


@pytest.mark.usefixtures("tracing")
def test_the_steps_of_a_job_are_followed_to_its_end(alice, log_in, settings):
    settings.FAN_OUT_INLINE, settings.FAN_OUT_STEP = 2, 5
    worker = Worker()
    gather(crowd(12), alice)
    worker.drain()
    browser = log_in(alice)
    sight, _ = publish(browser, alice.user_id)
    worker.step()
    (job,) = item_of(sight, "Post").jobs
    assert (job.steps, item_of(sight, "Post").is_finished) == ([], False)
    assert "not finished yet" in said(followed_page(browser, sight), sight)
    worker.drain()
    (job,) = item_of(sight, "Post").jobs
    wrote = [one for step in job.steps for run in step.runs for one in run.wrote]
    assert [one.items.count for one in wrote if one.items.name == "TimelineEntry"] == [5, 5, 2]
    assert item_of(sight, "Post").is_finished
    assert "Step 3, after 10 of 12" in said(followed_page(browser, sight), sight)


@pytest.mark.usefixtures("tracing")
def test_an_item_that_is_written_again_has_the_record_of_each_request(
    alice, bob, log_in, drain_stream
):
    browser, post_id = log_in(alice), post(bob)
    sights = []
    for on in ("1", "0", "1"):
        sights.append(like(browser, post_id, on=on))
        drain_stream()
    found = [item_of(sight, "Like").readings for sight in sights]
    assert [one.trace.event for (one,) in found] == ["INSERT", "REMOVE", "INSERT"]
    assert len({one.trace.sequence for (one,) in found}) == 3


@pytest.mark.usefixtures("tracing")
def test_a_write_that_was_refused_wrote_nothing(alice, bob, log_in):
    browser, post_id = log_in(alice), post(bob)
    like(browser, post_id)
    again = like(browser, post_id)
    assert "TransactWriteItems" in [one.call.operation for one in again.calls]
    assert "Like" not in [one.written.type for one in what_followed(again).items]


@pytest.mark.usefixtures("tracing")
def test_the_lens_of_a_write_asks_what_followed_and_that_of_a_read_does_not(alice, bob, log_in):
    browser, post_id = log_in(alice), post(bob)
    sight = like(browser, post_id)
    page = Html(browser.get(f"/dev/lens/{sight.request_id}"))
    section = page.one("section", id=f"followed-{sight.request_id}")
    assert section["hx-get"] == f"/dev/lens/{sight.request_id}/followed?asked=0"
    fragment = browser.get(section["hx-get"], headers=HTMX)
    assert fragment.content.lstrip().startswith(b"<section")
    browser.get("/@bob")
    read = kept_of(alice.user_id)[0]
    assert b"followed-" not in browser.get(f"/dev/lens/{read.request_id}").content


@pytest.mark.usefixtures("tracing")
def test_nobody_sees_what_followed_from_requests_of_others(alice, bob, log_in, settings):
    browser = log_in(alice)
    sight = like(browser, post(bob))
    address = f"/dev/lens/{sight.request_id}/followed"
    assert browser.get(address).status_code == 200
    assert log_in(bob).get(address).status_code == 404
    assert Client().get(address).status_code == 404
    assert browser.get(address, REMOTE_ADDR="203.0.113.7").status_code == 404
    assert browser.post(address).status_code == 405
    settings.DEBUG = False
    assert browser.get(address).status_code == 404


# The worker keeps traces of the last records: each reading of them, within bounds, and in debug mode alone.


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
