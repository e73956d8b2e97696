"""`manage.py reconcile`: everything is counted anew after stream records were lost."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from accounts.models import PULLED, UserCount, UserInfo
from accounts.profile.writes import edit_profile
from feed.likes.reads import SHARDS, like_partitions
from feed.likes.writes import like_post
from feed.polls.models import Vote
from feed.posts.models import Audience, LikeCount, Post, Withheld
from feed.publishing.changes import change_audience
from feed.publishing.writes import delete_post, publish_post
from notifications.writes import read_notifications
from photos.files import list_places
from photos.reads import list_album
from photos.writes import remove_photo
from relations.blocks.writes import mute
from relations.directory import search_people
from relations.filters import Filters
from relations.follows.writes import follow, unfollow
from relations.friends.writes import (
    create_circle,
    end_friendship,
    file_friend,
    request_friend,
    withdraw_friend_request,
)
from relations.models import Follower, Relation, RelationType
from relations.reads import list_relations
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.streams.models import JobKind
from socialsite.streams.status import read_worker_status
from socialsite.streams.worker import Worker, bulk_load
from socialsite.table import change, get, ids, keys, query, write_batch
from tests.conftest import person, post
from tests.feed.scenes import ask, clock_at, photo, post_photos, vote_for
from tests.looks import broken_invariants
from tests.moderation.cases import withhold
from tests.notifications.told import waiting
from tests.relations.scenes import befriend
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
    assert sorted(broken_invariants()) == [
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


def test_whoever_followed_a_pulled_author_while_records_were_lost_pulls_them(
    alice, bob, capsys, settings
):
    """Seed 2027.75 of the simulation: they got the posts of that day, and none afterwards."""
    settings.PULL_ABOVE, settings.FAN_OUT_STEP = 2, 5
    gather(crowd(3), alice)
    applied()
    first = post(alice)
    applied()
    assert returning(alice).card.reading == PULLED
    with bulk_load():
        follow(by=bob, user_id=alice.user_id)
    assert not returning(bob).pulled
    reconciled(capsys)
    assert alice.user_id in returning(bob).pulled
    assert broken_invariants() == {}
    second = post(alice)
    applied()
    assert home(bob) == [second, first]


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


def test_a_request_that_ended_unseen_by_the_worker_leaves_the_badge(alice, bob, carol, capsys):
    """Seed 7.2 of the simulation: after a day without a worker the badge named it for ever."""
    request_friend(by=bob, user_id=alice.user_id)
    request_friend(by=carol, user_id=alice.user_id)
    applied()
    with bulk_load():  # no handler sees what is written meanwhile
        withdraw_friend_request(by=bob, user_id=alice.user_id)
    assert waiting(alice).requests == 2
    assert broken_invariants()
    reconciled(capsys)
    assert waiting(alice).requests == 1
    assert not broken_invariants()


# `manage.py reconcile` after the site's clock stood two days ahead, and came back: what it ended early ends
# again.

PLANNED = "every open poll has its end planned, once"
LATE = "followers were here as late as their edges say"


def test_an_open_poll_has_its_end_planned_again_and_its_voters_are_told_then(alice, bob, capsys):
    post_id = ask(alice)
    vote_for(bob, alice, post_id, 1)
    applied()
    with clock_at(utc_now() + timedelta(days=2)):
        do_due()
    applied()
    assert broken_invariants() == {PLANNED: [post_id]}
    for _ in range(2):
        reconciled(capsys)
        assert not broken_invariants()
    read_notifications(by=bob, up_to=waiting(bob).changes)
    with clock_at(utc_now() + timedelta(days=2)):
        do_due()
        applied()
        assert waiting(bob).notifications == 1
        assert not broken_invariants()


def test_a_poll_that_a_clock_ended_less_than_five_minutes_early_is_in_order(alice, bob):
    """Clocks may differ by as much. Until its end such a poll is open, and nothing plans its end."""
    post_id = ask(alice)
    vote_for(bob, alice, post_id, 1)
    applied()
    end = get(Post, keys.post(alice.user_id, post_id)).poll.ends_at
    with clock_at(end + timedelta(seconds=1)):
        do_due()
    applied()
    for early, wrong in ((timedelta(minutes=4), []), (timedelta(minutes=6), [post_id])):
        with clock_at(end - early):
            assert broken_invariants().get(PLANNED, []) == wrong


def test_an_edge_says_no_later_day_than_its_follower(alice, bob, carol, capsys):
    for fan in (bob, carol):
        follow(by=fan, user_id=alice.user_id)
    applied()
    edge, other = (keys.follower(alice.user_id, fan.user_id) for fan in (bob, carol))
    today = get(Follower, other, consistent=True).seen
    in_two_days = (utc_now() + timedelta(days=2)).date().isoformat()
    change(Follower, edge, [Follower.seen.set(in_two_days)])
    assert list(broken_invariants()) == [LATE]
    reconciled(capsys)
    assert not broken_invariants()
    assert [get(Follower, key, consistent=True).seen for key in (edge, other)] == [today, today]


# `manage.py reconcile` names the circles from before they had ids.


def test_circles_from_before_they_had_ids_are_named_once(alice, bob, carol):
    befriend(alice, bob)
    befriend(alice, carol)
    family = create_circle(by=alice, name="Family")
    file_friend(by=alice, user_id=bob.user_id, circles=[family, "Work"], note="")
    file_friend(by=alice, user_id=carol.user_id, circles=["Choir"], note="")
    for _ in range(2):
        call_command("reconcile")
        assert [*returning(alice).circles] == [
            ("Choir", "Choir"),
            (family, "Family"),
            ("Work", "Work"),
        ]
    assert returning(bob).circles == ()


# What friendships and favourites copied of profiles: `audit` tells of copies that are old, `reconcile` brings
# them.

OLD = "relations copy what profiles say"


@pytest.fixture
def friendship(alice, bob, carol):
    """Alice's friendship with Bob of Köln, without any copy, as demo data had it until 2026-11; Carol ended hers."""
    edit_profile(by=bob, bio="", location="Köln", gender="he/him")
    befriend(alice, bob)
    befriend(carol, bob)
    end_friendship(by=carol, user_id=bob.user_id)
    key = keys.relation(alice.user_id, RelationType.FRIEND, bob.user_id)
    copies = (
        Relation.location,
        Relation.gender,
        Relation.folded_location,
        Relation.folded_gender,
    )
    change(Relation, key, [one.remove() for one in copies])
    return key


def test_old_copies_are_told_and_brought_up_to_date(friendship, alice, bob, carol):
    assert broken_invariants()[OLD] == [f"{alice.user_id} → {bob.user_id}"]
    call_command("reconcile")
    assert OLD not in broken_invariants()
    found = list_relations(
        alice, RelationType.FRIEND, filters=Filters(location="koln", gender="he")
    )
    assert [card.person.handle for card in found.items] == ["bob"]
    ended = get(Relation, keys.relation(carol.user_id, RelationType.FRIEND, bob.user_id))
    assert ended.delete_status


def test_copies_from_before_they_were_folded_break_nothing(friendship, alice):
    plain = [Relation.location.set("Köln"), Relation.gender.set("he/him")]
    change(Relation, friendship, plain)
    assert OLD not in broken_invariants()
    call_command("reconcile")
    assert get(Relation, friendship).folded_location == "koln"


# `manage.py reconcile` and photos: what lost stream records would have done to them and their files is done.


def settled(capsys) -> None:
    """Once the table was compared, what followed is done, and the nights have come in which files are looked for."""
    reconciled(capsys)
    applied()
    do_due(utc_now() + timedelta(days=5))
    assert broken_invariants() == {}


def test_photos_of_a_post_whose_deletion_was_lost_go_with_their_files(alice, capsys):
    kept, gone = post_photos(alice), post_photos(alice)
    free = photo(alice)
    applied()
    with bulk_load():
        delete_post(by=alice, post_id=gone)
    reconciled(capsys)
    applied()
    assert {one.post_id for one in list_album(alice).items} == {kept, None}
    assert free in {one.photo_id for one in list_album(alice).items}
    settled(capsys)


def test_a_closed_post_keeps_no_copy_for_everyone_though_its_record_was_lost(alice, capsys):
    post_id = post_photos(alice)
    applied()
    with bulk_load():
        change_audience(by=alice, post_id=post_id, audience=Audience.FRIENDS)
    settled(capsys)
    (shown,) = get(Post, keys.post(alice.user_id, post_id), consistent=True).photos
    assert shown.public_secret is None
    assert {place.folder for place in list_places(alice.user_id)} == {"private"}


def test_files_of_a_photo_whose_removal_was_lost_are_found_in_a_later_night(alice, capsys):
    gone = photo(alice)
    applied()
    do_due(utc_now() + timedelta(days=5))  # the sweep of its upload
    with bulk_load():
        remove_photo(by=alice, photo_id=gone)
    assert list(list_places(alice.user_id))
    settled(capsys)
    assert list(list_places(alice.user_id)) == []


# `manage.py reconcile`: who has no business in a timeline leaves it, and who has stays.


def entries(viewer) -> list[str]:
    return [raw["post_id"]["S"] for raw in query(keys.timeline(viewer.user_id), forward=False)]


def test_posts_of_people_whose_unfollow_was_lost_leave_the_timeline(alice, bob):
    follow(by=bob, user_id=alice.user_id)
    post_id = post(alice)
    applied()
    assert home(bob) == [post_id]
    with bulk_load():
        unfollow(by=bob, user_id=alice.user_id)
    own = post(bob)
    applied()
    assert home(bob) == [own, post_id]
    call_command("reconcile")
    assert home(bob) == [own]


def test_who_was_unfollowed_with_a_lost_record_is_no_longer_pulled(alice, bob):
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.reading.set(PULLED)])
    follow(by=bob, user_id=alice.user_id)
    post(alice)
    applied()
    assert returning(bob).pulled == (alice.user_id,)
    with bulk_load():
        unfollow(by=bob, user_id=alice.user_id)
    call_command("reconcile")
    assert returning(bob).pulled == ()
    assert home(returning(bob)) == []


def test_posts_of_muted_people_do_not_come_back(alice, bob):
    follow(by=bob, user_id=alice.user_id)
    mute(by=bob, user_id=alice.user_id)
    post(alice)
    own = post(bob)
    applied()
    call_command("reconcile")
    assert entries(bob) == [own]


@pytest.fixture
def for_friends(alice, bob) -> str:
    """A post of Alice for her friends in the timeline of Bob, a friend who does not follow her."""
    befriend(alice, bob)
    post_id = publish_post(by=alice, content="Hello", nonce=ids.new_id(), audience=Audience.FRIENDS)
    applied()
    assert home(bob) == [post_id]
    return post_id


def test_posts_for_friends_stay_with_friends_who_do_not_follow(for_friends, bob):
    call_command("reconcile")
    assert home(bob) == [for_friends]


def test_posts_of_somebody_who_is_a_friend_no_more_leave_the_timeline(for_friends, alice, bob):
    end_friendship(by=bob, user_id=alice.user_id)
    assert entries(bob) == [for_friends]
    call_command("reconcile")
    assert entries(bob) == []


def test_a_friend_who_was_unfollowed_with_a_lost_record_is_no_longer_pulled(alice, bob):
    befriend(alice, bob)
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.reading.set(PULLED)])
    follow(by=bob, user_id=alice.user_id)
    applied()
    with bulk_load():
        unfollow(by=bob, user_id=alice.user_id)
    call_command("reconcile")
    assert returning(bob).pulled == ()


# `manage.py reconcile` and polls: votes are counted anew after stream records were lost.


def test_wrong_counts_of_votes_are_set_right_and_votes_of_no_post_go(alice, bob, carol, capsys):
    post_id = ask(alice, several=True)
    vote_for(bob, alice, post_id, 0, 2)
    vote_for(carol, alice, post_id, 2)
    gone = Vote.new(
        post_id=ids.new_id(),
        author_id=alice.user_id,
        user_id=bob.user_id,
        choices="0",
        at=utc_now(),
    )
    applied()
    wrong = [LikeCount.votes0.set(7), LikeCount.votes2.remove(), LikeCount.voters.set(1)]
    change(LikeCount, keys.like_count(post_id), wrong)
    with bulk_load():
        write_batch(puts=[gone])
    lines = reconciled(capsys)
    assert [line.split(" ", 1)[1] for line in lines[:-1]] == [
        "voters: 1 → 2",
        "votes0: 7 → 1",
        "votes2: 0 → 2",
    ]
    assert not list(broken_invariants())
