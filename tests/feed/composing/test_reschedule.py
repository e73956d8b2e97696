"""Changing a scheduled post: all of it at once, or nothing, and no text is lost."""

from datetime import timedelta

import pytest

from feed.polls.models import PollWish
from feed.posts.models import Audience
from tests.feed.composing.shelves import (
    chosen,
    drafts_of,
    due_of,
    fields,
    in_hours,
    schedule,
    scheduled_of,
    texts_of,
)
from tests.feed.test_publish import contents
from tests.web.html import Html


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
