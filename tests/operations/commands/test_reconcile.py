"""`manage.py reconcile`: everything is counted anew after stream records were lost."""

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from accounts.models import PULLED, UserCount, UserInfo
from accounts.profile.writes import edit_profile
from feed.likes.reads import SHARDS, like_partitions
from feed.likes.writes import like_post
from feed.posts.models import LikeCount, Withheld
from feed.publishing.writes import publish_post
from relations.directory import search_people
from relations.follows.writes import follow
from relations.friends.writes import end_friendship
from socialsite.streams.models import JobKind
from socialsite.streams.status import read_worker_status
from socialsite.streams.worker import Worker, bulk_load
from socialsite.table import change, ids, keys, query, write_batch
from tests.conftest import person, post
from tests.looks import broken_invariants
from tests.moderation.restricting import withhold
from tests.relations.relations import befriend
from tests.streams.crowd import crowd, gather, home, jobs, reached, returning


@pytest.fixture
def liked(alice, bob, carol) -> str:
    """A post of Alice that Bob and Carol like; Bob follows her. All is applied."""
    follow(by=bob, user_id=alice.user_id)
    post_id = post(alice)
    for fan in (bob, carol):
        like_post(by=fan, post_id=post_id, author_id=alice.user_id)
    applied()
    return post_id


def applied() -> None:
    worker = Worker()
    worker.drain()
    worker.give_up()


def reconciled(capsys) -> list[str]:
    call_command("reconcile")
    return capsys.readouterr().out.splitlines()


def test_a_whole_table_has_nothing_to_mend(liked, capsys):
    [summary] = reconciled(capsys)
    assert "items compared, 0 counts set right." in summary
    assert not list(broken_invariants())


@pytest.mark.parametrize(
    "attribute",
    [
        UserCount.followers,
        UserCount.following,
        UserCount.posts,
        UserCount.closed,
        UserCount.friends,
    ],
)
def test_a_wrong_count_of_a_person_is_set_right_and_named(liked, alice, capsys, attribute):
    change(UserCount, keys.user_count(alice.user_id), [attribute.set(77)])
    line, summary = reconciled(capsys)
    assert alice.user_id in line
    assert "77 →" in line
    assert "items compared, 1 counts set right." in summary
    assert not list(broken_invariants())


def test_friends_are_counted_where_the_count_is_missing_and_those_that_ended_are_not(
    liked, alice, bob, carol, capsys
):
    for friend in (bob, carol):
        befriend(alice, friend)
    end_friendship(by=alice, user_id=carol.user_id)
    change(UserCount, keys.user_count(alice.user_id), [UserCount.friends.remove()])
    line, _ = reconciled(capsys)
    assert line.endswith("friends: 0 → 1")
    assert not list(broken_invariants())


def test_closed_posts_are_counted_where_the_count_is_missing_and_withheld_ones_are_not(
    liked, alice, capsys
):
    for_some = [publish_post(by=alice, content="x", nonce=n, audience="friends") for n in "ab"]
    withhold(alice, for_some[0], Withheld.HIDDEN)
    alices = keys.user_count(alice.user_id)
    change(UserCount, alices, [UserCount.closed.remove(), UserCount.posts.add(-1)])
    line, _ = reconciled(capsys)
    assert line.endswith("closed: 0 → 1")
    assert not list(broken_invariants())


def test_a_wrong_like_count_is_set_right(liked, capsys):
    change(LikeCount, keys.like_count(liked), [LikeCount.likes.set(0)])
    assert len(reconciled(capsys)) == 2
    assert not list(broken_invariants())


def test_likes_whose_records_were_lost_are_counted(liked, alice, capsys):
    fans = crowd(3)
    applied()
    with bulk_load():
        for fan in fans:
            like_post(by=fan, post_id=liked, author_id=alice.user_id)
    assert list(broken_invariants()) == ["like counts equal likes"]
    reconciled(capsys)
    assert not list(broken_invariants())


def test_edges_that_are_gone_are_no_longer_counted(liked, alice, bob, capsys):
    with bulk_load():
        edges = (
            keys.following(bob.user_id, alice.user_id),
            keys.follower(alice.user_id, bob.user_id),
        )
        write_batch(deletes=edges)
    assert len(list(broken_invariants())) == 3  # the counts of both, and the timeline
    reconciled(capsys)
    assert not list(broken_invariants())


def test_it_counts_over_all_shards_of_a_spread_post(alice, capsys):
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.reading.set(PULLED)])
    post_id = publish_post(by=returning(alice), content="Hello", nonce=ids.new_id())
    for fan in crowd(9):
        like_post(by=fan, post_id=post_id, author_id=alice.user_id, shards=SHARDS)
    applied()
    change(LikeCount, keys.like_count(post_id), [LikeCount.likes.set(2)])
    reconciled(capsys)
    assert not list(broken_invariants())


@pytest.mark.parametrize("shards", [0, SHARDS])
def test_likes_of_a_post_that_is_gone_are_cleared(alice, capsys, shards):
    if shards:
        change(UserInfo, keys.user_info(alice.user_id), [UserInfo.reading.set(PULLED)])
    author = returning(alice)
    post_id = publish_post(by=author, content="Hello", nonce=ids.new_id())
    fans = crowd(5)
    for fan in fans:
        like_post(by=fan, post_id=post_id, author_id=alice.user_id, shards=shards)
    applied()
    with bulk_load():
        gone = keys.post(alice.user_id, post_id), keys.like_count(post_id)
        write_batch(deletes=gone)
    reconciled(capsys)
    assert not any(list(query(part)) for part in like_partitions(post_id, shards))
    assert not any(list(query(keys.like_trace(fan.user_id, "").pk)) for fan in fans)
    assert not list(broken_invariants())


def test_names_whose_records_were_lost_are_listed_and_old_ones_are_not(liked, alice, capsys):
    with bulk_load():
        edit_profile(by=alice, name="Ada", bio="", location="")
        person("dora", "Dora Díaz")
    assert list(broken_invariants()) == [
        "directory entries are what the infos say",
        "staff find everyone among the new people, and the restricted among the restricted",
    ]
    reconciled(capsys)
    assert not list(broken_invariants())
    for text, handles in (("ada", ["alice"]), ("diaz", ["dora"])):
        assert [found.handle for found in search_people(text).items] == handles


def test_posts_whose_records_were_lost_reach_their_followers(liked, alice, bob, capsys):
    with bulk_load():
        lost = post(alice)
    assert lost not in home(bob)
    reconciled(capsys)
    assert home(bob) == [lost, liked]


def test_a_job_whose_record_was_lost_goes_on(alice, capsys, settings):
    settings.FAN_OUT_INLINE, settings.FAN_OUT_STEP = 2, 5
    fans = gather(crowd(7), alice)
    applied()
    worker = Worker()
    post_id = post(alice)
    worker.step()
    worker.give_up()
    with bulk_load():
        pass  # the job's record is skipped
    applied()
    assert len(jobs(JobKind.FAN_OUT)) == 1
    reconciled(capsys)
    assert reached(fans, post_id, alice) == 7
    assert not jobs(JobKind.FAN_OUT)


def test_a_crossing_whose_record_was_lost_is_brought_to_its_end(alice, capsys, settings):
    settings.PULL_ABOVE, settings.FAN_OUT_STEP = 2, 5
    gather(crowd(3), alice)
    applied()
    worker = Worker()
    post(alice)
    worker.step()
    worker.give_up()
    with bulk_load():
        pass  # the job's record is skipped
    reconciled(capsys)
    assert returning(alice).card.reading == PULLED


def test_a_gap_is_forgotten_once_it_is_mended(liked, capsys):
    worker = Worker()
    worker.step()
    next(iter(worker.readers.values())).lease.note_gap()
    worker.give_up()
    assert read_worker_status().has_gap
    reconciled(capsys)
    assert not read_worker_status().has_gap


def test_it_refuses_to_run_beside_a_worker(table):
    Worker().step()
    with pytest.raises(CommandError, match="Stop it, or the site that runs it, then try again"):
        call_command("reconcile")


def test_it_gives_the_stream_up_afterwards(liked, alice, bob, capsys):
    reconciled(capsys)
    second = post(alice)
    applied()
    assert home(bob) == [second, liked]
