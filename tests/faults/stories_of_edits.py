"""Posts are edited, and get other readers: people are told of the difference, moderators have what is held, and nothing
stays."""

from contextlib import suppress

from accounts.people.viewer import VISITOR
from feed.posts.models import Audience
from feed.posts.reads import Pointer
from feed.publishing.changes import AlreadyLimiting, change_audience, edit_post, limit_past_posts
from feed.publishing.reads import get_history
from feed.publishing.writes import delete_post, publish_post
from feed.threads.writes import reply
from moderation.cases.lists import list_cases
from moderation.cases.reads import CaseId
from moderation.models import CaseKind, Queue
from relations.follows.writes import follow
from socialsite.site_settings.site_setup import SiteRules
from socialsite.site_settings.word_filters import Effect, Word
from socialsite.table import keys, query
from tests.conftest import person, post
from tests.faults.looks import (
    assert_all_is_well,
    counts_of,
    entries_of,
    timeline_of,
    told_of,
)
from tests.faults.stories import Story, scenario
from tests.kept import keep_site_rules
from tests.looks import broken_invariants
from tests.relations.scenes import befriend


@scenario()
def a_reply_is_edited_and_mentions_another_person() -> Story:
    alice, bob, carol, dora = (person(one) for one in ("alice", "bob", "carol", "dora"))
    post_id = reply(
        by=bob, to=Pointer(post(alice), alice.user_id), content="I see, @carol", nonce="form"
    )

    def act() -> None:
        edit_post(by=bob, post_id=post_id, content="I see, @dora", version=1)

    def check() -> None:
        assert_all_is_well()
        assert told_of(carol) == []
        assert told_of(dora) == [("m", 1)]
        assert told_of(alice) == [("r", 1)]
        _, versions = get_history(post_id, bob.user_id, viewer=VISITOR)
        assert [str(one.number) for one in versions] == ["2", "1"]

    return Story(act, check)


@scenario()
def an_edited_post_is_deleted() -> Story:
    alice = person("alice")
    post_id = post(alice)
    edit_post(by=alice, post_id=post_id, content="Better", version=1)

    def check() -> None:
        assert_all_is_well()
        assert not list(query(keys.history(post_id)))

    return Story(lambda: delete_post(by=alice, post_id=post_id), check)


@scenario()
def a_post_is_edited_and_waits_for_a_moderator() -> Story:
    alice = person("alice")
    rules = SiteRules(words=(Word("w1", "word", "casino", Effect.HOLD, "spam", ""),))
    post_id = post(alice)

    def act() -> None:
        keep_site_rules(rules)
        edit_post(by=alice, post_id=post_id, content="casino", version=1)

    def check() -> None:
        assert not broken_invariants()
        assert counts_of(alice) == (0, 0, 0)
        waiting = [row.case_id for row in list_cases(keys.queue(Queue.HELD)).items]
        assert waiting == [CaseId(CaseKind.POST, post_id)]

    return Story(act, check)


@scenario(FAN_OUT_INLINE=0)
def a_post_for_friends_becomes_one_for_everyone() -> Story:
    alice, bob, carol = (person(one) for one in ("alice", "bob", "carol"))
    follow(by=bob, user_id=alice.user_id)
    befriend(alice, carol)
    post_id = publish_post(by=alice, content="@bob", nonce="form", audience=Audience.FRIENDS)
    part = reply(by=alice, to=Pointer(post_id, alice.user_id), content="And then", nonce="part")

    def check() -> None:
        assert_all_is_well()
        assert counts_of(alice)[2] == 2
        assert timeline_of(bob) == [part, post_id]
        assert told_of(bob) == [("m", 1)]
        assert entries_of(carol) == []

    def act() -> None:
        change_audience(by=alice, post_id=post_id, audience=Audience.EVERYONE)

    return Story(act, check)


@scenario()
def a_post_for_everyone_becomes_one_for_friends() -> Story:
    alice, bob, carol = (person(one) for one in ("alice", "bob", "carol"))
    follow(by=bob, user_id=alice.user_id)
    befriend(alice, carol)
    post_id = publish_post(by=alice, content="@bob", nonce="form")

    def check() -> None:
        assert_all_is_well()
        assert timeline_of(bob) == told_of(bob) == []
        assert timeline_of(carol) == [post_id]

    def act() -> None:
        change_audience(by=alice, post_id=post_id, audience=Audience.FRIENDS)

    return Story(act, check)


@scenario({"feed.publishing.stream.POSTS_A_STEP": 2})
def all_past_posts_become_ones_for_friends() -> Story:
    alice, bob, carol = (person(one) for one in ("alice", "bob", "carol"))
    follow(by=bob, user_id=alice.user_id)
    befriend(alice, carol)
    posts = [post(alice, f"#tag {number}") for number in range(3)]

    def act() -> None:
        with suppress(AlreadyLimiting):
            limit_past_posts(by=alice, audience=Audience.FRIENDS, count=3)

    def check() -> None:
        assert_all_is_well()
        assert timeline_of(bob) == []
        assert timeline_of(carol) == posts[::-1]

    return Story(act, check)
