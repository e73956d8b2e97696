"""The author changes who can see a post. Every read asks, so it holds at once, for the thread too."""

import pytest

from accounts.people.restrictions import Frozen, Restriction
from feed.posts.models import Audience
from feed.posts.reads import Pointer
from feed.publishing.changes import CannotChangeAudience, change_audience
from feed.sharing.writes import repost
from relations.friends.writes import delete_circle
from socialsite.table import NotFound, keys, query
from tests.conftest import HTMX, post
from tests.feed.answers import answer
from tests.feed.editing.audiences import (
    EVERYONE,
    FOLLOWERS,
    FRIENDS,
    ONLY_ME,
    choose,
    circle_of,
    counts,
    readers_of,
    say,
    sees,
    show_to,
)
from tests.feed.editing.edits import broken, stored
from tests.moderation.restricting import restrict, withhold
from tests.streams.crowd import returning
from tests.web.html import Html

BOTH = pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
SEEN_BY = {
    EVERYONE: {"follower", "friend", "circle", "stranger"},
    FOLLOWERS: {"follower"},
    FRIENDS: {"friend", "circle"},
    Audience.CIRCLE: {"circle"},
    ONLY_ME: set(),
}


def test_it_is_seen_by_those_whom_it_is_for_now_and_counted_so(alice):
    readers = readers_of(alice)
    circle_id = circle_of(alice, readers["circle"])
    post_id = post(alice)
    for audience in (ONLY_ME, FRIENDS, Audience.CIRCLE, FOLLOWERS, EVERYONE, Audience.CIRCLE):
        circle = circle_id if audience == Audience.CIRCLE else ""
        for _ in range(2):  # sent twice
            show_to(alice, post_id, audience, circle)
        seen = {kind for kind, one in readers.items() if sees(one, post_id, alice)}
        assert seen == SEEN_BY[audience]
        assert sees(alice, post_id, alice)
        assert counts(alice) == (1, 1 if audience else 0)
    assert not broken()


def test_nothing_is_written_if_nothing_changes(alice, measure):
    post_id = say(alice, FRIENDS)
    with measure() as meter:
        assert change_audience(by=alice, post_id=post_id, audience=FRIENDS) is None
    assert meter.write_units == 0


def test_replies_follow_the_head_of_their_thread(alice, bob, carol):
    root = post(alice)
    reply = answer(bob, alice, root)
    show_to(alice, root, FRIENDS)
    assert not sees(carol, reply, bob)
    show_to(alice, root, EVERYONE)
    assert sees(carol, reply, bob)
    with pytest.raises(NotFound):
        show_to(alice, answer(alice, alice, root), ONLY_ME)


def test_reposts_and_other_peoples_posts_have_none_to_change(alice, bob):
    theirs = post(bob)
    pointer_id = repost(by=alice, post=Pointer(theirs, bob.user_id))
    rows = query(keys.posts(alice.user_id), consistent=True)
    (own,) = [raw["post_id"]["S"] for raw in rows]
    for post_id in {own, theirs, pointer_id or own}:
        with pytest.raises(NotFound):
            show_to(alice, post_id, ONLY_ME)
    assert sees(alice, theirs, bob)


@BOTH
def test_the_form_shows_what_holds_and_saves_another_choice(alice, bob, log_in, extra):
    circle_id = circle_of(alice, readers_of(alice)["circle"])
    post_id = say(alice, Audience.CIRCLE, circle_id)
    browser = log_in(returning(alice))
    page = Html(browser.get(f"/@alice/posts/{post_id}/audience", **extra))
    assert page.one("select", id="changed_audience")["name"] == "audience"
    chosen = [one["value"] for one in page.all("option") if "selected" in one.attributes]
    assert chosen == [f"circle:{circle_id}"]
    for _ in range(2):  # sent twice
        response = choose(browser, post_id, FRIENDS, **extra)
        assert response.status_code == (200 if extra else 302)
    assert (stored(alice, post_id).audience, stored(alice, post_id).circle) == (FRIENDS, None)
    if extra:
        assert "Friends only" in response.content.decode()
        assert "Your changes are saved." in response["HX-Trigger"]
    assert choose(log_in(bob), post_id, EVERYONE, **extra).status_code == 404
    assert stored(alice, post_id).audience == FRIENDS


def test_a_circle_that_was_deleted_stands_as_only_me(alice, log_in):
    circle_id = circle_of(alice, readers_of(alice)["circle"])
    post_id = say(alice, Audience.CIRCLE, circle_id)
    delete_circle(by=alice, circle_id=circle_id)
    page = Html(log_in(returning(alice)).get(f"/@alice/posts/{post_id}/audience", headers=HTMX))
    assert [one["value"] for one in page.all("option") if "selected" in one.attributes] == ["me"]


def test_a_form_without_a_choice_shows_the_post_to_nobody(alice, log_in):
    post_id = say(alice, FRIENDS)
    assert log_in(alice).post(f"/@alice/posts/{post_id}/audience").status_code == 422
    assert stored(alice, post_id).audience == FRIENDS


@BOTH
@pytest.mark.parametrize("nonsense", ["aliens", "circle:01234567890123456789012345"])
def test_nonsense_is_explained_and_changes_nothing(alice, log_in, nonsense, extra):
    post_id = post(alice)
    refused = choose(log_in(alice), post_id, nonsense, **extra)
    assert refused.status_code == 422
    assert "Choose who can see your post." in refused.content.decode()
    assert stored(alice, post_id).audience is None


def test_a_reply_has_no_form(alice, log_in):
    reply = answer(alice, alice, post(alice))
    assert log_in(alice).get(f"/@alice/posts/{reply}/audience").status_code == 404
    assert choose(log_in(alice), reply, ONLY_ME).status_code == 404


@BOTH
def test_a_withheld_post_keeps_its_audience(alice, log_in, extra):
    post_id = post(alice)
    withhold(alice, post_id)
    browser = log_in(alice)
    page = Html(browser.get(f"/@alice/posts/{post_id}/audience", **extra))
    assert "A moderator has to decide about this post first" in page.one("p", class_="banner").text
    refused = choose(browser, post_id, ONLY_ME, **extra)
    assert refused.status_code == 409
    assert "A moderator has to decide about this post first" in refused.content.decode()
    with pytest.raises(CannotChangeAudience):
        show_to(alice, post_id, ONLY_ME)
    assert stored(alice, post_id).audience is None


def test_who_is_frozen_can_only_take_a_post_back_to_themselves(alice):
    post_id = say(alice, FRIENDS)
    restrict(alice, Restriction.FROZEN)
    frozen = returning(alice)
    with pytest.raises(Frozen):
        show_to(frozen, post_id, EVERYONE)
    show_to(frozen, post_id, ONLY_ME)
    assert stored(alice, post_id).audience == ONLY_ME
