"""An edit tells those whom it adds, takes it back from those whom it leaves out, and tells nobody twice."""

from feed.posts.models import Audience
from feed.posts.reads import Pointer
from feed.publishing.writes import publish_post
from feed.threads.writes import reply
from notifications.writes import read_notifications
from tests.conftest import post
from tests.feed.editing.edits import broken, edit
from tests.moderation.restricting import withhold
from tests.notifications.told import told, waiting


def test_only_the_person_whom_an_edit_adds_is_told(alice, bob, carol, drain_stream):
    mine = post(alice, "With @bob")
    drain_stream()
    edit(alice, mine, "With @bob and @carol")
    drain_stream()
    assert told(bob) == told(carol) == ["Alice mentioned you"]
    assert waiting(bob).notifications == waiting(carol).notifications == 1
    assert waiting(bob).changes == 1
    assert not broken()


def test_the_person_whom_an_edit_leaves_out_is_told_no_more(alice, bob, drain_stream):
    mine = post(alice, "With @bob")
    drain_stream()
    edit(alice, mine, "Alone")
    assert told(bob) == []  # at once
    drain_stream()
    assert told(bob) == []
    assert waiting(bob).notifications == 0


def test_what_was_read_goes_too_and_does_not_come_back_as_new(alice, bob, drain_stream):
    mine = post(alice, "With @bob")
    drain_stream()
    read_notifications(by=bob, up_to=waiting(bob).changes)
    edit(alice, mine, "Alone")
    drain_stream()
    assert told(bob) == []
    assert waiting(bob).notifications == 0


def test_both_before_the_worker_comes_is_told_as_it_is_in_the_end(alice, bob, carol, drain_stream):
    mine = post(alice, "With @bob")
    edit(alice, mine, "With @carol")
    drain_stream()
    assert told(bob) == []
    assert told(carol) == ["Alice mentioned you"]


def test_a_typo_mended_tells_nobody_again(alice, bob, drain_stream):
    mine = post(alice, "Wiht @bob")
    drain_stream()
    read_notifications(by=bob, up_to=waiting(bob).changes)
    edit(alice, mine, "With @bob")
    drain_stream()
    assert told(bob) == ["Alice mentioned you"]
    assert waiting(bob).notifications == 0


def test_the_person_answered_is_told_of_the_answer_alone(alice, bob, drain_stream):
    mine = reply(by=alice, to=Pointer(post(bob), bob.user_id), content="I see", nonce="n")
    drain_stream()
    edit(alice, mine, "I see, @bob")
    drain_stream()
    assert told(bob) == ["Alice replied"]


def test_people_who_may_not_see_the_post_are_not_told(alice, bob, carol, drain_stream):
    mine = publish_post(by=alice, content="Hello", nonce="n", audience=Audience.ONLY_ME)
    edit(alice, mine, "@bob")
    hidden = post(alice, "Hello")
    edit(alice, hidden, "@carol")
    withhold(alice, hidden)
    drain_stream()
    assert told(bob) == told(carol) == []
