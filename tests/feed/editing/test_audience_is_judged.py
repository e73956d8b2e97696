"""A post that only its author could see is judged before others see it, whatever comes in between."""

import pytest

from feed.posts.content_checks import RefusedByRules
from feed.publishing.changes import edit_post
from feed.publishing.writes import delete_post
from moderation.cases.lists import list_cases
from moderation.models import Queue
from socialsite import keys
from socialsite.site_settings.word_filters import Effect
from tests.conftest import HTMX, post
from tests.feed.editing.audiences import (
    EVERYONE,
    FOLLOWERS,
    FRIENDS,
    ONLY_ME,
    choose,
    counts,
    say,
    sees,
    show_to,
)
from tests.feed.editing.edits import broken, edit, stored
from tests.moderation.site import word_rule

BOTH = pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])


@BOTH
def test_a_post_that_others_see_for_the_first_time_is_judged(admin, alice, log_in, extra):
    word_rule(admin, "cheap pills", Effect.REFUSE)
    post_id = say(alice, ONLY_ME, content="cheap pills")
    refused = choose(log_in(alice), post_id, FRIENDS, **extra)
    assert refused.status_code == 422
    assert "No spam" in refused.content.decode()
    assert stored(alice, post_id).audience == ONLY_ME


def test_what_it_said_before_is_judged_too(admin, alice):
    word_rule(admin, "cheap pills", Effect.REFUSE)
    post_id = say(alice, ONLY_ME, content="cheap pills")
    edit(alice, post_id, "Hello")
    with pytest.raises(RefusedByRules):
        show_to(alice, post_id, EVERYONE)


def test_a_post_that_others_saw_before_is_not_judged_again(admin, alice):
    post_id = say(alice, FRIENDS, content="cheap pills")
    word_rule(admin, "cheap pills", Effect.REFUSE)
    show_to(alice, post_id, EVERYONE)
    assert stored(alice, post_id).audience is None


@BOTH
def test_a_post_that_is_held_waits_and_does_not_count(admin, alice, bob, log_in, extra):
    rule_id = word_rule(admin, "casino", Effect.HOLD)
    post_id = say(alice, ONLY_ME, content="casino")
    response = choose(log_in(alice), post_id, EVERYONE, **extra)
    assert response.status_code in (200, 302)
    assert (stored(alice, post_id).withheld, stored(alice, post_id).flagged) == ("held", rule_id)
    assert counts(alice) == (0, 0)
    assert not sees(bob, post_id, alice)
    assert not broken()
    assert len(list_cases(keys.queue(Queue.HELD)).items) == 1
    delete_post(by=alice, post_id=post_id)
    assert counts(alice) == (0, 0)


def test_a_post_that_meets_a_word_rule_is_reported_once_it_is_shown(admin, alice):
    word_rule(admin, "casino", Effect.FLAG)
    post_id = say(alice, ONLY_ME, content="casino")
    show_to(alice, post_id, FOLLOWERS)
    assert not broken()
    assert len(list_cases(keys.queue(Queue.REPORTS)).items) == 1


def between(monkeypatch, service, act) -> None:
    """What happens after the service has read the post, and before it writes."""
    done: list[bool] = []
    transact = service.transact

    def late(*actions, **rest):
        if not done:
            done.append(True)
            act()
        transact(*actions, **rest)

    monkeypatch.setattr(service, "transact", late)


def test_an_edit_overtaken_by_another_audience_is_judged(admin, alice, monkeypatch):
    import feed.publishing.changes as service

    word_rule(admin, "cheap pills", Effect.REFUSE)
    post_id = say(alice, ONLY_ME)
    between(monkeypatch, service, lambda: show_to(alice, post_id, EVERYONE))
    with pytest.raises(RefusedByRules):
        edit_post(by=alice, post_id=post_id, content="cheap pills", version=1)


def test_another_audience_overtaken_by_an_edit_is_judged(admin, alice, monkeypatch):
    import feed.publishing.changes as service

    word_rule(admin, "cheap pills", Effect.REFUSE)
    post_id = say(alice, ONLY_ME)
    between(monkeypatch, service, lambda: edit(alice, post_id, "cheap pills"))
    with pytest.raises(RefusedByRules):
        show_to(alice, post_id, EVERYONE)


def test_a_deletion_overtaken_by_another_audience_counts_right(alice, monkeypatch):
    import feed.publishing.writes as service

    post_id = post(alice)
    between(monkeypatch, service, lambda: show_to(alice, post_id, FRIENDS))
    delete_post(by=alice, post_id=post_id)
    assert counts(alice) == (0, 0)
    assert not broken()
