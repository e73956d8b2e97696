"""All posts of a person are deleted at once: by the worker, each once, as if their author had deleted them one by
one."""

import pytest

from accounts.people.reads import get_user_info
from feed.likes.reads import get_like_count
from feed.likes.writes import like_post
from feed.posts.content_checks import Verdict
from feed.posts.models import Audience, Withheld
from feed.publishing.changes import pin_post
from feed.publishing.writes import publish_post
from feed.saved.writes import save_post
from privacy.old_posts import stream
from privacy.old_posts.reads import Choice, Kept, Kind, get_old_posts
from privacy.old_posts.writes import AlreadyDeleting, stop_deleting
from socialsite.streams.jobs import STEPS
from socialsite.streams.models import JobKind
from socialsite.table import keys, write_batch
from tests.conftest import post
from tests.feed.answers import answer
from tests.iam.recorder import acting_as
from tests.looks import broken_invariants
from tests.privacy.old import delete_all, keeping, old_repost, own
from tests.streams.crowd import jobs
from tests.streams.records import everything, handle_all, unread


@pytest.fixture
def small_steps(monkeypatch) -> None:
    monkeypatch.setattr(stream, "POSTS_A_STEP", 2)


def save(by, post_id: str, author=None) -> None:
    save_post(by=by, post_id=post_id, author_id=(author or by).user_id)


def test_posts_replies_and_reposts_go_with_all_that_belongs_to_them(
    alice, bob, drain_stream, small_steps
):
    theirs = post(bob, "#tea @alice")
    posts = [post(alice, f"#tag @bob {number}") for number in range(5)]
    answered = answer(alice, bob, theirs)
    answer(bob, alice, posts[0])
    old_repost(alice, bob, theirs)
    old_repost(bob, alice, posts[1])
    closed = publish_post(by=alice, content="Sh!", nonce="n", audience=Audience.FRIENDS)
    like_post(by=bob, post_id=posts[2], author_id=alice.user_id)
    like_post(by=alice, post_id=theirs, author_id=bob.user_id)
    drain_stream()
    assert len(own(alice)) == len({*posts, answered, closed, "a repost"})
    delete_all(alice)
    later = post(alice)
    drain_stream()
    assert own(alice) == [later]
    assert get_user_info(alice.user_id).posts == 1
    counts = get_like_count(theirs)
    assert counts == 1
    assert not jobs(JobKind.DELETE_POSTS)
    assert broken_invariants() == {}


@pytest.mark.parametrize("kind", list(Kind))
def test_only_what_was_chosen_goes(alice, bob, drain_stream, kind):
    theirs = post(bob)
    first = {Kind.POSTS: post(alice), Kind.REPLIES: answer(alice, bob, theirs)}
    old_repost(alice, bob, theirs, days=1)
    there = own(alice)
    first[Kind.REPOSTS] = there[0]
    delete_all(alice, Choice(frozenset({kind}), frozenset()))
    drain_stream()
    assert own(alice) == [one for one in there if one != first[kind]]
    assert broken_invariants() == {}


def test_pinned_and_saved_posts_stay_where_that_is_chosen(alice, bob, drain_stream):
    pinned, saved, gone = post(alice), post(alice), post(alice)
    pin_post(by=alice, post_id=pinned)
    save(alice, saved)
    save(bob, gone, author=alice)
    delete_all(alice, keeping(Kept.PINNED, Kept.SAVED))
    drain_stream()
    assert own(alice) == [pinned, saved]
    delete_all(alice, keeping(Kept.SAVED))
    drain_stream()
    assert own(alice) == [saved]
    delete_all(alice)
    drain_stream()
    assert own(alice) == []


@pytest.mark.parametrize("keep", [pin_post, save])
def test_a_post_that_is_kept_while_the_step_is_made_stays(alice, drain_stream, monkeypatch, keep):
    _, kept = post(alice), post(alice)
    drain_stream()
    real, asked = stream.which_go, []

    def keep_in_between(*args, **kwargs):
        going = real(*args, **kwargs)
        if not asked:
            acting_as("web", instead_of="worker")(keep)(by=alice, post_id=kept)
        asked.append(going)
        return going

    monkeypatch.setattr(stream, "which_go", keep_in_between)
    delete_all(alice, keeping(Kept.PINNED, Kept.SAVED))
    drain_stream()
    assert own(alice) == [kept]
    assert len(asked) == 2


def test_a_withheld_post_goes_and_was_not_counted(alice, drain_stream):
    publish_post(by=alice, content="Wait", nonce="n", verdict=Verdict(withheld=Withheld.HELD))
    drain_stream()
    assert get_user_info(alice.user_id).posts == 0
    delete_all(alice, keeping(Kept.PINNED))
    drain_stream()
    assert own(alice) == []
    assert get_user_info(alice.user_id).posts == 0
    assert broken_invariants() == {}


def test_a_step_made_twice_deletes_and_counts_once(alice, drain_stream, small_steps):
    """A worker that died, or was frozen, makes its step again when all is done."""
    for _ in range(5):
        post(alice)
    drain_stream()
    delete_all(alice)
    records = unread()
    handle_all(records)
    done = everything()
    assert len(own(alice)) == 3
    handle_all(records)
    assert everything() == done
    drain_stream()
    assert own(alice) == []
    assert get_old_posts(alice).deleted == 5
    assert get_user_info(alice.user_id).posts == 0


def test_what_was_stopped_goes_no_further(alice, drain_stream, small_steps):
    posts = [post(alice) for _ in range(5)]
    drain_stream()
    delete_all(alice)
    first = unread()
    handle_all(first)
    stop_deleting(by=alice)
    stop_deleting(by=alice)
    drain_stream()
    handle_all(first)
    assert own(alice) == posts[2:]
    assert (get_old_posts(alice).deleted, get_old_posts(alice).is_running) == (2, False)
    assert broken_invariants() == {}


def test_it_is_under_way_once(alice):
    delete_all(alice, keeping(Kept.PINNED))
    with pytest.raises(AlreadyDeleting):
        delete_all(alice)
    (job,) = jobs(JobKind.DELETE_POSTS)
    assert Kept.PINNED in job.chosen


def test_a_person_who_is_erased_meanwhile_ends_it(alice, drain_stream):
    post(alice)
    delete_all(alice)
    write_batch(deletes=[keys.old_posts_wish(alice.user_id)])
    drain_stream()
    assert len(own(alice)) == 1
    assert not jobs(JobKind.DELETE_POSTS)


def test_many_kept_posts_are_walked_in_few_steps(alice, drain_stream, monkeypatch, small_steps):
    monkeypatch.setattr(stream, "PAGES_A_STEP", 3)
    for _ in range(13):
        post(alice)
    drain_stream()
    delete_all(alice, Choice(frozenset({Kind.REPLIES}), frozenset()))
    taken = []
    real = STEPS[JobKind.DELETE_POSTS]
    monkeypatch.setitem(STEPS, JobKind.DELETE_POSTS, lambda job: taken.append(job) or real(job))
    drain_stream()
    assert len(taken) == 3
    assert len(own(alice)) == 13
