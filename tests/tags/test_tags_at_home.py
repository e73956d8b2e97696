"""What a followed tag brings into the home timeline, and what leaves it."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from accounts.models import UserSettings
from accounts.people.restrictions import Restriction
from accounts.sign_in.writes import sign_in
from feed.posts.models import Post, TimelineEntry, Withheld
from feed.posts.reads import Pointer, entry_of
from relations.blocks.writes import block, mute, unblock, unmute
from relations.follows.writes import follow, unfollow
from relations.own_choices.writes import follow_tag, unfollow_tag
from socialsite.streams.change import Change
from socialsite.streams.late_writes import settle_since
from socialsite.streams.ledger import Ledger
from socialsite.table import change, keys, query, reading, write_batch
from tags.stream_handlers import BROUGHT, fan_out_tagged
from tests.conftest import person, post
from tests.moderation.cases import restrict, withhold
from tests.web.html import Html


def brought(viewer) -> dict[str, str]:
    """The posts of others in a home timeline as the table has it, with the tag that brought each."""
    rows = list(query(keys.timeline(viewer.user_id)))
    return {
        raw["post_id"]["S"]: raw.get("tag", {}).get("S", "")
        for raw in rows
        if raw["author_id"]["S"] != viewer.user_id
    }


def home(browser: Client) -> list[str]:
    return Html(browser.get("/")).post_ids()


def test_new_posts_with_a_followed_tag_come_home(alice, bob, log_in, drain_stream):
    follow_tag(by=alice, tag="cats")
    drain_stream()
    posts = [post(bob, "#Cats"), post(bob, "#dogs"), post(bob, "#cats #dogs")]
    drain_stream()
    assert home(log_in(alice)) == [posts[2], posts[0]]
    assert brought(alice) == {posts[0]: "cats", posts[2]: "cats"}


def test_following_brings_the_newest_twenty(alice, bob, drain_stream):
    posts = [post(bob, "#cats") for _ in range(BROUGHT + 3)]
    drain_stream()
    follow_tag(by=alice, tag="cats")
    drain_stream()
    assert sorted(brought(alice)) == posts[3:]


def test_a_post_that_comes_by_its_author_and_two_tags_stands_once(alice, bob, log_in, drain_stream):
    for tag in ("cats", "dogs"):
        follow_tag(by=alice, tag=tag)
    follow(by=alice, user_id=bob.user_id)
    drain_stream()
    post_id = post(bob, "#cats #dogs")
    drain_stream()
    assert home(log_in(alice)) == [post_id]
    assert brought(alice) == {post_id: ""}


def test_ones_own_posts_stay_as_they_are(alice, drain_stream):
    follow_tag(by=alice, tag="cats")
    post_id = post(alice, "#cats")
    drain_stream()
    entry = reading.get(TimelineEntry, keys.timeline_entry(alice.user_id, post_id, alice.user_id))
    assert entry.tag is None


@pytest.mark.parametrize("hide", [block, mute])
@pytest.mark.parametrize("when", ["before", "after", "following the tag later"])
def test_posts_of_blocked_and_muted_people_do_not_come_by_a_tag(
    alice, bob, log_in, drain_stream, hide, when
):
    if when != "following the tag later":
        follow_tag(by=alice, tag="cats")
    if when != "after":
        hide(by=alice, user_id=bob.user_id)
    drain_stream()
    post(bob, "#cats")
    drain_stream()
    if when == "following the tag later":
        follow_tag(by=alice, tag="cats")
    if when == "after":
        hide(by=alice, user_id=bob.user_id)
        assert home(log_in(alice)) == []
    drain_stream()
    assert home(log_in(alice)) == []


def test_nor_do_those_of_people_who_block_the_reader(alice, bob, log_in, drain_stream):
    follow_tag(by=alice, tag="cats")
    block(by=bob, user_id=alice.user_id)
    drain_stream()
    post(bob, "#cats")
    drain_stream()
    assert home(log_in(alice)) == []


@pytest.mark.parametrize(("hide", "show"), [(block, unblock), (mute, unmute)])
def test_they_come_back_after_it(alice, bob, log_in, drain_stream, hide, show):
    follow_tag(by=alice, tag="cats")
    drain_stream()
    post_id = post(bob, "#cats")
    drain_stream()
    for act in (hide, show):
        act(by=alice, user_id=bob.user_id)
        drain_stream()
    assert home(log_in(alice)) == [post_id]
    assert brought(alice) == {post_id: "cats"}


def test_posts_of_limited_people_do_not_come_by_a_tag(alice, bob, log_in, drain_stream):
    follow_tag(by=alice, tag="cats")
    before = post(bob, "#cats")
    drain_stream()
    assert home(log_in(alice)) == [before]
    restrict(bob, Restriction.LIMITED)
    post(bob, "#cats")
    drain_stream()
    assert home(log_in(alice)) == []
    assert brought(alice) == {before: "cats"}


def test_a_held_post_comes_once_it_is_released(alice, bob, log_in, drain_stream):
    follow_tag(by=alice, tag="cats")
    drain_stream()
    post_id = post(bob, "#cats")
    withhold(bob, post_id, Withheld.HELD)
    drain_stream()
    assert home(log_in(alice)) == []
    change(Post, keys.post(bob.user_id, post_id), [Post.withheld.remove()])
    drain_stream()
    assert home(log_in(alice)) == [post_id]


def test_unfollowing_takes_them_out_but_for_those_that_come_another_way(
    alice, bob, carol, log_in, drain_stream
):
    for tag in ("cats", "dogs"):
        follow_tag(by=alice, tag=tag)
    drain_stream()
    post(bob, "#cats")
    of_both, of_carol = post(bob, "#cats #dogs"), post(carol, "#cats")
    drain_stream()
    follow(by=alice, user_id=carol.user_id)
    unfollow_tag(by=alice, tag="cats")
    drain_stream()
    assert brought(alice) == {of_both: "dogs", of_carol: ""}
    assert home(log_in(alice)) == [of_carol, of_both]
    unfollow_tag(by=alice, tag="dogs")
    drain_stream()
    assert brought(alice) == {of_carol: ""}


def test_unfollowing_the_author_leaves_what_a_tag_brings(alice, bob, log_in, drain_stream):
    follow_tag(by=alice, tag="cats")
    follow(by=alice, user_id=bob.user_id)
    drain_stream()
    tagged, _ = post(bob, "#cats"), post(bob, "no tag")
    drain_stream()
    unfollow(by=alice, user_id=bob.user_id)
    drain_stream()
    assert brought(alice) == {tagged: "cats"}
    assert home(log_in(alice)) == [tagged]


def test_above_five_hundred_followers_a_job_brings_them(alice, settings, drain_stream):
    settings.FAN_OUT_INLINE, settings.FAN_OUT_STEP = 2, 2
    readers = [person(f"reader{number}") for number in range(5)]
    for reader in readers:
        follow_tag(by=reader, tag="cats")
    drain_stream()
    post_id = post(alice, "#cats")
    drain_stream()
    assert [brought(reader) for reader in readers] == [{post_id: "cats"}] * 5


def test_people_who_are_away_get_them_when_they_return(alice, bob, drain_stream):
    follow_tag(by=alice, tag="cats")
    day = [UserSettings.seen.set("2020-01-01")]
    change(UserSettings, keys.user_settings(alice.user_id), day)
    drain_stream()
    post_id = post(bob, "#cats")
    drain_stream()
    assert brought(alice) == {}
    sign_in(user_id=alice.user_id, browser="tests")
    drain_stream()
    assert brought(alice) == {post_id: "cats"}


def test_what_a_frozen_worker_brings_late_is_settled(alice, bob, drain_stream):
    follow_tag(by=alice, tag="cats")
    drain_stream()
    unfollow_tag(by=alice, tag="cats")
    drain_stream()
    late = entry_of(Pointer(post(bob, "#cats"), bob.user_id, tag="cats"), alice.user_id, ends=None)
    write_batch(puts=[late])
    settle_since(datetime.now(UTC) - timedelta(minutes=1))
    drain_stream()
    assert brought(alice) == {}


def test_handled_twice_a_post_comes_once(alice, bob, drain_stream):
    follow_tag(by=alice, tag="cats")
    post_id = post(bob, "#cats")
    made = reading.get(Post, keys.post(bob.user_id, post_id))
    for _ in range(2):
        fan_out_tagged(Change("INSERT", None, made, "1"), Ledger())
    assert brought(alice) == {post_id: "cats"}


def test_a_page_of_strangers_posts_ends_where_its_keys_make_a_hundred(
    alice, log_in, drain_stream, measure
):
    follow_tag(by=alice, tag="cats")
    drain_stream()
    posts = [post(person(f"author{number}"), "#cats") for number in range(20)]
    drain_stream()
    browser = log_in(alice)
    with measure() as meter:
        first = Html(browser.get("/"))
    assert [call.operation for call in meter.calls] == ["BatchGetItem", "Query", "BatchGetItem"]
    rest = Html(browser.get(first.link("next"))).post_ids()
    assert [*first.post_ids(), *rest] == posts[::-1]
    assert len(first.post_ids()) == 16
