"""The clock and an author at once: what is published is what the author last said, once, or nothing."""

from contextlib import suppress
from datetime import timedelta

import pytest

from feed.composing.composition import Composition
from feed.composing.writes import (
    ScheduledGone,
    delete_scheduled,
    publish_due,
    publish_scheduled_now,
    reschedule_post,
)
from socialsite.clock import utc_now
from socialsite.due.work import AlreadyDone, do_due
from tests.crossing import meanwhile
from tests.feed.composing.shelves import all_scheduled, drafts_of, due_of, schedule
from tests.feed.composing.test_publish_due import planned
from tests.feed.test_publish import contents


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
    (due,) = planned()
    with meanwhile(changing(alice, card)) as happened:
        publish_due(due)
    assert happened
    assert (contents(alice), all_scheduled(alice), planned()) == (["Changed"], [], [])


def test_what_is_moved_while_the_clock_comes_waits_for_its_new_time(alice):
    card = schedule(alice)
    (due,) = planned()
    with meanwhile(changing(alice, card, hours=5)):
        publish_due(due)
    (moved,) = all_scheduled(alice)
    assert (contents(alice), due_of(card), len(due_of(moved))) == ([], [], 1)
    do_due(utc_now() + timedelta(hours=7))
    assert (contents(alice), planned()) == (["Changed"], [])


def test_what_is_deleted_while_the_clock_comes_is_not_published(alice):
    card = schedule(alice)
    (due,) = planned()
    with meanwhile(lambda: delete_scheduled(by=alice, slot=card.slot, version=1)):
        publish_due(due)
    assert (contents(alice), all_scheduled(alice), drafts_of(alice)) == ([], [], [])


def test_what_its_author_publishes_while_the_clock_comes_is_published_once(alice):
    card = schedule(alice)
    (due,) = planned()
    with meanwhile(lambda: publish_scheduled_now(by=alice, slot=card.slot)):
        publish_due(due)
    assert (contents(alice), drafts_of(alice), planned()) == (["Later"], [], [])


def test_what_the_clock_publishes_while_its_author_changes_it_is_told(alice):
    card = schedule(alice)
    (due,) = planned()
    with meanwhile(lambda: publish_due(due)), pytest.raises(ScheduledGone):
        changing(alice, card, hours=5)()
    with pytest.raises(ScheduledGone):
        publish_scheduled_now(by=alice, slot=card.slot)
    assert (contents(alice), all_scheduled(alice), planned()) == (["Later"], [], [])


def test_a_clock_whose_due_item_another_one_ended_writes_nothing(alice):
    schedule(alice)
    (due,) = planned()
    with meanwhile(lambda: do_due(utc_now() + timedelta(hours=2))), suppress(AlreadyDone):
        publish_due(due)
    assert contents(alice) == ["Later"]
