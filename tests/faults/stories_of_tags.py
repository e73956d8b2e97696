"""Posts with tags, and what comes to those who follow a tag."""

from accounts.models import UserSettings
from accounts.sign_in.writes import sign_in
from feed.publishing.writes import delete_post, publish_post
from relations.own_choices.writes import follow_tag, unfollow_tag
from socialsite.table import change, keys
from tests.conftest import person, post
from tests.faults.looks import assert_all_is_well, posts_of, timeline_of
from tests.faults.stories import SMALL_BATCHES, Story, scenario
from tests.tags.tagged import found_tags, under


@scenario(constants=SMALL_BATCHES)
def a_post_comes_under_its_tags_and_home() -> Story:
    alice, bob = person("alice"), person("bob")
    follow_tag(by=bob, tag="cats")

    def check() -> None:
        assert_all_is_well()
        assert len(posts_of(alice)) == 1
        assert under("cats") == under("dogs") == timeline_of(bob) == posts_of(alice)
        assert (found_tags("ca"), found_tags("do")) == (["cats"], ["dogs"])

    return Story(lambda: publish_post(by=alice, content="#cats #dogs", nonce="form"), check)


@scenario(FAN_OUT_INLINE=1, FAN_OUT_STEP=2)
def a_post_comes_to_many_by_a_tag() -> Story:
    alice = person("alice")
    fans = [person(f"fan_{number}") for number in range(3)]
    for fan in fans:
        follow_tag(by=fan, tag="cats")

    def check() -> None:
        assert_all_is_well()
        assert [timeline_of(fan) for fan in fans] == [posts_of(alice)] * 3

    return Story(lambda: publish_post(by=alice, content="#cats", nonce="form"), check)


@scenario(constants=SMALL_BATCHES)
def the_last_post_with_a_tag_is_deleted() -> Story:
    alice = person("alice")
    post_id = post(alice, "#cats #dogs")

    def check() -> None:
        assert_all_is_well()
        assert under("cats") == under("dogs") == found_tags("ca") == found_tags("do") == []

    return Story(lambda: delete_post(by=alice, post_id=post_id), check)


@scenario(constants=SMALL_BATCHES)
def one_tag_is_followed_and_another_one_no_longer() -> Story:
    alice, bob = person("alice"), person("bob")
    follow_tag(by=bob, tag="dogs")
    post(alice, "#dogs")
    wanted = [post(alice, text) for text in ("#cats", "#cats #dogs", "#cats")]

    def act() -> None:
        follow_tag(by=bob, tag="cats")
        unfollow_tag(by=bob, tag="dogs")

    def check() -> None:
        assert_all_is_well()
        assert timeline_of(bob) == wanted[::-1]

    return Story(act, check)


@scenario(constants={"tags.stream_handlers.TAGS_A_STEP": 1})
def tags_bring_their_posts_to_somebody_who_returns() -> Story:
    alice, bob = person("alice"), person("bob")
    for tag in ("cats", "dogs"):
        follow_tag(by=bob, tag=tag)
    change(UserSettings, keys.user_settings(bob.user_id), [UserSettings.seen.set("2020-01-01")])
    posts = [post(alice, text) for text in ("#cats", "#dogs")]

    def check() -> None:
        assert_all_is_well()
        assert timeline_of(bob) == posts[::-1]

    return Story(lambda: sign_in(user_id=bob.user_id, browser="tests"), check)
