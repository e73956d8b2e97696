"""Drafts are saved, published and deleted; posts are scheduled, changed, and published at their time."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from accounts.models import UserInfo
from accounts.people.viewer import Viewer
from feed.composing.composition import Composition, Seen
from feed.composing.draft_writes import delete_draft, save_draft
from feed.composing.reads import Reason, Slot
from feed.composing.writes import (
    ScheduledGone,
    delete_scheduled,
    publish_composed,
    publish_scheduled_now,
    reschedule_post,
    schedule_post,
)
from socialsite.due.work import do_due
from socialsite.table import change, ids, keys
from tests.conftest import person
from tests.faults.looks import assert_all_is_well, open_jobs, told_of
from tests.faults.stories import ONE_DUE_SHARD, Story, scenario
from tests.feed.scenes import all_scheduled, drafts_of, schedule, texts_of
from tests.feed.test_publishing import contents

SOON = datetime.now(UTC).replace(second=0, microsecond=0) + timedelta(hours=3)


def saved(by: Viewer, content: str = "Half") -> Seen:
    """A draft, as the page that saved it knows it."""
    seen = Seen(ids.new_id(), 0, "page1")
    draft = save_draft(by=by, composition=Composition(content=content), seen=seen)
    return Seen(draft.draft_id, draft.version, "page1")


def is_on_shelf(by: Viewer, *, drafts: list[str], scheduled: list[str], posts: list[str]) -> None:
    """What a person has written is there once, and in one place."""
    assert_all_is_well()
    assert sorted(texts_of(by)) == sorted(drafts)
    assert [card.composition.content for card in all_scheduled(by)] == scheduled
    assert sorted(contents(by)) == sorted(posts)


def clock(hours: float) -> Callable[[], None]:
    """The clock looks, and comes again for what a crash left to its next try."""

    def look() -> None:
        for again in range(2):
            do_due(datetime.now(UTC) + timedelta(hours=hours + again))

    return look


@scenario()
def a_draft_is_saved() -> Story:
    alice, draft_id = person("alice"), ids.new_id()
    half = Composition(content="Half")

    def act() -> None:
        save_draft(by=alice, composition=half, seen=Seen(draft_id, 0, "page1"))

    return Story(act, lambda: is_on_shelf(alice, drafts=["Half"], scheduled=[], posts=[]))


@scenario()
def a_draft_is_saved_again() -> Story:
    alice = person("alice")
    seen = saved(alice)
    whole = Composition(content="Half a thought")

    def act() -> None:
        save_draft(by=alice, composition=whole, seen=seen)

    return Story(act, lambda: is_on_shelf(alice, drafts=[whole.content], scheduled=[], posts=[]))


@scenario()
def two_devices_save_the_same_draft() -> Story:
    alice = person("alice")
    seen = saved(alice)
    texts = "On the phone", "On the laptop"

    def act() -> None:
        for writer, content in zip(("page2", "page3"), texts, strict=True):
            known = Seen(seen.draft_id, seen.version, writer)
            save_draft(by=alice, composition=Composition(content=content), seen=known)

    def check() -> None:
        assert_all_is_well()
        assert set(texts_of(alice)) == set(texts)  # one may be there twice: its answer was lost

    return Story(act, check)


@scenario()
def a_draft_is_deleted() -> Story:
    alice = person("alice")
    seen = saved(alice)
    saved(alice, "Another")

    def act() -> None:
        delete_draft(by=alice, draft_id=seen.draft_id, version=1)

    return Story(act, lambda: is_on_shelf(alice, drafts=["Another"], scheduled=[], posts=[]))


@scenario()
def a_draft_is_published() -> Story:
    alice = person("alice")
    seen = saved(alice)

    def act() -> None:
        publish_composed(by=alice, seen=seen, content="Done", nonce="form")

    return Story(act, lambda: is_on_shelf(alice, drafts=[], scheduled=[], posts=["Done"]))


@scenario()
def a_draft_whose_first_saving_is_on_its_way_is_published() -> Story:
    alice = person("alice")
    seen = Seen(ids.new_id(), 0, "page1")

    def act() -> None:
        publish_composed(by=alice, seen=seen, content="Done", nonce="form")

    return Story(act, lambda: is_on_shelf(alice, drafts=[], scheduled=[], posts=["Done"]))


@scenario()
def a_draft_that_another_device_changed_is_published() -> Story:
    alice = person("alice")
    seen = saved(alice)
    other = Seen(seen.draft_id, seen.version, "page2")
    save_draft(by=alice, composition=Composition(content="Longer"), seen=other)

    def act() -> None:
        publish_composed(by=alice, seen=seen, content="Done", nonce="form")

    return Story(act, lambda: is_on_shelf(alice, drafts=["Longer"], scheduled=[], posts=["Done"]))


@scenario()
def a_draft_is_scheduled() -> Story:
    alice = person("alice")
    seen = saved(alice)

    def act() -> None:
        schedule_post(
            by=alice,
            composition=Composition(content="Later"),
            publish_at=SOON,
            zone="UTC",
            nonce="form",
            seen=seen,
        )

    return Story(act, lambda: is_on_shelf(alice, drafts=[], scheduled=["Later"], posts=[]))


@scenario()
def a_scheduled_post_is_moved_and_changed() -> Story:
    alice = person("alice")
    card = schedule(alice)
    moved = Slot(SOON + timedelta(hours=5), card.slot.scheduled_id)

    def act() -> None:
        for slot, version, content in ((card.slot, 1, "Moved"), (moved, 2, "Changed")):
            try:
                reschedule_post(
                    by=alice,
                    slot=slot,
                    version=version,
                    composition=Composition(content=content),
                    publish_at=moved.publish_at,
                    zone="UTC",
                )
            except ScheduledGone:
                assert content == "Moved", "it was moved and changed before the crash"

    def check() -> None:
        is_on_shelf(alice, drafts=[], scheduled=["Changed"], posts=[])
        clock(4)()
        assert contents(alice) == [], "the old time brings nothing"

    return Story(act, check)


@scenario()
def a_scheduled_post_is_deleted() -> Story:
    alice = person("alice")
    card = schedule(alice)

    def act() -> None:
        delete_scheduled(by=alice, slot=card.slot, version=1)

    def check() -> None:
        clock(4)()
        is_on_shelf(alice, drafts=[], scheduled=[], posts=[])

    return Story(act, check)


@scenario()
def a_scheduled_post_is_published_at_once() -> Story:
    alice = person("alice")
    card = schedule(alice)

    def act() -> None:
        try:
            publish_scheduled_now(by=alice, slot=card.slot)
        except ScheduledGone:
            assert contents(alice) == ["Later"], "it was published before the crash"

    def check() -> None:
        clock(4)()
        is_on_shelf(alice, drafts=[], scheduled=[], posts=["Later"])

    return Story(act, check)


@scenario(constants=ONE_DUE_SHARD)
def a_scheduled_post_is_published_by_the_clock() -> Story:
    alice = person("alice")
    schedule(alice, warning="Soup")
    schedule(alice, content="Brief", expires_in="1w", hours=2)
    schedule(alice, content="Not yet", hours=200)

    def check() -> None:
        is_on_shelf(alice, drafts=[], scheduled=["Not yet"], posts=["Later", "Brief"])

    return Story(clock(3), check)


@scenario()
def a_scheduled_post_that_is_refused_becomes_a_draft() -> Story:
    alice = person("alice")
    schedule(alice)
    end = [UserInfo.frozen_until.set((SOON + timedelta(days=9)).isoformat(timespec="seconds"))]
    change(UserInfo, keys.user_info(alice.user_id), end)

    def check() -> None:
        is_on_shelf(alice, drafts=["Later"], scheduled=[], posts=[])
        assert [draft.reason for draft in drafts_of(alice)] == [Reason.FROZEN]
        assert len(told_of(alice)) == 1
        assert open_jobs() == []

    return Story(clock(3), check)
