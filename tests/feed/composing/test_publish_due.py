"""Scheduled posts are published by the clock at their time, exactly once, or become drafts that say why not."""

import threading
from contextlib import suppress
from contextvars import copy_context
from datetime import timedelta

import pytest

from accounts.people.restrictions import Restriction
from accounts.profile.writes import change_handle, end_pause, pause_account
from feed.composing import writes
from feed.composing.reads import PUBLISH, Reason
from feed.polls.models import PollWish
from feed.polls.writes import CLOSE_POLL
from feed.posts.models import Audience
from feed.publishing.writes import MOST_ENDING, Part
from notifications.reads import list_notifications
from privacy.erasure.writes import close_account
from relations.friends.writes import create_circle, delete_circle
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import do_due
from socialsite.site_settings.site_setup import SiteRules
from socialsite.site_settings.word_filters import Effect, Word
from socialsite.streams.shards import Stream
from socialsite.table import as_model, ids, keys, query
from tests.faults.crash_points import Crash, Fuse, Point, armed
from tests.feed.composing.shelves import all_scheduled, drafts_of, due_of, schedule
from tests.feed.expiring import ending_post
from tests.feed.test_publish import contents
from tests.kept import keep_site_rules
from tests.looks import broken_invariants
from tests.moderation.restricting import restrict
from tests.streams.crowd import returning
from tests.web.html import Html

CLOCKS = 4
POSTS = 50
LEAST_CALLS = 6  # of a clock that publishes: to look in four places, to claim, read and write


def come(hours: float = 2) -> None:
    """The clock looks, so many hours from now."""
    do_due(utc_now() + timedelta(hours=hours))


def planned() -> list[Due]:
    shards = range(keys.DUE_SHARDS)
    return [as_model(Due, raw) for one in shards for raw in query(keys.due_shard(one))]


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
    assert (all_scheduled(alice), due_of(card), planned()) == ([], [], [])


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
    assert (all_scheduled(alice), planned()) == ([], [])
    drain_stream()
    assert broken_invariants() == {}


def test_clocks_that_took_up_the_same_item_publish_once(alice):
    schedule(alice)
    (due,) = planned()
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
        assert (all_scheduled(alice), planned()) == ([], [])
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
    assert PUBLISH not in {due.kind for due in planned()}


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
    assert [due.kind for due in planned()] == [CLOSE_POLL]


def test_a_new_handle_changes_nothing_of_what_waits(alice):
    schedule(alice)
    change_handle(by=alice, handle="alicia")
    come()
    assert contents(alice) == ["Later"]
