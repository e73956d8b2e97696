"""Posts that disappear by themselves: published, deleted before their time, and removed by their time to live."""

from feed.likes.writes import like_post
from feed.posts.reads import Pointer
from feed.publishing.changes import change_audience
from feed.publishing.writes import delete_post, publish_post
from feed.threads.writes import reply
from relations.follows.writes import follow
from socialsite.table import keys, query
from socialsite.table.reading import scan
from tests.conftest import person
from tests.faults.looks import assert_all_is_well, counts_of, posts_of, timeline_of
from tests.faults.stories import SMALL_BATCHES, Story, scenario
from tests.feed.scenes import end_now, let_go


@scenario()
def a_post_for_an_hour_is_published() -> Story:
    alice, bob = person("alice"), person("bob")
    follow(by=bob, user_id=alice.user_id)

    def check() -> None:
        assert_all_is_well()
        assert counts_of(alice) == (1, 0, 1)
        assert timeline_of(bob) == posts_of(alice)
        assert len(posts_of(alice)) == 1

    def act() -> str:
        return publish_post(by=alice, content="Hello #cats", nonce="form", expires_in="1h")

    return Story(act, check)


@scenario()
def a_post_for_an_hour_is_shown_to_others_and_deleted() -> Story:
    alice = person("alice")
    one, other = (
        publish_post(by=alice, content="Hello", nonce=nonce, expires_in="1h") for nonce in "12"
    )

    def act() -> None:
        change_audience(by=alice, post_id=one, audience="friends")
        delete_post(by=alice, post_id=other)

    def check() -> None:
        assert_all_is_well()
        assert counts_of(alice) == (0, 0, 0)
        assert posts_of(alice) == [one]

    return Story(act, check)


@scenario(constants=SMALL_BATCHES | {"feed.publishing.stream.CHUNK": 2})
def a_liked_and_answered_post_is_removed_by_its_time_to_live() -> Story:
    alice, bob = person("alice"), person("bob")
    post_id = publish_post(by=alice, content="Hello #cats", nonce="form", expires_in="1h")
    for number in range(3):
        like_post(by=person(f"fan_{number}"), post_id=post_id, author_id=alice.user_id)
    answer = reply(by=bob, to=Pointer(post_id, alice.user_id), content="I see", nonce="form")
    end_now(alice.user_id, post_id)

    def check() -> None:
        assert_all_is_well()
        assert posts_of(alice) == []
        assert posts_of(bob) == [answer]
        left = {raw["type"]["S"] for raw in scan() if post_id in str(raw)}
        assert not left & {"Like", "LikeTrace", "LikeCount", "PublicEntry", "TagEntry"}
        assert list(query(keys.likes(post_id), consistent=True)) == []

    return Story(lambda: let_go(alice.user_id, post_id), check)
