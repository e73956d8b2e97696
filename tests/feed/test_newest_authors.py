"""The last people who posted: kept in each process for some seconds, while each page asks anew who may be shown."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from accounts.models import UserInfo
from feed.home import reads
from feed.home.reads import ENOUGH, newest_authors, read_newest_authors
from feed.publishing.writes import delete_post
from relations.blocks.writes import block, mute
from socialsite.process_state import reset_process_state
from socialsite.table import Unavailable, change, keys
from tests.conftest import post
from tests.feed.timelines import fill_local, posting
from tests.web.html import Html

NOW = datetime.now(UTC)


def test_four_shards_of_today_are_enough_where_many_post(table, requests_of):
    posting(ENOUGH)  # within the last half hour, so at midnight some were yesterday
    with requests_of() as requests:
        read_newest_authors()
    assert requests.operations in ([*["Query"] * many, "BatchGetItem"] for many in (4, 8))
    assert all(request.parameters["Limit"] == 20 for request in requests.made[:-1])
    assert requests.made[-1].keys == ENOUGH


def test_a_quiet_site_is_read_two_days_back_at_most(table, requests_of):
    with requests_of() as requests:
        read_newest_authors()
    assert requests.operations == ["Query"] * 8


def test_they_are_read_once_for_all_pages_of_a_process(alice, bob, log_in, requests_of):
    fill_local(bob.user_id, [NOW])
    Client().get("/")
    with requests_of() as requests:
        for browser, path in ((Client(), "/"), (Client(), "/explore"), (log_in(alice), "/welcome")):
            assert browser.get(path).status_code == 200
    days = [one for one in requests.made if "public#" in str(one.parameters)]
    assert days == []


def test_after_half_a_minute_they_are_read_anew(alice, bob, carol, monkeypatch):
    fill_local(bob.user_id, [NOW])
    assert list(newest_authors().posts) == [bob.user_id]
    fill_local(carol.user_id, [NOW + timedelta(milliseconds=1)])
    assert list(newest_authors().posts) == [bob.user_id]
    monkeypatch.setattr(reads, "KEPT_FOR", -1.0)
    reset_process_state()
    assert set(newest_authors().posts) == {bob.user_id, carol.user_id}


def test_a_failed_read_keeps_nothing(alice, bob, monkeypatch):
    def fail():
        raise Unavailable

    fill_local(bob.user_id, [NOW])
    with monkeypatch.context() as patch:
        patch.setattr(reads, "read_newest_authors", fail)
        with pytest.raises(Unavailable):
            newest_authors()
    assert list(newest_authors().posts) == [bob.user_id]


@pytest.mark.parametrize("path", ["/explore", "/welcome"])
def test_a_block_a_mute_and_a_suspension_act_at_once_all_the_same(
    alice, bob, carol, mod, log_in, path
):
    for author in (bob, carol, mod):
        fill_local(author.user_id, [NOW])
    browser = log_in(alice)
    assert set(Html(browser.get(path)).handles()) == {"bob", "carol", "moddy"}
    block(by=bob, user_id=alice.user_id)
    assert set(Html(browser.get(path)).handles()) == {"carol", "moddy"}
    mute(by=alice, user_id=carol.user_id)
    assert Html(browser.get(path)).handles() == ["moddy"]
    for_ever = [UserInfo.suspended_until.set("9999-12-31T00:00:00+00:00")]
    change(UserInfo, keys.user_info(mod.user_id), for_ever)
    assert Html(browser.get(path)).handles() == []


def test_a_deleted_post_is_gone_from_the_landing_page_at_once(alice, drain_stream):
    post_id = post(alice)
    drain_stream()
    assert Html(Client().get("/")).post_ids() == [post_id]
    delete_post(by=alice, post_id=post_id)
    assert Html(Client().get("/")).post_ids() == []


def test_while_one_thread_reads_anew_the_others_show_the_last_ones(bob, monkeypatch):
    fill_local(bob.user_id, [NOW])
    monkeypatch.setattr(reads, "KEPT_FOR", -1.0)
    shown = newest_authors()
    with ThreadPoolExecutor(1) as other, reads._reading:
        asked = other.submit(newest_authors)
        try:
            assert asked.result(timeout=60) is shown
        finally:
            reset_process_state()
