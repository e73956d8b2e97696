"""The author changes who can see a post: what becomes of it in timelines, in threads, and before rules."""

from itertools import permutations

import pytest

from accounts.people.restrictions import Frozen, Restriction
from feed.posts.content_checks import RefusedByRules
from feed.posts.models import Audience
from feed.posts.reads import Pointer
from feed.publishing.changes import CannotChangeAudience, change_audience, edit_post
from feed.publishing.writes import delete_post
from feed.sharing.writes import repost
from feed.threads.checks import mend_audience
from feed.timelines.local import list_public
from moderation.cases.effects import Target, effects_of
from moderation.cases.lists import list_cases
from moderation.models import ActionKind, Queue
from relations.blocks.writes import mute
from relations.follows.writes import follow, unfollow
from relations.friends.writes import delete_circle, end_friendship
from relations.own_choices.writes import follow_tag
from socialsite.site_settings.word_filters import Effect
from socialsite.streams.worker import Worker
from socialsite.table import NotFound, fetch, keys, query, transact
from tags.reads import list_tagged
from tests.conftest import HTMX, post
from tests.feed.scenes import (
    EVERYONE,
    FOLLOWERS,
    FRIENDS,
    ONLY_ME,
    answer,
    broken,
    choose_audience,
    circle_of,
    counts,
    edit,
    entries,
    readers_of,
    say,
    sees,
    show_to,
    stored,
)
from tests.looks import broken_invariants
from tests.moderation.cases import restrict, withhold
from tests.moderation.staff import word_rule
from tests.notifications.told import told, waiting
from tests.relations.scenes import befriend
from tests.streams.crowd import crowd, gather, home, reached, returning
from tests.streams.records import everything, handle_all, unread
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
        response = choose_audience(browser, post_id, FRIENDS, **extra)
        assert response.status_code == (200 if extra else 302)
    assert (stored(alice, post_id).audience, stored(alice, post_id).circle) == (FRIENDS, None)
    if extra:
        assert "Friends only" in response.content.decode()
        assert "Your changes are saved." in response["HX-Trigger"]
    assert choose_audience(log_in(bob), post_id, EVERYONE, **extra).status_code == 404
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
    refused = choose_audience(log_in(alice), post_id, nonsense, **extra)
    assert refused.status_code == 422
    assert "Choose who can see your post." in refused.content.decode()
    assert stored(alice, post_id).audience is None


def test_a_reply_has_no_form(alice, log_in):
    reply = answer(alice, alice, post(alice))
    assert log_in(alice).get(f"/@alice/posts/{reply}/audience").status_code == 404
    assert choose_audience(log_in(alice), reply, ONLY_ME).status_code == 404


@BOTH
def test_a_withheld_post_keeps_its_audience(alice, log_in, extra):
    post_id = post(alice)
    withhold(alice, post_id)
    browser = log_in(alice)
    page = Html(browser.get(f"/@alice/posts/{post_id}/audience", **extra))
    assert "A moderator has to decide about this post first" in page.one("p", class_="banner").text
    refused = choose_audience(browser, post_id, ONLY_ME, **extra)
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


# A post comes to those who may see it now, and leaves where it does not belong any more; handled twice, the same.

CIRCLE = Audience.CIRCLE
AT_HOME = {
    EVERYONE: {"follower"},
    FOLLOWERS: {"follower"},
    FRIENDS: {"friend", "circle"},
    CIRCLE: {"circle"},
    ONLY_ME: set(),
}


@pytest.mark.parametrize(("before", "after"), permutations(AT_HOME, 2))
def test_it_stands_at_home_where_a_new_post_would(alice, before, after, broken):
    readers = readers_of(alice)
    circles = {CIRCLE: circle_of(alice, readers["circle"])}
    assert not broken()  # the follow brings nothing any more
    post_id = say(alice, before, circles.get(before, ""))
    assert not broken()
    show_to(alice, post_id, after, circles.get(after, ""))
    assert not broken()
    assert {kind for kind, one in readers.items() if home(one) == [post_id]} == AT_HOME[after]
    assert home(alice) == [post_id]
    assert [card.post_id for card in list_public().items] == ([] if after else [post_id])


def test_a_post_that_is_for_friends_no_more_leaves_former_friends_too(alice, bob, broken):
    befriend(alice, bob)
    post_id = say(alice, FRIENDS)
    assert not broken()
    end_friendship(by=bob, user_id=alice.user_id)
    show_to(alice, post_id, EVERYONE)
    assert not broken()
    assert entries(bob) == []


def test_friends_who_follow_keep_it(alice, broken):
    friend = readers_of(alice)["friend"]
    follow(by=friend, user_id=alice.user_id)
    post_id = say(alice, FRIENDS)
    assert not broken()
    show_to(alice, post_id, FOLLOWERS)
    assert not broken()
    assert home(friend) == [post_id]
    unfollow(by=friend, user_id=alice.user_id)
    assert not broken()
    assert home(friend) == []


def test_friends_who_follow_one_of_its_tags_get_it_by_the_tag(alice, broken):
    friend = readers_of(alice)["friend"]
    follow_tag(by=friend, tag="cats")
    post_id = say(alice, FRIENDS, content="#cats")
    assert not broken()
    show_to(alice, post_id, EVERYONE)
    assert not broken()
    assert home(friend) == [post_id]
    show_to(alice, post_id, FRIENDS)
    assert not broken()
    assert home(friend) == [post_id]


def test_followers_who_mute_the_author_get_nothing(alice, bob, broken):
    follow(by=bob, user_id=alice.user_id)
    mute(by=bob, user_id=alice.user_id)
    post_id = say(alice, FRIENDS)
    assert not broken()
    show_to(alice, post_id, EVERYONE)
    assert not broken()
    assert entries(bob) == []


def test_many_followers_get_it_by_a_job(alice, settings, broken):
    settings.FAN_OUT_INLINE, settings.FAN_OUT_STEP = 3, 2
    readers = gather(crowd(5), alice)
    assert not broken()  # the follows bring nothing any more
    post_id = say(alice, ONLY_ME)
    assert not broken()
    assert reached(readers, post_id, alice) == 0
    show_to(alice, post_id, FOLLOWERS)
    assert not broken()
    assert reached(readers, post_id, alice) == 5


@pytest.mark.parametrize(("before", "after"), permutations([EVERYONE, FRIENDS, ONLY_ME], 2))
def test_a_change_handled_twice_does_the_same(alice, before, after):
    friend = readers_of(alice)["friend"]
    follow_tag(by=friend, tag="cats")
    post_id = say(alice, before, content="@fay #cats")
    Worker().drain()
    show_to(alice, post_id, after)
    records = unread()
    handle_all(records)
    done = everything()
    handle_all(records)
    assert everything() == done


def test_people_who_may_see_it_now_are_told_of_their_mention_and_nobody_twice(alice, bob, broken):
    follow(by=bob, user_id=alice.user_id)
    stranger = readers_of(alice)["stranger"]
    post_id = say(alice, ONLY_ME, content="@bob and @stan")
    assert not broken()
    assert told(bob) == told(stranger) == []
    show_to(alice, post_id, FOLLOWERS)
    assert not broken()
    assert (len(told(bob)), told(stranger)) == (1, [])
    changes = waiting(bob).changes
    show_to(alice, post_id, EVERYONE)
    assert not broken()
    assert (len(told(bob)), len(told(stranger))) == (1, 1)
    assert waiting(bob).changes == changes
    show_to(alice, post_id, ONLY_ME)
    assert not broken()
    assert told(bob) == told(stranger) == []
    assert waiting(bob).notifications == waiting(stranger).notifications == 0


# A post that only its author could see is judged before others see it, whatever comes in between.


@BOTH
def test_a_post_that_others_see_for_the_first_time_is_judged(admin, alice, log_in, extra):
    word_rule(admin, "cheap pills", Effect.REFUSE)
    post_id = say(alice, ONLY_ME, content="cheap pills")
    refused = choose_audience(log_in(alice), post_id, FRIENDS, **extra)
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
    response = choose_audience(log_in(alice), post_id, EVERYONE, **extra)
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


# Replies follow the audience that their root gets: in people's counts of posts, at home, and under tags.


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
