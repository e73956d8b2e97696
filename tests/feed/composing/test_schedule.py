"""Scheduling: at a time of the author's zone, on their shelf, changed and taken back by them alone."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from feed.composing import forms
from feed.composing.composition import Composition, Seen
from feed.composing.forms import PostForm
from feed.composing.reads import MOST_SCHEDULED
from feed.composing.writes import TooManyScheduled, schedule_post
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.table import ids
from tests.conftest import HTMX
from tests.feed.composing.shelves import (
    autosave,
    due_of,
    fields,
    in_hours,
    schedule,
    scheduled_of,
    texts_of,
)
from tests.feed.test_publish import contents
from tests.web.html import Html

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture
def at(monkeypatch):
    """`at("2026-10-24T12:00")`: what time it is in Berlin, for the form."""

    def set_clock(local: str) -> None:
        moment = datetime.fromisoformat(local).replace(tzinfo=BERLIN).astimezone(UTC)
        monkeypatch.setattr(forms, "utc_now", lambda: moment)

    return set_clock


def asked_for(local: str, zone: str = "Europe/Berlin") -> PostForm:
    form = PostForm(fields("Later", publish_at=local, zone=zone))
    form.is_valid()
    return form


def why(form: PostForm) -> str:
    return " ".join(form.errors.get("publish_at", []))


def test_a_post_with_a_time_waits_on_its_page(alice, log_in):
    browser = log_in(alice)
    later = in_hours(30)
    form = fields("Later", publish_at=later.strftime("%Y-%m-%dT%H:%M"), zone="Europe/Berlin")
    answer = browser.post("/posts", form, follow=True)
    assert answer.redirect_chain == [("/scheduled", 302)]
    page = Html(answer)
    assert "Scheduled for " in page.one(id="toasts").text
    when = page.one(class_="shelved-when").text
    assert when.startswith(f"{later:%A}")
    assert when.endswith(later.tzname() or "")
    assert contents(alice) == []
    (card,) = scheduled_of(alice)
    assert card.slot.publish_at == later
    assert due_of(card)


def test_the_same_form_twice_is_one_scheduled_post(alice, log_in):
    browser = log_in(alice)
    later = in_hours(5).strftime("%Y-%m-%dT%H:%M")
    form = fields("Later", publish_at=later, zone="Europe/Berlin")
    for _ in range(2):
        assert browser.post("/posts", form).status_code == 302
    assert len(scheduled_of(alice)) == 1


def test_scheduling_takes_the_draft_along(alice, log_in):
    browser = log_in(alice)
    form = fields("Later")
    autosave(browser, form)
    later = in_hours(5).strftime("%Y-%m-%dT%H:%M")
    browser.post("/posts", form | {"version": "1", "publish_at": later, "zone": "Europe/Berlin"})
    assert (texts_of(alice), len(scheduled_of(alice))) == ([], 1)


def test_a_time_that_clocks_skip_is_refused_with_the_next_one(at):
    at("2027-03-20T12:00")
    assert "Sunday, March 28, 2027, 3 a.m. CEST" in why(asked_for("2027-03-28T02:30"))
    assert why(asked_for("2027-03-28T03:00")) == ""


def test_of_a_time_that_comes_twice_the_earlier_is_taken(at):
    at("2026-10-20T12:00")
    moment = asked_for("2026-10-25T02:30").cleaned_data["publish_at"]
    assert moment == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("local", "said"),
    [
        ("2026-11-23T11:59", "at least 5 minutes away"),
        ("2026-11-23T12:04", "at least 5 minutes away"),
        ("2026-11-23T12:05", ""),
        ("2027-11-23T12:00", ""),
        ("2027-11-25T12:00", "within the next year"),
        ("9999-12-31T23:59", "within the next year"),
        ("0001-01-01T00:00", "5 minutes|year"),
        ("2026-13-01T00:00", "Choose a day and a time."),
        ("tomorrow", "Choose a day and a time."),
        ("x" * 31, "Choose a day and a time."),
    ],
)
def test_a_time_is_from_five_minutes_to_a_year_ahead(at, local, said):
    at("2026-11-23T12:00:40")
    told = why(asked_for(local))
    assert any(part in told for part in said.split("|"))
    assert bool(told) == bool(said)


def test_a_strange_zone_is_that_of_the_page_and_what_was_typed_stays(alice, log_in):
    browser = log_in(alice)
    answer = browser.post("/posts", fields("Hi", publish_at="2020-01-01T10:00", zone="Mars/Base"))
    page = Html(answer)
    assert answer.status_code == 422
    assert "at least 5 minutes away" in page.one(id="composer-error").text
    assert page.value("publish_at") == "2020-01-01T10:00"
    assert page.value("content") == "Hi"


def test_publish_now_publishes_once(alice, log_in):
    browser = log_in(alice)
    card = schedule(alice, hours=5)
    assert browser.post(card.publish_url)["Location"].startswith("/@alice/posts/")
    assert browser.post(card.publish_url).status_code == 404
    do_due(utc_now() + timedelta(hours=6))
    assert (contents(alice), scheduled_of(alice), due_of(card)) == (["Later"], [], [])


def test_deleting_asks_and_takes_the_plan_back(alice, log_in):
    browser = log_in(alice)
    card = schedule(alice, hours=5)
    assert "Later" in Html(browser.get(card.delete_url, headers=HTMX)).one("form").text
    browser.post(card.delete_url, {"version": "7"})
    assert len(scheduled_of(alice)) == 1
    browser.post(card.delete_url, {"version": "1"})
    assert (scheduled_of(alice), due_of(card)) == ([], [])


def test_at_most_a_hundred_posts_wait(alice, log_in):
    for _ in range(MOST_SCHEDULED):
        schedule(alice, hours=5)
    with pytest.raises(TooManyScheduled):
        schedule_post(
            by=alice,
            composition=Composition(content="More"),
            publish_at=in_hours(5),
            zone="UTC",
            nonce=ids.new_id(),
            seen=Seen(),
        )
    later = in_hours(5).strftime("%Y-%m-%dT%H:%M")
    answer = log_in(alice).post("/posts", fields("More", publish_at=later, zone="Europe/Berlin"))
    assert "You have 100 scheduled posts." in answer.content.decode()


def test_nobody_sees_changes_or_publishes_what_another_person_scheduled(alice, bob, log_in):
    card = schedule(alice, hours=5)
    browser = log_in(bob)
    assert browser.get(card.edit_url).status_code == 404
    assert browser.get(card.delete_url).status_code == 404
    for address in (card.publish_url, card.delete_url):
        assert browser.post(address, {"version": "1"}).status_code == 404
        assert Client().post(address)["Location"].startswith("/login")
    form = fields("Mine") | {"scheduled": str(card.slot), "version": "1"}
    assert browser.post("/posts", form)["Location"] == "/drafts"
    assert (texts_of(alice), texts_of(bob)) == ([], ["Mine"])
    assert log_in(alice).get(card.publish_url).status_code == 405
    assert (len(scheduled_of(alice)), contents(alice), contents(bob)) == (1, [], [])


@pytest.mark.parametrize(
    "slot", ["x", "1-", "1-x", "9" * 30 + "-" + "0" * 26, "-" + "0" * 26, "²-x"]
)
def test_an_odd_slot_is_not_there(alice, log_in, slot):
    browser = log_in(alice)
    assert browser.get("/posts/new", {"scheduled": slot}).status_code == 404
    assert browser.get(f"/scheduled/{slot}/delete").status_code == 404
