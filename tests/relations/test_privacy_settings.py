"""Settings of privacy: the locked account and its requests that wait, the archive, not being suggested, and search
engines."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.people.reads import get_user_info
from accounts.profile.writes import save_privacy
from relations.blocks.writes import block
from relations.follows import writes
from relations.follows.writes import request_follow, withdraw_follow_request
from relations.reads import list_relating
from socialsite.table import ids
from tests.conftest import post
from tests.relations.relations import lock, relationship
from tests.web.html import Html

PAGE = "/settings/privacy"


@pytest.fixture
def asked(alice, bob, carol):
    """Bob and Carol ask to follow Alice, whose account is locked."""
    lock(alice)
    for viewer in (bob, carol):
        request_follow(by=viewer, user_id=alice.user_id)


def test_locking_and_unlocking(alice, log_in):
    browser = log_in(alice)
    assert browser.post(PAGE, {"locked": "on"})["Location"] == PAGE
    assert get_user_info(alice.user_id).is_locked
    assert "checked" in Html(browser.get(PAGE)).one("input", name="locked").attributes
    for _ in range(2):
        assert browser.post(PAGE, {}).status_code == 302
    assert not get_user_info(alice.user_id).is_locked


def test_not_being_suggested_is_kept(alice, log_in):
    browser = log_in(alice)
    browser.post(PAGE, {"not_suggested": "on"})
    assert get_user_info(alice.user_id).not_suggested
    assert "checked" in Html(browser.get(PAGE)).one("input", name="not_suggested").attributes
    browser.post(PAGE, {})
    assert not get_user_info(alice.user_id).not_suggested


def test_search_engines_are_let_in_until_one_says_otherwise(alice, log_in):
    browser = log_in(alice)
    assert "checked" in Html(browser.get(PAGE)).one("input", name="indexed").attributes
    browser.post(PAGE, {})
    assert get_user_info(alice.user_id).not_indexed
    assert "checked" not in Html(browser.get(PAGE)).one("input", name="indexed").attributes
    browser.post(PAGE, {"indexed": "on"})
    assert not get_user_info(alice.user_id).not_indexed


def test_the_archive_is_locked_up_to_a_day(alice, bob, log_in):
    browser = log_in(alice)
    browser.post(PAGE, {"archived_before": "2026-03-01"})
    edge = get_user_info(alice.user_id).archived_before
    assert edge == ids.first_id_at(datetime(2026, 3, 1, tzinfo=UTC))
    assert Html(browser.get(PAGE)).value("archived_before") == "2026-03-01"
    browser.post(PAGE, {"archived_before": ""})
    assert get_user_info(alice.user_id).archived_before == ""


def test_what_is_older_is_for_followers_and_what_is_newer_for_everyone(alice, bob, log_in):
    post_id = post(alice, "Words of today")
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    save_privacy(
        by=alice, locked=False, archived_before=tomorrow, not_suggested=False, not_indexed=False
    )
    assert log_in(bob).get(f"/@alice/posts/{post_id}").status_code == 404
    log_in(alice).post(PAGE, {"archived_before": f"{datetime.now(UTC):%Y-%m-%d}"})
    assert log_in(bob).get(f"/@alice/posts/{post_id}").status_code == 200


@pytest.mark.parametrize(
    "typed",
    ["yesterday", "2026-13-40", "1999-12-31", "0001-01-01", "9999-12-31", "x" * 9000, "\x00"],
)
def test_a_day_that_cannot_be_is_refused_beside_its_field_and_kept(alice, log_in, typed):
    response = log_in(alice).post(PAGE, {"archived_before": typed, "locked": "on"})
    html = Html(response)
    assert response.status_code == 422
    assert html.error("archived_before")
    assert "checked" in html.one("input", name="locked").attributes
    assert not get_user_info(alice.user_id).is_locked


def test_requests_that_wait_are_asked_about_only_where_there_are_some(alice, bob, log_in):
    assert not Html(log_in(alice).get(PAGE)).all("input", name="pending")
    lock(alice)
    assert not Html(log_in(alice).get(PAGE)).all("input", name="pending")
    request_follow(by=bob, user_id=alice.user_id)
    values = [box["value"] for box in Html(log_in(alice).get(PAGE)).all("input", name="pending")]
    assert values == ["keep", "accept", "decline"]


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(
    ("pending", "follow_now", "still_ask"),
    [("accept", True, False), ("decline", False, False), ("keep", False, True), ("", False, True)],
)
def test_unlocking_does_with_them_what_was_chosen(
    alice, bob, carol, log_in, pending, follow_now, still_ask
):
    response = log_in(alice).post(PAGE, {"pending": pending}, follow=True)
    assert response.status_code == 200
    for viewer in (bob, carol):
        assert relationship(viewer, alice).follows is follow_now
        assert relationship(viewer, alice).asked_to_follow is still_ask
    assert get_user_info(alice.user_id).followers == 2 * follow_now


@pytest.mark.usefixtures("asked")
def test_staying_locked_answers_nobody(alice, bob, log_in):
    log_in(alice).post(PAGE, {"locked": "on", "pending": "accept"})
    assert relationship(bob, alice).asked_to_follow


@pytest.mark.usefixtures("asked")
def test_a_choice_that_there_is_not_is_refused(alice, bob, log_in):
    response = log_in(alice).post(PAGE, {"pending": "all of them"})
    assert response.status_code == 422
    assert Html(response).error("pending")
    assert get_user_info(alice.user_id).is_locked


@pytest.mark.usefixtures("asked")
def test_accepting_all_passes_over_who_is_blocked_meanwhile(alice, bob, carol):
    block(by=alice, user_id=bob.user_id)
    assert writes.answer_waiting_requests(by=alice, accept=True) == (1, False)
    assert relationship(carol, alice).follows
    assert not relationship(bob, alice).follows


@pytest.mark.usefixtures("asked")
def test_accepting_all_passes_over_who_withdraws_meanwhile(alice, bob, carol, monkeypatch):
    def list_then_withdraw(*asked, **options):
        page = list_relating(*asked, **options)
        withdraw_follow_request(by=bob, user_id=alice.user_id)
        return page

    monkeypatch.setattr(writes, "list_relating", list_then_withdraw)
    assert writes.answer_waiting_requests(by=alice, accept=True) == (1, False)
    assert relationship(carol, alice).follows
    assert not relationship(bob, alice).follows


@pytest.mark.usefixtures("asked")
def test_only_so_many_are_answered_at_once_and_the_rest_is_said(alice, log_in, monkeypatch):
    monkeypatch.setattr("relations.reads.PAGE_SIZE", 1)
    monkeypatch.setattr(writes, "MOST_AT_ONCE", 1)
    response = log_in(alice).post(PAGE, {"pending": "accept"}, follow=True)
    text = response.content.decode()
    assert "You have 1 new follower." in text
    assert "More are still waiting" in text
    assert writes.answer_waiting_requests(by=alice, accept=False) == (1, False)


@pytest.mark.engines("embedded", reason="the others report other capacity")
@pytest.mark.usefixtures("asked")
def test_what_saving_and_answering_cost(alice, measure):
    with measure() as meter:
        save_privacy(
            by=alice, locked=True, archived_before=None, not_suggested=True, not_indexed=False
        )
    assert [(call.operation, call.units) for call in meter.calls] == [("UpdateItem", 1)]
    with measure() as meter:
        writes.answer_waiting_requests(by=alice, accept=True)
    operations = [call.operation for call in meter.calls]
    assert operations == ["Query", "BatchGetItem", "TransactWriteItems", "TransactWriteItems"]
    assert [call.units for call in meter.calls] == [0.5, 3, 13, 13]
