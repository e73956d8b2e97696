"""The short list of a widely followed author's newest posts, which the worker keeps for the home pages of very many."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import CROSSING, PULLED, UserInfo
from accounts.people.viewer import Viewer
from feed.posts.models import Audience
from feed.posts.reads import Pointer
from feed.publishing.changes import change_audience
from feed.publishing.writes import delete_post, publish_post
from feed.sharing.writes import repost
from feed.timelines import big_authors
from feed.timelines.big_authors import KEPT, NewestPosts, Noted, mend_recent, note_recent, recent_of
from socialsite.clock import utc_now
from socialsite.table import (
    MOST_BYTES,
    Conflict,
    Erase,
    change,
    fetch,
    ids,
    item_size,
    keys,
    transact,
)
from tests.conftest import post
from tests.feed.answers import answer
from tests.looks import broken_invariants


@pytest.fixture
def wide(alice) -> Viewer:
    """Alice, whose posts are pulled."""
    read_as(alice, PULLED)
    return alice


def read_as(author: Viewer, state: str) -> None:
    change(UserInfo, keys.user_info(author.user_id), [UserInfo.reading.set(state)])


def list_of(author: Viewer) -> NewestPosts:
    key = keys.recent_posts(author.user_id)
    return recent_of(fetch([key], consistent=True)[key])


def ids_of(author: Viewer) -> list[str]:
    return [one.pointer.post_id for one in list_of(author).posts]


def post_for(author: Viewer, audience: str) -> str:
    return publish_post(by=author, content="Hello", nonce=ids.new_id(), audience=audience)


def lacks_list(author: Viewer) -> bool:
    return not fetch([keys.recent_posts(author.user_id)], consistent=True)


def test_only_widely_followed_authors_have_a_list(alice, drain_stream):
    post(alice)
    drain_stream()
    assert lacks_list(alice)


@pytest.mark.parametrize("state", [CROSSING, PULLED])
def test_each_post_comes_into_the_list(alice, state, drain_stream):
    read_as(alice, state)
    posts = [post(alice) for _ in range(3)]
    drain_stream()
    assert ids_of(alice) == posts


def test_the_list_begins_with_what_was_there_before(alice, drain_stream):
    posts = [post(alice) for _ in range(3)]
    drain_stream()
    read_as(alice, PULLED)
    posts.append(post(alice))
    drain_stream()
    assert ids_of(alice) == posts
    made = [int(ids.time_of(one).timestamp() * 1000) for one in posts]
    assert [one.at for one in list_of(alice).posts][:3] == made[:3]
    assert list_of(alice).changed > made[3]


def test_the_newest_stay_and_the_list_says_what_it_lacks(wide, drain_stream):
    posts = [post(wide)]
    drain_stream()
    assert list_of(wide).since == 0
    posts += [post(wide) for _ in range(KEPT + 2)]
    drain_stream()
    assert ids_of(wide) == posts[3:]
    noted = [one.at for one in list_of(wide).posts]
    assert list_of(wide).since < noted[0]
    assert list_of(wide).since >= int(ids.time_of(posts[2]).timestamp() * 1000)


def test_each_change_has_a_later_moment(wide, drain_stream):
    seen = []
    for _ in range(4):
        post(wide)
        drain_stream()
        seen.append(list_of(wide).changed)
    assert seen == sorted(set(seen))


def test_a_post_noted_twice_changes_nothing(wide, drain_stream):
    post_id = post(wide)
    drain_stream()
    before = list_of(wide)
    note_recent(Pointer(post_id, wide.user_id), ends=None)
    assert list_of(wide) == before


def test_of_two_at_once_none_loses_a_post(wide, monkeypatch):
    mend_recent(wide.user_id)
    first, second = (Pointer(ids.new_id(), wide.user_id) for _ in range(2))

    def interrupted(*read: Any) -> NewestPosts:
        monkeypatch.undo()
        note_recent(second, ends=None)
        return noting(*read)

    noting = big_authors._with
    monkeypatch.setattr(big_authors, "_with", interrupted)
    note_recent(first, ends=None)
    assert ids_of(wide) == [first.post_id, second.post_id]


def test_posts_for_friends_and_answers_to_others_stay_out(wide, bob, drain_stream):
    answered = post(bob)
    post_for(wide, Audience.FRIENDS)
    answer(wide, bob, answered)
    followers = post_for(wide, Audience.FOLLOWERS)
    drain_stream()
    assert ids_of(wide) == [followers]


def test_a_post_that_is_for_followers_now_comes_in_late(wide, drain_stream):
    early = post_for(wide, Audience.FRIENDS)
    later = post(wide)
    drain_stream()
    assert ids_of(wide) == [later]
    change_audience(by=wide, post_id=early, audience=Audience.EVERYONE)
    drain_stream()
    early_noted, later_noted = list_of(wide).posts
    assert [early_noted.pointer.post_id, later_noted.pointer.post_id] == [early, later]
    assert early_noted.at == list_of(wide).changed > later_noted.at


def test_a_late_one_for_which_there_is_no_place_is_said_to_lack(wide, drain_stream):
    early = post_for(wide, Audience.FRIENDS)
    for _ in range(KEPT):
        post(wide)
    drain_stream()
    change_audience(by=wide, post_id=early, audience=Audience.EVERYONE)
    drain_stream()
    assert early not in ids_of(wide)
    assert list_of(wide).since == list_of(wide).changed


def test_a_repost_is_in_the_list_with_what_it_shows(wide, bob, drain_stream):
    shown = post(bob)
    repost(by=wide, post=Pointer(shown, bob.user_id))
    drain_stream()
    (noted,) = list_of(wide).posts
    assert (noted.pointer.repost_of, noted.pointer.repost_of_author_id) == (shown, bob.user_id)


def test_a_post_is_written_and_read_as_it_was():
    end = utc_now().replace(microsecond=0) + timedelta(hours=3)
    for noted in (
        Noted(Pointer("P", "A"), 12, end),
        Noted(Pointer("P", "A", quote_of="Q", quote_of_author_id="B"), 3),
        Noted(Pointer("P", "A", "R", "B", "C"), 5),
    ):
        assert Noted.read(noted.write(), "A") == noted


def test_the_list_is_small_even_of_stories_that_quote(wide):
    some = ids.new_id()
    for _ in range(KEPT):
        story = Pointer(ids.new_id(), wide.user_id, some, some, some, "", "", some, some)
        note_recent(story, ends=utc_now())
    key = keys.recent_posts(wide.user_id)
    raw = fetch([key], consistent=True)[key]
    assert len(recent_of(raw).posts) == KEPT
    assert item_size(raw) < MOST_BYTES


def test_reconcile_mends_what_was_lost_and_what_was_never_made(wide, drain_stream):
    posts = [post(wide) for _ in range(2)]
    mend_recent(wide.user_id)
    posts.append(post(wide))
    assert ids_of(wide) == posts[:2]
    assert broken_invariants() != {}
    mend_recent(wide.user_id)
    assert ids_of(wide) == posts
    mend_recent(wide.user_id)
    drain_stream()
    assert broken_invariants() == {}


def test_a_list_that_is_gone_is_missed(wide, drain_stream):
    post(wide)
    drain_stream()
    assert broken_invariants() == {}
    transact(Erase(keys.recent_posts(wide.user_id)))
    assert broken_invariants() != {}


def test_a_deleted_post_may_stay_in_the_list(wide, drain_stream):
    kept, gone = post(wide), post(wide)
    drain_stream()
    delete_post(by=wide, post_id=gone)
    drain_stream()
    assert ids_of(wide) == [kept, gone]
    assert broken_invariants() == {}


def test_a_list_that_others_keep_changing_is_said_so(wide, monkeypatch):
    monkeypatch.setattr("feed.timelines.big_authors.TRIES", 0)
    with pytest.raises(Conflict):
        note_recent(Pointer(ids.new_id(), wide.user_id), ends=None)
