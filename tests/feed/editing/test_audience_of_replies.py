"""Replies follow the audience that their root gets: in people's counts of posts, at home, and under tags."""

import pytest

from feed.posts.content_checks import RefusedByRules
from feed.posts.models import Audience
from feed.publishing.writes import delete_post
from feed.threads.checks import mend_audience
from moderation.cases.effects import Target, effects_of
from moderation.models import ActionKind
from relations.own_choices.writes import follow_tag
from socialsite.site_settings.word_filters import Effect
from socialsite.table import fetch, keys, transact
from tags.reads import list_tagged
from tests.feed.answers import answer
from tests.feed.editing.audiences import (
    EVERYONE,
    FOLLOWERS,
    FRIENDS,
    ONLY_ME,
    circle_of,
    counts,
    entries,
    readers_of,
    say,
    show_to,
)
from tests.feed.editing.edits import edit, stored
from tests.looks import broken_invariants
from tests.moderation.site import word_rule
from tests.notifications.told import told, waiting
from tests.streams.crowd import home
from tests.streams.records import handle_all, unread


@pytest.mark.parametrize(
    ("before", "after", "reached"),
    [
        (EVERYONE, FRIENDS, {"friend", "circle"}),
        (FRIENDS, EVERYONE, {"follower"}),
        (ONLY_ME, FOLLOWERS, {"follower"}),
    ],
)
def test_a_story_and_its_answers_are_where_new_ones_would_be(
    alice, bob, before, after, reached, broken
):
    readers = readers_of(alice)
    follow_tag(by=bob, tag="cats")
    assert not broken()  # the follows bring nothing any more
    root = say(alice, before)
    part, own = answer(alice, alice, root, "#cats"), answer(bob, alice, root, "#cats")
    assert not broken()
    show_to(alice, root, after)
    assert not broken()
    for_some = bool(after)
    assert (counts(alice), counts(bob)) == ((2, 2 * for_some), (1, for_some))
    assert {kind for kind, one in readers.items() if part in home(one)} == reached
    assert (part in home(bob)) is not for_some  # by the tag
    assert [card.post_id for card in list_tagged("cats").items] == [part] * (not for_some)
    assert not any(own in home(one) for one in readers.values())


def test_a_story_for_a_circle_is_brought_to_another_one(alice, broken):
    readers = readers_of(alice)
    root = say(alice, FRIENDS)
    part = answer(alice, alice, root)
    assert not broken()
    show_to(alice, root, Audience.CIRCLE, circle_of(alice, readers["circle"]))
    assert not broken()
    assert {kind for kind, one in readers.items() if part in home(one)} == {"circle"}
    second = answer(alice, alice, part)
    assert not broken()
    assert {kind for kind, one in readers.items() if second in entries(one)} == {"circle"}


def test_people_whom_a_reply_mentions_are_told_once_they_can_see_it(alice, bob, broken):
    reader = readers_of(alice)["follower"]
    root = say(alice, ONLY_ME)
    answer(alice, alice, root, "With @fay")
    answer(bob, alice, root, "And @fay")
    assert not broken()
    assert told(reader) == []
    show_to(alice, root, FOLLOWERS)
    assert not broken()
    changes = waiting(reader).changes
    show_to(alice, root, EVERYONE)
    assert not broken()
    assert (len(told(reader)), waiting(reader).changes) == (2, changes)
    show_to(alice, root, FRIENDS)
    assert not broken()
    assert (told(reader), waiting(reader).notifications) == ([], 0)


def test_a_long_thread_is_brought_in_line_step_by_step(alice, bob, broken, monkeypatch):
    monkeypatch.setattr("feed.threads.stream.REPLIES_A_STEP", 3)
    monkeypatch.setattr("feed.threads.writes.AT_ONCE", 2)
    root = say(alice, EVERYONE)
    replies = [answer(bob, alice, root) for _ in range(6)]
    transact(*effects_of(ActionKind.HIDE, Target(bob.user_id, (replies[0],))))
    delete_post(by=bob, post_id=replies[1])
    assert not broken()
    for audience in (FOLLOWERS, FRIENDS):  # one job overtakes the other
        show_to(alice, root, audience)
    handle_all(unread())
    assert not broken()
    assert counts(bob) == (4, 4)
    assert {stored(bob, one).audience for one in replies[2:]} == {FRIENDS}


def test_a_root_that_is_deleted_meanwhile_leaves_its_last_audience(alice, bob, broken):
    root = say(alice, EVERYONE)
    reply = answer(bob, alice, root)
    assert not broken()
    show_to(alice, root, FRIENDS)
    delete_post(by=alice, post_id=root)
    assert not broken()
    assert (stored(bob, reply).audience, counts(bob)) == (FRIENDS, (1, 1))


def test_reconcile_brings_a_reply_in_line_whose_record_was_lost(alice, bob, broken):
    root = say(alice, EVERYONE)
    reply = answer(bob, alice, root)
    assert not broken()
    show_to(alice, root, FRIENDS)
    assert broken_invariants()["a reply has the audience of its thread"] == [reply]
    for raw in fetch([keys.post(bob.user_id, reply)]).values():
        mend_audience(raw)
    assert "a reply has the audience of its thread" not in broken_invariants()
    assert counts(bob) == (1, 1)


def test_replies_are_judged_before_their_thread_is_for_others(admin, alice):
    word_rule(admin, "cheap pills", Effect.REFUSE)
    root = say(alice, ONLY_ME)
    part = answer(alice, alice, root)
    with pytest.raises(RefusedByRules):
        answer(alice, alice, root, "cheap pills")
    with pytest.raises(RefusedByRules):
        edit(alice, part, "cheap pills")
