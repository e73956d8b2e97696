"""The lens of a write shows what the worker then did with each stream record, and where that was finished."""

import pytest
from django.test import Client

from lens.followed import what_followed
from lens.sight import kept_of
from lens.views import ASKED_AT_MOST
from socialsite import keys
from socialsite.streams.worker import Worker
from tests.conftest import HTMX, post
from tests.lens.following import followed_page, item_of, like, publish, said
from tests.streams.crowd import crowd, gather, reached
from tests.streams.records import checkpoint
from tests.web.html import Html


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
