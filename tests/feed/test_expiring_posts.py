"""Posts that end by themselves: gone at their second, with all that hung on them."""

import pytest

from feed.cards.reads import get_post
from feed.home.reads import get_timeline
from feed.likes.writes import like_post
from feed.posts.models import ThreadGate
from feed.posts.reads import Pointer
from feed.posts.writes import LASTS
from feed.publishing.changes import edit_post
from feed.publishing.writes import Part, StoryStays, SubmittedAndDeleted, delete_post
from feed.sharing.writes import CannotQuote, quote, repost
from feed.threads.reads import Stub, get_conversation
from feed.threads.writes import reply
from feed.timelines.local import list_public
from relations.follows.writes import follow
from relations.models import TagUse
from socialsite.table import NotFound, fetch, get, ids, key_of, keys, write_batch
from socialsite.table.connection import client, table_name
from socialsite.table.reading import scan
from socialsite.table.transport.requests import wire
from tests.conftest import post
from tests.feed.answers import answer
from tests.feed.expiring import SECOND, clock_at, end_of, ending_post, posts_shown, remove_expired
from tests.looks import broken_invariants
from tests.web.html import Html


def test_its_author_chooses_in_the_composer_and_the_post_says_when_it_goes(alice, log_in):
    form = {"content": "Not for long", "nonce": "n" * 22, "expires_in": "1d"}
    page = Html(log_in(alice).post("/posts", form, follow=True))
    assert "Disappears in 24 hours" in page.one("article").text
    composer = Html(log_in(alice).get("/posts/new"))
    assert "Replies to it stay." in composer.one("details", class_="part-when").text


@pytest.mark.parametrize("expires_in", LASTS)
def test_a_post_ends_as_long_after_its_publication_as_its_author_chose(alice, expires_in):
    post_id = ending_post(alice, expires_in=expires_in)
    end = ids.time_of(post_id) + LASTS[expires_in]
    assert end - SECOND < end_of(alice, post_id) <= end


def test_what_points_at_it_ends_with_it_and_never_later_than_otherwise(alice, bob, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    post_id = ending_post(alice, "Hello #cats")
    drain_stream()
    end = int(end_of(alice, post_id).timestamp())
    entries = [raw for raw in scan() if raw.get("post_id", {}).get("S") == post_id]
    of_types = {raw["type"]["S"]: raw.get("ttl", {}).get("N") for raw in entries}
    lasting = {"ThreadGate": None, "Submission": of_types["Submission"]}
    ending = ("Post", "LikeCount", "TimelineEntry", "PublicEntry", "TagEntry")
    assert of_types == dict.fromkeys(ending, str(end)) | lasting


def test_it_is_there_until_its_second_and_not_a_moment_longer(alice, bob, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    post_id = ending_post(alice)
    drain_stream()
    end = end_of(alice, post_id)

    def seen() -> list[int]:
        try:
            get_post(post_id, alice.user_id)
            page = 1
        except NotFound:
            page = 0
        return [len(get_timeline(bob).items), len(list_public().items), page, posts_shown(alice)]

    with clock_at(end - SECOND / 1000):
        assert seen() == [1, 1, 1, 1]
    with clock_at(end):
        assert seen() == [0, 0, 0, 0]


@pytest.mark.parametrize("late", ["before the worker", "after the worker"])
def test_what_hung_on_it_goes_with_it(alice, bob, carol, drain_stream, late):
    follow(by=bob, user_id=alice.user_id)
    post_id = ending_post(alice, "Hello #cats @bob")
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    repost(by=carol, post=Pointer(post_id, alice.user_id))
    edit_post(by=alice, post_id=post_id, content="Hello #cats", version=1)
    drain_stream()
    with clock_at(end_of(alice, post_id)):
        if late == "after the worker":
            like_post(by=carol, post_id=post_id, author_id=alice.user_id)
            drain_stream()
        remove_expired()
        if late == "before the worker":
            like_post(by=carol, post_id=post_id, author_id=alice.user_id)
        drain_stream()
        remove_expired()  # the pointer of the repost
        drain_stream()
        assert broken_invariants() == {}
        naming = [raw["type"]["S"] for raw in scan() if post_id in str(raw)]
    assert sorted(set(naming) - {"Submission"}) in (["UserCount"], ["SeenRecord", "UserCount"])


def test_the_worker_may_be_told_twice_of_the_end(alice, bob, drain_stream):
    post_id = ending_post(alice)
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    drain_stream()
    with clock_at(end_of(alice, post_id)):
        gone = remove_expired()
        drain_stream()
        (raw,) = (raw for raw in gone if raw["type"]["S"] == "Post")
        client().put_item(TableName=table_name(), Item=raw)
        client().delete_item(TableName=table_name(), Key=wire(key_of(raw)))
        drain_stream()
        assert broken_invariants() == {}


def test_its_counts_go_too_if_the_table_lets_go_of_it_first(alice, drain_stream):
    post_id = ending_post(alice)
    drain_stream()
    with clock_at(end_of(alice, post_id)):
        write_batch(deletes=[keys.post(alice.user_id, post_id)])
        drain_stream()
        assert keys.like_count(post_id) not in map(key_of, scan())
        assert broken_invariants() == {}


def test_its_replies_stay_for_the_same_people(alice, bob, carol, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    post_id = ending_post(alice, audience="followers")
    first = answer(bob, alice, post_id, "I see")
    drain_stream()
    with clock_at(end_of(alice, post_id)):
        for _ in range(2):
            found = get_conversation(first, bob.user_id, viewer=bob)
            assert found.above[0].stub == Stub.DISAPPEARED
            assert found.why_closed
            with pytest.raises(NotFound):
                get_conversation(first, bob.user_id, viewer=carol)
            remove_expired()
            drain_stream()
        assert broken_invariants() == {}
        delete_post(by=bob, post_id=first)
        drain_stream()
        assert fetch([keys.thread_gate(post_id)]) == {}


def test_the_gate_outlives_the_last_reply_of_a_post_that_is_still_there(alice, bob, drain_stream):
    post_id = ending_post(alice)
    first = answer(bob, alice, post_id, "I see")
    drain_stream()
    delete_post(by=bob, post_id=first)
    drain_stream()
    gate = get(ThreadGate, keys.thread_gate(post_id), consistent=True)
    assert gate.root_ends == int(end_of(alice, post_id).timestamp())
    delete_post(by=alice, post_id=post_id)
    drain_stream()
    assert fetch([keys.thread_gate(post_id)]) == {}
    assert broken_invariants() == {}


def test_at_its_second_it_is_answered_and_quoted_no_more(alice, bob):
    post_id = ending_post(alice)
    where = Pointer(post_id, alice.user_id)
    with clock_at(end_of(alice, post_id)):
        with pytest.raises(NotFound):
            reply(by=bob, to=where, content="Too late", nonce=ids.new_id())
        with pytest.raises(CannotQuote):
            quote(by=bob, post=where, content="Too late", nonce=ids.new_id())


def test_the_same_form_is_the_same_post_until_that_is_gone(alice):
    post_id = ending_post(alice, nonce="form")
    assert ending_post(alice, nonce="form") == post_id
    assert ending_post(alice, nonce="form", expires_in="1d") != post_id
    with clock_at(end_of(alice, post_id)), pytest.raises(SubmittedAndDeleted):
        ending_post(alice, nonce="form")


def test_a_tag_stays_in_use_as_long_as_its_longest_post(alice, drain_stream):
    post(alice, "for good #cats")
    drain_stream()
    until = get(TagUse, keys.tag_use("cats"), consistent=True).ttl
    ending_post(alice, "for an hour #cats #dogs")
    drain_stream()
    assert get(TagUse, keys.tag_use("cats"), consistent=True).ttl == until
    short = ending_post(alice, "for a day #dogs", expires_in="1d")
    drain_stream()
    assert get(TagUse, keys.tag_use("dogs"), consistent=True).ttl == end_of(alice, short)


def test_a_story_stays(alice):
    with pytest.raises(StoryStays):
        ending_post(alice, parts=[Part("And then", "")])
