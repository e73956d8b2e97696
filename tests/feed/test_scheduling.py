"""Scheduled posts: at a time of the author's zone, changed and taken back by them alone, published once."""

import threading
from contextlib import suppress
from contextvars import copy_context
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from accounts.people.restrictions import Restriction
from accounts.profile.writes import change_handle, end_pause, pause_account
from feed.composing import forms, writes
from feed.composing.composition import Composition, Seen
from feed.composing.forms import PostForm
from feed.composing.reads import MOST_SCHEDULED, PUBLISH, Reason
from feed.composing.writes import (
    ScheduledGone,
    TooManyScheduled,
    delete_scheduled,
    publish_due,
    publish_scheduled_now,
    reschedule_post,
    schedule_post,
)
from feed.polls.models import PollWish
from feed.polls.writes import CLOSE_POLL
from feed.posts.models import Audience
from feed.publishing.writes import MOST_ENDING, Part
from notifications.reads import list_notifications
from privacy.erasure.writes import close_account
from relations.friends.writes import create_circle, delete_circle
from socialsite.clock import utc_now
from socialsite.due.work import AlreadyDone, do_due
from socialsite.site_settings.site_setup import SiteRules
from socialsite.site_settings.word_filters import Effect, Word
from socialsite.streams.shards import Stream
from socialsite.table import ids, keys, query
from tests.conftest import HTMX
from tests.faults.crash_points import Crash, Fuse, Point, armed
from tests.feed.scenes import (
    all_scheduled,
    autosave,
    chosen,
    drafts_of,
    due_of,
    ending_post,
    fields,
    in_hours,
    schedule,
    scheduled_of,
    texts_of,
)
from tests.feed.test_publishing import contents
from tests.kept import keep_site_rules
from tests.looks import broken_invariants, due_items
from tests.moderation.cases import restrict
from tests.streams.crowd import returning
from tests.together import meanwhile
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


# Changing a scheduled post: all of it at once, or nothing, and no text is lost.


def test_changing_it_moves_post_and_plan_and_changes_nothing_twice(alice, log_in):
    browser = log_in(alice)
    old = schedule(alice, hours=5)
    page = Html(browser.get(old.edit_url))
    assert page.value("content") == "Later"
    assert page.value("publish_at") == old.typed_time
    later = in_hours(8).strftime("%Y-%m-%dT%H:%M")
    form = fields("Changed", publish_at=later, zone="Europe/Berlin") | {
        "scheduled": page.value("scheduled"),
        "version": page.value("version"),
    }
    for _ in range(2):
        assert browser.post("/posts", form)["Location"] == "/scheduled"
    (new,) = scheduled_of(alice)
    assert (new.composition.content, new.version) == ("Changed", 2)
    assert new.slot.publish_at - old.slot.publish_at == timedelta(hours=3)
    assert (due_of(old), len(due_of(new))) == ([], 1)
    assert texts_of(alice) == []


def test_its_page_has_all_that_was_scheduled(alice, log_in):
    poll = PollWish(("Tea", "Coffee"), "3d")
    given = {"poll": poll, "warning": "Drinks", "audience": Audience.FRIENDS}
    card = schedule(alice, hours=5, content="Which?", **given)
    page = Html(log_in(alice).get(card.edit_url))
    assert [one["value"] for one in page.all(name="poll_options")][:3] == ["Tea", "Coffee", ""]
    assert (chosen(page, "poll_ends"), chosen(page)) == ("3d", "friends")
    assert (page.value("warning"), page.value("zone")) == ("Drinks", "Europe/Berlin")
    assert page.one(class_="zone-name").text == "Berlin"


@pytest.mark.parametrize("wish", ["later", "now"])
def test_a_change_that_comes_too_late_is_kept_as_a_draft_and_so_is_the_other_text(
    alice, log_in, wish
):
    browser = log_in(alice)
    card = schedule(alice, hours=5)
    page = Html(browser.get(card.edit_url))
    stale = {name: page.value(name) for name in ("scheduled", "version", "draft")}
    later = in_hours(8).strftime("%Y-%m-%dT%H:%M")
    times = {"publish_at": later, "zone": "Europe/Berlin"}
    browser.post("/posts", fields("First", **times) | stale)
    late = fields("Second", **(times if wish == "later" else {}), warning="Soup") | stale
    for _ in range(2):
        answer = browser.post("/posts", late, follow=True)
        assert answer.redirect_chain == [("/drafts", 302)]
    assert "What you wrote is a draft now." in Html(answer).one(id="toasts").text
    assert [card.composition.content for card in scheduled_of(alice)] == ["First"]
    (draft,) = drafts_of(alice)
    assert (draft.composition.content, draft.composition.warning) == ("Second", "Soup")
    assert draft.composition.planned_time == (later if wish == "later" else "")
    assert contents(alice) == []


def test_its_page_names_what_it_does_and_cancel_leads_to_the_list(alice, log_in):
    card = schedule(alice, hours=5)
    page = Html(log_in(alice).get(card.edit_url))
    assert page.one("h1").text == "Edit scheduled post"
    assert page.one(id="composer-submit").text == "Save changes"
    assert page.one("a", class_="button-plain", href="/scheduled")
    assert scheduled_of(alice) == [card]


def test_without_a_time_a_scheduled_post_is_published_at_once(alice, log_in):
    browser = log_in(alice)
    card = schedule(alice, hours=5)
    form = fields("Now") | {"scheduled": str(card.slot), "version": "1"}
    assert browser.post("/posts", form).status_code == 302
    assert (contents(alice), scheduled_of(alice), due_of(card)) == (["Now"], [], [])


# The clock and an author at once: what is published is what the author last said, once, or nothing.


def changing(by, card, *, hours: int = 0, content: str = "Changed"):
    return lambda: reschedule_post(
        by=by,
        slot=card.slot,
        version=card.version,
        composition=Composition(content=content),
        publish_at=card.slot.publish_at + timedelta(hours=hours),
        zone="UTC",
    )


def test_the_clock_publishes_what_was_changed_while_it_came(alice):
    card = schedule(alice)
    (due,) = due_items()
    with meanwhile(changing(alice, card)) as happened:
        publish_due(due)
    assert happened
    assert (contents(alice), all_scheduled(alice), due_items()) == (["Changed"], [], [])


def test_what_is_moved_while_the_clock_comes_waits_for_its_new_time(alice):
    card = schedule(alice)
    (due,) = due_items()
    with meanwhile(changing(alice, card, hours=5)):
        publish_due(due)
    (moved,) = all_scheduled(alice)
    assert (contents(alice), due_of(card), len(due_of(moved))) == ([], [], 1)
    do_due(utc_now() + timedelta(hours=7))
    assert (contents(alice), due_items()) == (["Changed"], [])


def test_what_is_deleted_while_the_clock_comes_is_not_published(alice):
    card = schedule(alice)
    (due,) = due_items()
    with meanwhile(lambda: delete_scheduled(by=alice, slot=card.slot, version=1)):
        publish_due(due)
    assert (contents(alice), all_scheduled(alice), drafts_of(alice)) == ([], [], [])


def test_what_its_author_publishes_while_the_clock_comes_is_published_once(alice):
    card = schedule(alice)
    (due,) = due_items()
    with meanwhile(lambda: publish_scheduled_now(by=alice, slot=card.slot)):
        publish_due(due)
    assert (contents(alice), drafts_of(alice), due_items()) == (["Later"], [], [])


def test_what_the_clock_publishes_while_its_author_changes_it_is_told(alice):
    card = schedule(alice)
    (due,) = due_items()
    with meanwhile(lambda: publish_due(due)), pytest.raises(ScheduledGone):
        changing(alice, card, hours=5)()
    with pytest.raises(ScheduledGone):
        publish_scheduled_now(by=alice, slot=card.slot)
    assert (contents(alice), all_scheduled(alice), due_items()) == (["Later"], [], [])


def test_a_clock_whose_due_item_another_one_ended_writes_nothing(alice):
    schedule(alice)
    (due,) = due_items()
    with meanwhile(lambda: do_due(utc_now() + timedelta(hours=2))), suppress(AlreadyDone):
        publish_due(due)
    assert contents(alice) == ["Later"]


# Scheduled posts are published by the clock at their time, exactly once, or become drafts that say why not.

CLOCKS = 4
POSTS = 50
LEAST_CALLS = 6  # of a clock that publishes: to look in four places, to claim, read and write


def come(hours: float = 2) -> None:
    """The clock looks, so many hours from now."""
    do_due(utc_now() + timedelta(hours=hours))


def test_the_clock_publishes_it_when_its_time_has_come_and_not_before(alice):
    card = schedule(alice, hours=2, warning="Soup", audience=Audience.FRIENDS)
    come(hours=1)
    assert contents(alice) == []
    before = ids.new_id()
    come(hours=3)
    (raw,) = query(keys.posts(alice.user_id))
    assert (raw["content"]["S"], raw["warning"]["S"]) == ("Later", "Soup")
    assert raw["audience"]["S"] == "friends"
    assert raw["post_id"]["S"] > before, "its id is of the moment at which readers get it"
    assert (all_scheduled(alice), due_of(card), due_items()) == ([], [], [])


def test_four_clocks_publish_fifty_posts_once_each(alice, drain_stream):
    for number in range(POSTS):
        schedule(alice, content=f"Number {number}")
    clocks = [threading.Thread(target=copy_context().run, args=(come,)) for _ in range(CLOCKS)]
    for clock in clocks:
        clock.start()
    for clock in clocks:
        clock.join()
    come(hours=50)  # what met a conflict comes again
    assert sorted(contents(alice)) == sorted(f"Number {number}" for number in range(POSTS))
    assert (all_scheduled(alice), due_items()) == ([], [])
    drain_stream()
    assert broken_invariants() == {}


def test_clocks_that_took_up_the_same_item_publish_once(alice):
    schedule(alice)
    (due,) = due_items()
    writes.publish_due(due)
    writes.publish_due(due)
    assert contents(alice) == ["Later"]


@pytest.mark.engines("embedded", "dynamodb-local", reason="moto answers inside the crash's hook")
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_clock_that_dies_at_any_call_is_followed_by_another(alice, moment):
    published: list[str] = []
    fuse = Fuse()
    while fuse.is_blown or not published:
        published.append(schedule(alice, content=f"Number {len(published)}").composition.content)
        fuse = Fuse(Point(len(published), moment))
        with armed(Stream(), fuse), suppress(Crash):
            come()
        come(hours=4)
        assert sorted(contents(alice)) == sorted(published)
        assert (all_scheduled(alice), due_items()) == ([], [])
    assert len(published) > LEAST_CALLS


def no_spam(effect: Effect) -> SiteRules:
    return SiteRules(words=(Word("1", "word", "later", effect),))


def refuse_by_rules(alice):
    keep_site_rules(no_spam(Effect.REFUSE))


def freeze(alice):
    restrict(alice, Restriction.FROZEN)


def suspend(alice):
    restrict(alice, Restriction.SUSPENDED)


def pause(alice):
    pause_account(by=alice)


def close(alice):
    close_account(by=alice)


@pytest.mark.parametrize(
    ("trouble", "reason"),
    [
        (refuse_by_rules, Reason.RULES),
        (freeze, Reason.FROZEN),
        (suspend, Reason.AWAY),
        (pause, Reason.AWAY),
        (close, Reason.AWAY),
    ],
)
def test_what_may_not_be_published_becomes_a_draft_with_the_reason(
    alice, trouble, reason, drain_stream
):
    card = schedule(alice)
    trouble(alice)
    for _ in range(2):
        come()
    drain_stream()
    assert contents(alice) == []
    (draft,) = drafts_of(alice)
    assert (draft.reason, draft.composition) == (reason, card.composition)
    assert draft.planned_for == card.slot.publish_at.isoformat()
    assert all_scheduled(alice) == []
    assert PUBLISH not in {due.kind for due in due_items()}


def test_one_too_many_that_end_by_themselves_says_so_and_not_that_it_breaks_rules(alice):
    card = schedule(alice, expires_in="1w")
    for number in range(MOST_ENDING):
        ending_post(alice, f"Number {number}")
    come()
    (draft,) = drafts_of(alice)
    assert (draft.reason, draft.composition) == (Reason.ENDING, card.composition)
    assert "disappear by themselves" in draft.reason.sentence


def test_its_author_is_notified_once_and_the_draft_says_why(alice, log_in, drain_stream):
    card = schedule(alice)
    pause_account(by=alice)
    come()
    drain_stream()
    drain_stream()
    end_pause(by=alice)
    (note,) = list_notifications(returning(alice)).items
    assert "wasn’t published" in note.html
    browser = log_in(alice)
    assert 'href="/drafts"' in browser.get("/notifications").content.decode()
    page = browser.get("/drafts").content.decode()
    assert "your account wasn’t open at that time" in page
    assert "Planned for" in page
    assert card.composition.content in page


def test_a_post_for_a_circle_that_is_gone_is_shown_to_nobody(alice):
    circle = create_circle(by=alice, name="Choir")
    schedule(alice, audience=Audience.CIRCLE, circle=circle, content="Kept")
    schedule(alice, audience=Audience.CIRCLE, circle=circle, content="Lost", hours=3)
    come(hours=2)
    delete_circle(by=returning(alice), circle_id=circle)
    come(hours=4)
    assert contents(alice) == ["Kept"]
    assert [draft.reason for draft in drafts_of(alice)] == [Reason.CIRCLE]


def test_people_whom_moderators_limit_publish_as_they_would_at_once(alice):
    schedule(alice)
    restrict(alice, Restriction.LIMITED)
    come()
    assert contents(alice) == ["Later"]


def test_what_is_due_after_coming_back_is_published(alice):
    schedule(alice)
    pause_account(by=alice)
    end_pause(by=returning(alice))
    come()
    assert (contents(alice), drafts_of(alice)) == (["Later"], [])


@pytest.mark.parametrize("address", ["/settings/pause", "/settings/close"])
def test_the_pages_that_lead_away_say_what_becomes_of_it(alice, log_in, address):
    page = Html(log_in(alice).get(address))
    assert "draft" in page.one("main").text


def test_a_held_post_is_published_as_held(alice):
    schedule(alice)
    keep_site_rules(no_spam(Effect.HOLD))
    come()
    (raw,) = query(keys.posts(alice.user_id))
    assert raw["withheld"]["S"] == "held"


def test_a_story_comes_whole_and_an_expiry_counts_from_its_publishing(alice):
    schedule(alice, content="One", parts=(Part("Two"), Part("Three")))
    schedule(alice, content="Brief", expires_in="1h", hours=3)
    come(hours=2)
    assert contents(alice) == ["One", "Two", "Three"]
    come(hours=4)
    *_, raw = query(keys.posts(alice.user_id))
    lasts = float(raw["ttl"]["N"]) - ids.time_of(raw["post_id"]["S"]).timestamp()
    assert (raw["content"]["S"], round(lasts / 60)) == ("Brief", 60)


def test_a_poll_comes_along_and_ends_from_its_publishing_on(alice):
    schedule(alice, poll=PollWish(("Tea", "Coffee"), "1w"))
    come()
    (raw,) = query(keys.posts(alice.user_id))
    assert "Coffee" in str(raw["poll"])
    assert [due.kind for due in due_items()] == [CLOSE_POLL]


def test_a_new_handle_changes_nothing_of_what_waits(alice):
    schedule(alice)
    change_handle(by=alice, handle="alicia")
    come()
    assert contents(alice) == ["Later"]
