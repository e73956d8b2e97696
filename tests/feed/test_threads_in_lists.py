"""Threads in lists and at home: long ones, muted people in them, replies, and stories."""

import pytest
from django.test import Client

from feed.cards.reads import get_post
from feed.home.reads import get_timeline
from feed.posts.models import Audience, LikeCount, Post
from feed.posts.reads import Pointer
from feed.publishing.changes import change_audience
from feed.publishing.writes import Part, delete_post, publish_post
from feed.sharing.writes import repost
from feed.threads.reads import Branch, Conversation, get_conversation
from feed.threads.writes import reply
from operations.reconcile import reconcile_page
from relations.blocks.writes import block, mute, unmute
from relations.follows.writes import follow, unfollow
from relations.own_choices.writes import favourite
from socialsite.streams.models import JobKind
from socialsite.streams.worker import Worker
from socialsite.table import change, ids, keys, query, row
from socialsite.table.reading import scan
from tests.conftest import person, post
from tests.faults.looks import timeline_of
from tests.feed.scenes import answer
from tests.looks import broken_invariants
from tests.moderation.cases import withhold
from tests.privacy.lives import erase
from tests.relations.scenes import befriend
from tests.streams.crowd import crowd, gather, home, jobs, last_here, returning
from tests.web.html import Html

REST = "Show the rest of this conversation"


def shown(found: Conversation) -> list[str]:
    """The ids of the replies on a page, from top to bottom."""
    seen: list[str] = []
    waiting: list[Branch] = list(found.branches)
    while waiting:
        branch = waiting.pop(0)
        seen += [node.post_id for node in branch.chain]
        waiting = [*branch.branches, *waiting]
    return seen


def pages(root: str, author, viewer, *, back_from: str | None = None) -> list[list[str]]:
    """The replies on each page, forwards from the first one, or back from a later one to the first."""
    read, cursor = [], back_from
    while True:
        found = get_conversation(root, author.user_id, viewer=viewer, cursor=cursor)
        read.append(shown(found))
        cursor = found.previous_cursor if back_from else found.next_cursor
        if not cursor:
            return read[::-1] if back_from else read


def last_page(root: str, author) -> Conversation:
    found = get_conversation(root, author.user_id, viewer=author)
    while found.next_cursor:
        found = get_conversation(root, author.user_id, viewer=author, cursor=found.next_cursor)
    return found


def talk(root: str, author, people: list, length: int) -> list[str]:
    """A branch in which each answers the one before."""
    written, to = [root], author
    for number in range(length):
        by = people[number % len(people)]
        written.append(answer(by, to, written[-1]))
        to = by
    return written[1:]


@pytest.mark.parametrize("people", [2, 40], ids=["of two people", "of forty people"])
def test_a_thread_of_200_replies_is_read_both_ways_and_loses_none(alice, people, measure):
    root = post(alice)
    fans = [person(f"fan_{number}") for number in range(people)]
    replies = [answer(fans[number % people], alice, root) for number in range(200)]
    back_from = last_page(root, alice).previous_cursor
    for way in (None, back_from):
        with measure() as meter:
            read = pages(root, alice, alice, back_from=way)
        beyond = shown(last_page(root, alice)) if way else []
        assert [one for page in read for one in page] + beyond == replies
        assert max(map(len, read)) <= 50
        assert min(map(len, read[1:-1])) >= 20
        operations = [call.operation for call in meter.calls]
        assert operations == ["BatchGetItem", "Query", "BatchGetItem", "Query"] * len(read)


def test_a_talk_of_two_that_is_alone_goes_on_from_page_to_page(alice, bob):
    root = post(alice)
    replies = talk(root, alice, [bob, alice], 36)
    for number in range(50):  # at the greatest depth they stand beside each other
        replies.append(answer(bob if number % 2 else alice, alice, replies[35]))
    assert pages(root, alice, alice) == [replies[:50], replies[50:]]
    back_from = last_page(root, alice).previous_cursor
    assert pages(root, alice, alice, back_from=back_from) == [replies[:50]]


def test_pages_begin_and_end_with_whole_branches(alice, bob, carol):
    root = post(alice)
    branches = [talk(root, alice, [bob, carol], length) for length in [7, 7, 7, 60, *[7] * 9]]
    whole = [branch[:10] for branch in branches]
    onwards = pages(root, alice, alice)
    assert [one for page in onwards for one in page] == [one for branch in whole for one in branch]
    back_from = last_page(root, alice).previous_cursor
    back = pages(root, alice, alice, back_from=back_from)
    assert [one for page in back for one in page] == [one for page in onwards[:-1] for one in page]
    beginnings = {branch[0] for branch in branches}
    for page in [*onwards, *back]:
        assert page[0] in beginnings


def test_earlier_replies_are_a_link_that_leads_back(alice, bob):
    root = post(alice)
    replies = [answer(bob, alice, root) for _ in range(60)]
    first = Html(Client().get(f"/@alice/posts/{root}"))
    assert first.link("prev") is None
    later = Html(Client().get(first.link("next")))
    assert later.post_ids() == [root, *replies[50:]]
    back = Html(Client().get(later.link("prev")))
    assert back.post_ids() == [root, *replies[:50]]
    assert Html(Client().get(back.link("next"))).post_ids() == later.post_ids()


def test_a_loud_branch_leaves_room_for_the_next_and_leads_to_its_rest(alice, bob, carol):
    root = post(alice)
    loud = talk(root, alice, [bob], 30)
    quiet = answer(carol, alice, root)
    found = get_conversation(root, alice.user_id, viewer=alice)
    assert shown(found) == [*loud[:10], quiet]
    assert found.branches[0].chain[-1].more_url == f"/@bob/posts/{loud[0]}"


def test_the_rest_of_a_loud_branch_is_found_though_its_beginning_is_gone(alice, bob, carol):
    root = post(alice)
    loud = talk(root, alice, [bob], 30)
    quiet = answer(carol, alice, root)
    delete_post(by=bob, post_id=loud[0])
    first = Html(Client().get(f"/@alice/posts/{root}"))
    (rest,) = [link["href"] for link in first.all("a") if link.text == REST]
    assert Html(Client().get(rest)).post_ids() == [root, *loud[10:], quiet]


# What muted people write in conversations is covered, and can be read all the same.


def test_what_muted_people_reply_is_behind_a_line_that_opens(alice, bob, carol, log_in):
    root = post(alice)
    first = answer(bob, alice, root, "Loud words")
    second = answer(carol, bob, first)
    mute(by=alice, user_id=bob.user_id)
    for path in (f"/@alice/posts/{root}", f"/@carol/posts/{second}"):
        page = Html(log_in(alice).get(path))
        (covered,) = page.all("details", class_="set-aside")
        assert "open" not in covered.attributes
        assert covered.text.startswith("You’ve muted @bob")
        assert "Loud words" in covered.text
        assert page.post_ids() == [root, first, second]
        assert not Html(log_in(carol).get(path)).all("details", class_="set-aside")
    unmute(by=alice, user_id=bob.user_id)
    assert not Html(log_in(alice).get(f"/@alice/posts/{root}")).all("details", class_="set-aside")


# Replies in timelines: a reader gets those between two people whom they follow, and everything of a story.


@pytest.fixture
def reader(alice, bob):
    """Somebody who follows both."""
    reader = person("reader")
    for one in (alice, bob):
        follow(by=reader, user_id=one.user_id)
    return reader


def test_a_reply_reaches_those_who_follow_both(alice, bob, carol, reader, drain_stream):
    follow(by=carol, user_id=bob.user_id)
    drain_stream()
    root = post(alice)
    first = answer(bob, alice, root)
    drain_stream()
    assert home(reader) == [first, root]
    assert home(carol) == []
    assert home(bob) == [first]
    assert home(alice) == [root]
    assert not list(broken_invariants())


def test_a_reply_reaches_the_person_answered_if_they_follow(alice, bob, drain_stream):
    follow(by=alice, user_id=bob.user_id)
    drain_stream()
    root = post(alice)
    first = answer(bob, alice, root)
    drain_stream()
    assert home(alice) == [first, root]


def test_a_story_reaches_all_followers(alice, carol, drain_stream):
    follow(by=carol, user_id=alice.user_id)
    drain_stream()
    root = post(alice)
    part = answer(alice, alice, root, "And then")
    drain_stream()
    assert home(carol) == [part, root]


def test_a_new_follower_gets_posts_and_stories_but_no_replies_to_others(
    alice, bob, carol, drain_stream
):
    root = post(alice)
    own = post(bob)
    part = answer(bob, bob, own)
    answer(bob, alice, root)
    follow(by=carol, user_id=bob.user_id)
    drain_stream()
    assert home(carol) == [part, own]
    unfollow(by=carol, user_id=bob.user_id)
    drain_stream()
    assert home(carol) == []


def test_a_reply_to_somebody_muted_does_not_come(alice, bob, reader, drain_stream):
    mute(by=reader, user_id=alice.user_id)
    drain_stream()
    root = post(alice)
    answer(bob, alice, root)
    drain_stream()
    assert home(reader) == []


@pytest.mark.parametrize("hides", ["mute", "block", "blocked"])
@pytest.mark.parametrize("repeated", [False, True])
def test_a_reply_leaves_when_the_one_answered_is_muted_or_blocked(
    alice, bob, reader, drain_stream, hides, repeated
):
    drain_stream()
    root = post(alice)
    reply = answer(bob, alice, root)
    if repeated:
        repost(by=bob, post=Pointer(reply, bob.user_id, root, alice.user_id, alice.user_id))
    drain_stream()
    assert len(home(reader)) == 2
    match hides:
        case "mute":
            mute(by=reader, user_id=alice.user_id)
        case "block":
            block(by=reader, user_id=alice.user_id)
        case "blocked":
            block(by=alice, user_id=reader.user_id)
    assert home(reader) == []
    drain_stream()
    assert home(reader) == []
    last_here(reader, "2099-01-01")  # on another day nobody is named as hidden
    drain_stream()
    assert home(reader) == []


@pytest.mark.parametrize("hides", [mute, block])
def test_ones_own_reply_stays_and_names_nobody_who_is_blocked(alice, reader, drain_stream, hides):
    reply = answer(reader, alice, post(alice))
    drain_stream()
    hides(by=reader, user_id=alice.user_id)
    for day in ("", "2099-01-01"):
        if day:
            last_here(reader, day)
        (card,) = get_timeline(returning(reader)).items
        assert card.post_id == reply
        assert bool(card.answered) == (hides is mute)
        drain_stream()


def test_a_reply_in_a_thread_for_some_is_for_those_alone(alice, bob, reader, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    root = publish_post(by=alice, content="Us", nonce="n", audience=Audience.FOLLOWERS)
    first = answer(bob, alice, root)
    drain_stream()
    assert home(reader) == [first, root]
    unfollow(by=reader, user_id=alice.user_id)
    assert home(reader) == [] or home(reader) == [first]
    delete_post(by=alice, post_id=root)
    drain_stream()
    assert home(reader) == []


def test_a_reply_between_two_with_many_followers_comes_step_by_step(
    alice, bob, settings, drain_stream
):
    settings.FAN_OUT_INLINE, settings.FAN_OUT_STEP = 3, 4
    readers = crowd(10)
    gather(readers, alice)
    gather(readers[:7], bob)
    drain_stream()
    root = post(alice)
    first = answer(bob, alice, root)
    drain_stream()
    assert not jobs(JobKind.FAN_OUT_REPLY)
    assert [first in home(one) for one in readers] == [True] * 7 + [False] * 3
    assert not list(broken_invariants())


def test_a_reply_between_two_whom_very_many_follow_comes_into_no_timeline(
    alice, bob, settings, reader, drain_stream
):
    drain_stream()
    root = post(alice)
    drain_stream()
    settings.PULL_ABOVE = 0
    first = answer(bob, alice, root)
    drain_stream()
    assert first not in home(reader)


def test_a_block_takes_the_name_of_the_person_answered_away(alice, bob, carol, drain_stream):
    follow(by=carol, user_id=bob.user_id)
    root = post(alice)
    first = answer(bob, alice, root)
    block(by=alice, user_id=carol.user_id)
    drain_stream()
    assert get_post(first, bob.user_id, viewer=carol).answered is None


# A story stands in lists as one card: its first post, with the number of the others, which its page shows in
# order.

TEXTS = ["Once upon a time", "there was a table", "with one partition key", "and a sort key"]


def tell(author, **more) -> str:
    first, *others = TEXTS
    parts = [Part(text) for text in others]
    return publish_post(by=author, content=first, nonce=ids.new_id(), parts=parts, **more)


def posts_of(author) -> list[str]:
    """All posts of a story by someone who wrote nothing else, in order."""
    return [row(Post, raw).post_id for raw in query(keys.posts(author.user_id), consistent=True)]


def said(page: Html) -> list[str]:
    return [one.text for one in page.all("div", class_="post-text")]


@pytest.mark.parametrize(
    ("reader", "address"),
    [
        *(("alice", address) for address in ("/", "/local", "/@alice")),
        *(("bob", address) for address in ("/", "/local", "/@alice", "/favourites")),
    ],
)
def test_it_is_one_card_that_says_how_many_more(alice, bob, log_in, drain_stream, reader, address):
    follow(by=bob, user_id=alice.user_id)
    favourite(by=bob, user_id=alice.user_id)
    first = tell(alice)
    drain_stream()
    page = Html(log_in({"alice": alice, "bob": bob}[reader]).get(address))
    assert page.post_ids() == [first]
    link = page.one("a", class_="post-story")
    assert (link.text, link["href"]) == ("3 more in this story", f"/@alice/posts/{first}")
    assert said(Html(Client().get(str(link["href"])))) == TEXTS
    assert not broken_invariants()


def test_a_new_follower_a_friend_and_a_reader_who_returns_get_the_first_post_alone(
    alice, bob, carol, drain_stream
):
    first = tell(alice)
    for_friends = tell(alice, audience=Audience.FRIENDS)
    follow(by=bob, user_id=alice.user_id)
    befriend(alice, carol)
    drain_stream()
    assert timeline_of(bob) == [first]
    assert timeline_of(carol) == [for_friends]
    assert not broken_invariants()


def test_it_is_one_new_post_on_the_pill(alice, bob, log_in, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    browser = log_in(bob)
    pulse = str(Html(browser.get("/")).one("div", id="pulse")["hx-get"])
    tell(alice)
    drain_stream()
    answer = browser.get(pulse, headers={"HX-Request": "true"}).content.decode()
    assert "1 new post" in answer


def test_a_feed_of_atom_has_it_once(alice):
    tell(alice)
    assert Client().get("/@alice/feed.atom").content.decode().count("<entry>") == 1


def test_whoever_reposts_it_brings_all_of_it(alice, bob, carol, log_in, drain_stream):
    follow(by=carol, user_id=bob.user_id)
    repost(by=bob, post=Pointer(tell(alice), alice.user_id))
    drain_stream()
    page = Html(log_in(carol).get("/"))
    assert page.one("a", class_="post-story").text == "3 more in this story"


def test_the_number_is_of_those_that_readers_can_see(alice, bob, drain_stream):
    first = tell(alice)
    _first, second, third, _fourth = posts_of(alice)
    drain_stream()
    delete_post(by=alice, post_id=second)
    withhold(alice, third)
    drain_stream()
    (card,) = get_timeline(alice).items
    assert (card.post_id, card.part_count) == (first, 1)


def test_what_its_author_adds_later_is_a_post_of_its_own(alice, bob, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    first = tell(alice)
    last = posts_of(alice)[-1]
    later = reply(by=alice, to=Pointer(last, alice.user_id), content="The end", nonce=ids.new_id())
    drain_stream()
    assert timeline_of(bob) == [later, first]
    assert next(one for one in get_timeline(bob).items if one.post_id == first).part_count == 3
    assert not broken_invariants()


def test_without_its_first_post_the_others_stand_for_themselves(alice, bob, log_in, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    first = tell(alice)
    rest = posts_of(alice)[1:]
    drain_stream()
    delete_post(by=alice, post_id=first)
    drain_stream()
    assert Html(log_in(bob).get("/@alice")).post_ids() == rest[::-1]
    assert Html(log_in(bob).get("/")).post_ids() == rest[::-1]
    assert not broken_invariants()


def test_an_author_who_leaves_takes_all_of_it_along(alice, bob):
    worker = Worker()
    follow(by=bob, user_id=alice.user_id)
    tell(alice)
    worker.drain()
    erase(alice, worker)
    assert posts_of(alice) == []
    assert not broken_invariants()


def test_readers_of_another_audience_get_the_first_post_alone(alice, bob, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    first = tell(alice, audience=Audience.ONLY_ME)
    change_audience(by=alice, post_id=first, audience=Audience.EVERYONE)
    drain_stream()
    assert timeline_of(bob) == [first]
    assert not broken_invariants()


def test_a_story_from_before_stays_as_it_was(alice, bob, drain_stream):
    """Its posts are marked as nothing, and were brought one by one."""
    follow(by=bob, user_id=alice.user_id)
    first = post(alice, TEXTS[0])
    second = reply(by=alice, to=Pointer(first, alice.user_id), content="Two", nonce=ids.new_id())
    drain_stream()
    assert timeline_of(bob) == [second, first]


def test_a_wrong_number_is_mended(alice, drain_stream):
    first = tell(alice)
    drain_stream()
    change(LikeCount, keys.like_count(first), [LikeCount.parts.set(9)])
    assert broken_invariants()
    list(reconcile_page(list(scan()), begun=ids.new_id()))
    drain_stream()
    assert not broken_invariants()
