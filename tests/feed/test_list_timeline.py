"""The timeline of a list: whose posts are in it, page by page, and what it costs however many people are in it."""

from contextlib import suppress

import pytest
from django.test import Client

from accounts.models import PULLED, UserInfo
from accounts.people.viewer import Viewer
from feed.lists import reads, stream
from feed.posts.models import Audience, Post
from feed.posts.reads import Pointer
from feed.publishing.writes import delete_post, publish_post
from feed.sharing.writes import repost
from feed.timelines.big_authors import Noted, keep_newest
from feed.timelines.models import RecentPosts
from relations.blocks.writes import block, mute
from relations.follows.writes import follow
from relations.lists.writes import add_to_list, create_list, delete_list, take_out_of_list
from relations.models import PersonList
from relations.muted_words.reads import forget_muted_words
from relations.muted_words.words import MutedWord
from relations.muted_words.writes import mute_word
from socialsite.table import (
    Change,
    Unavailable,
    WriteAction,
    change,
    fetch,
    ids,
    keys,
    row,
    transact,
    write_batch,
)
from tests.conftest import HTMX, post
from tests.feed.timelines import authors
from tests.relations.scenes import befriend
from tests.web.html import Html

capacity = pytest.mark.engines("embedded", reason="the others report other capacity")


@pytest.fixture
def bakers(alice, bob, carol) -> str:
    list_id = create_list(by=alice, name="Bakers")
    for one in (bob, carol):
        add_to_list(by=alice, list_id=list_id, user_id=one.user_id)
    return list_id


@pytest.fixture
def shown(alice, log_in, drain_stream, bakers):
    browser = log_in(alice)

    def posts() -> list[str]:
        drain_stream()
        return Html(browser.get(f"/lists/{bakers}")).post_ids()

    return posts


def test_posts_of_before_and_new_ones_are_in_it_newest_first(alice, bob, carol, shown):
    said = [post(bob), post(carol)]
    assert shown() == said[::-1]
    said.append(post(bob))
    post(alice)
    assert shown() == said[::-1]


def test_reposts_are_in_it(alice, bob, mod, shown):
    theirs = post(mod)
    repost(by=bob, post=Pointer(theirs, mod.user_id))
    assert shown() == [theirs]


def test_what_the_reader_may_not_see_is_not_in_it(alice, bob, carol, shown):
    kinds = (Audience.FOLLOWERS, Audience.FRIENDS, Audience.ONLY_ME)
    said = [publish_post(by=bob, content="x", nonce=ids.new_id(), audience=kind) for kind in kinds]
    assert shown() == []
    befriend(alice, bob)
    follow(by=alice, user_id=bob.user_id)
    assert said[0] in shown()
    assert said[2] not in shown()


def test_blocks_and_mutes_act_on_the_next_read_before_the_worker_knows(
    alice, bob, carol, mod, log_in, shown, bakers
):
    theirs = post(mod)
    repost(by=carol, post=Pointer(theirs, mod.user_id))
    post(bob)
    assert len(shown()) == 2
    mute(by=alice, user_id=bob.user_id)
    block(by=alice, user_id=mod.user_id)
    assert Html(log_in(alice).get(f"/lists/{bakers}")).post_ids() == []


def test_who_is_removed_deleted_or_gone_is_not_in_it(alice, bob, carol, log_in, shown, bakers):
    gone = post(bob)
    kept = post(carol)
    delete_post(by=bob, post_id=gone)
    assert shown() == [kept]
    take_out_of_list(owner_id=alice.user_id, list_id=bakers, user_id=carol.user_id)
    assert Html(log_in(alice).get(f"/lists/{bakers}")).post_ids() == []


def kept(author: Viewer) -> bool:
    return bool(fetch([keys.recent_posts(author.user_id)], consistent=True))


def test_newest_posts_are_kept_as_long_as_someone_has_the_author_in_a_list(
    alice, bob, carol, drain_stream, bakers
):
    drain_stream()
    other = create_list(by=carol, name="Theirs")
    add_to_list(by=carol, list_id=other, user_id=bob.user_id)
    take_out_of_list(owner_id=alice.user_id, list_id=bakers, user_id=bob.user_id)
    drain_stream()
    assert kept(bob)
    delete_list(by=carol, list_id=other)
    drain_stream()
    drain_stream()
    assert not kept(bob)


def test_a_further_list_writes_nothing_of_the_author(alice, bob, drain_stream, bakers, requests_of):
    post(bob)
    drain_stream()
    with requests_of() as requests:
        keep_newest(bob.user_id)
    assert requests.operations == ["BatchGetItem", "Query", "BatchGetItem"]
    write_batch(deletes=[keys.recent_posts(bob.user_id)])  # as after a worker that stopped
    keep_newest(bob.user_id)
    assert kept(bob)


def test_of_widely_followed_authors_they_are_kept_for_others(alice, bob, drain_stream, bakers):
    drain_stream()
    change(UserInfo, keys.user_info(bob.user_id), [UserInfo.reading.set(PULLED)])
    take_out_of_list(owner_id=alice.user_id, list_id=bakers, user_id=bob.user_id)
    drain_stream()
    assert kept(bob)


def test_a_worker_that_stops_while_it_forgets_posts_does_so_the_next_time(
    alice, bob, drain_stream, monkeypatch, bakers
):
    drain_stream()
    take_out_of_list(owner_id=alice.user_id, list_id=bakers, user_id=bob.user_id)
    fails = iter([True])

    def fail_once(*actions: WriteAction) -> None:
        if next(fails, False):
            raise Unavailable("stopped")
        transact(*actions)

    monkeypatch.setattr(stream, "transact", fail_once)
    for _ in range(2):
        with suppress(Unavailable):
            drain_stream()
    assert not kept(bob)


def test_of_an_author_who_crosses_over_just_then_the_posts_are_kept(
    alice, bob, drain_stream, monkeypatch, bakers
):
    drain_stream()
    take_out_of_list(owner_id=alice.user_id, list_id=bakers, user_id=bob.user_id)
    key = keys.user_info(bob.user_id)

    def cross_first(*actions: WriteAction) -> None:
        change(UserInfo, key, [UserInfo.reading.set(PULLED)])
        transact(*actions)

    monkeypatch.setattr(stream, "transact", cross_first)
    drain_stream()
    assert kept(bob)
    assert not row(UserInfo, fetch([key], consistent=True)[key]).listed


def fill(alice: Viewer, size: int, *, each: int = 1, audience: str = Audience.EVERYONE) -> str:
    """A list of so many people who wrote something, as services and worker leave it."""
    list_id, people = create_list(by=alice, name="Everyone"), authors(size)
    items = list(people)
    for one in people:
        noted = []
        for _ in range(each):
            post_id = ids.new_id()
            items.append(
                Post.new(author_id=one.user_id, post_id=post_id, content="Hello", audience=audience)
            )
            noted.append(Noted(Pointer(post_id, one.user_id), 0).write())
        items.append(RecentPosts.new(user_id=one.user_id, posts=set(noted), changed=1, since=0))
    write_batch(puts=items)
    members = [PersonList.members.set({one.user_id for one in people})]
    transact(Change(PersonList, keys.person_list(alice.user_id, list_id), members))
    return list_id


def test_pages_go_on_and_back_and_repeat_nothing(alice, log_in):
    list_id = fill(alice, 5, each=9)
    browser = log_in(alice)
    first = Html(browser.get(f"/lists/{list_id}"))
    second = Html(browser.get(first.link("next")))
    third = Html(browser.get(second.link("next")))
    found = first.post_ids() + second.post_ids() + third.post_ids()
    assert found == sorted(found, reverse=True)
    assert len(set(found)) == 45
    assert third.link("next") is None
    assert Html(browser.get(third.link("prev"))).post_ids() == second.post_ids()
    fragment = Html(browser.get(first.link("next"), headers=HTMX))
    assert not fragment.all("html")


def test_the_end_says_that_there_is_more_of_people_who_post_much(alice, log_in):
    said = "A list shows the 20 newest posts"
    browser = log_in(alice)
    full = browser.get(f"/lists/{fill(alice, 1, each=20)}").content.decode()
    assert said in full
    delete_list(by=alice, list_id=fill(alice, 1))
    few = browser.get(f"/lists/{fill(alice, 1, each=3)}").content.decode()
    assert said not in few


def test_a_full_page_has_room_for_muted_words_that_this_process_does_not_have(
    alice, log_in, monkeypatch
):
    list_id = fill(alice, 3)
    mute_word(by=alice, word=MutedWord("election"))
    browser = log_in(alice)

    def posts_with(limit: int) -> int:
        monkeypatch.setattr(reads, "BATCH_GET_LIMIT", limit)
        return len(Html(browser.get(f"/lists/{list_id}")).post_ids())

    posts_with(100)  # from here on this process has them
    full = next(limit for limit in range(4, 100) if posts_with(limit) == 2)
    forget_muted_words()
    assert posts_with(full) == 1


@capacity
@pytest.mark.parametrize(("size", "calls", "units"), [(1, 3, 36), (100, 3, 102), (200, 4, 154)])
@pytest.mark.parametrize("audience", [Audience.EVERYONE, Audience.FOLLOWERS])
def test_a_page_is_at_most_four_calls_for_200_people(
    alice, log_in, measure, size, calls, units, audience
):
    list_id = fill(alice, size, each=1 if size > 1 else 20, audience=audience)
    browser: Client = log_in(alice)
    with measure() as meter:
        page = Html(browser.get(f"/lists/{list_id}"))
    operations = [call.operation for call in meter.calls]
    more = bool(audience) and size <= 100
    assert operations == ["BatchGetItem"] * (calls + more)
    assert len(operations) <= 4
    assert meter.read_units <= units + 40 * more
    assert len(page.post_ids()) >= (0 if audience else 12)
