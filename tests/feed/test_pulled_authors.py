"""Authors whom very many follow: their posts are not fanned out but merged into what a reader opens."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import CROSSING, PULLED, UserInfo, UserSettings
from accounts.people.reads import get_user_info
from accounts.people.viewer import Viewer
from feed.home.reads import Pill, find_newer, get_timeline
from feed.posts.models import Audience
from feed.posts.reads import Pointer
from feed.publishing.changes import change_audience
from feed.publishing.writes import delete_post, publish_post
from feed.sharing.writes import repost
from feed.timelines import big_authors, stream, writes
from feed.timelines.big_authors import (
    KEPT,
    LATE,
    NewestPosts,
    Noted,
    ask_to_merge,
    forget_to_pull,
    get_news,
    learn_to_pull,
    mend_recent,
    note_recent,
    recent_of,
)
from feed.timelines.fan_out_stream import cross_step
from feed.timelines.stream import merge_step, rebuild_step
from feed.timelines.writes import clear_entries
from relations.blocks.writes import mute, unmute
from relations.follows.writes import follow, unfollow
from socialsite.clock import utc_now
from socialsite.streams.ledger import Ledger
from socialsite.streams.models import Job, JobKind
from socialsite.streams.worker import Worker
from socialsite.table import (
    MOST_BYTES,
    PAGE_SIZE,
    Conflict,
    Erase,
    change,
    fetch,
    ids,
    item_size,
    keys,
    transact,
    write_batch,
)
from tests.conftest import person, post
from tests.feed.scenes import answer
from tests.feed.timelines import entries_of, news_of, pull
from tests.looks import broken_invariants
from tests.streams.crowd import crowd, gather, home, jobs, open_home, reached, returning


@pytest.fixture
def small_steps(settings):
    settings.PULL_ABOVE = 2
    settings.FAN_OUT_STEP = 5  # one follower in a step of crossing


@pytest.fixture
def fans(alice, worker):
    """Three people who follow Alice: one more than the limit."""
    found = gather(crowd(3), alice)
    worker.drain()
    return found


@pytest.fixture
def pulled(alice, fans, worker):
    """Alice's posts are pulled from now on; her first post, which is still fanned out."""
    first = post(alice)
    worker.drain()
    assert state(alice) == PULLED
    return first


def state(author: Viewer) -> str:
    return get_user_info(author.user_id).reading


def pulls(one: Viewer, author: Viewer) -> bool:
    return author.user_id in returning(one).pulled


@pytest.mark.usefixtures("small_steps")
def test_at_the_limit_an_author_is_still_fanned_out(alice, worker, settings):
    gather(crowd(settings.PULL_ABOVE), alice)
    post(alice)
    worker.drain()
    assert state(alice) == ""


@pytest.mark.usefixtures("small_steps")
def test_the_first_post_above_the_limit_begins_the_crossing(alice, fans, worker):
    post(alice)
    worker.step()
    assert state(alice) == CROSSING
    (job,) = jobs(JobKind.CROSS_TO_PULL)
    assert (job.subject_id, int(job.total)) == (alice.user_id, 3)


@pytest.mark.usefixtures("small_steps")
def test_the_crossing_teaches_one_follower_after_the_other_and_then_ends(alice, fans, worker):
    post(alice)
    worker.step()
    learned = []
    while state(alice) == CROSSING:
        learned.append(sum(pulls(fan, alice) for fan in fans))
        worker.step()
    assert learned == [0, 1, 2, 3]
    assert state(alice) == PULLED
    worker.drain()
    assert not jobs(JobKind.CROSS_TO_PULL)


@pytest.mark.usefixtures("small_steps")
def test_posts_are_fanned_out_until_the_crossing_is_over(alice, fans, worker):
    post(alice)
    worker.step()
    during = post(alice)
    worker.step()
    assert reached(fans, during, alice) == 3


@pytest.mark.usefixtures("small_steps")
def test_a_second_post_does_not_begin_a_second_crossing(alice, fans, worker):
    for _ in range(3):
        post(alice)
        worker.step()
    assert len(jobs(JobKind.CROSS_TO_PULL)) == 1


@pytest.mark.usefixtures("small_steps")
def test_a_crossing_whose_worker_died_before_its_commit_is_ended_by_the_next(
    alice, fans, worker, monkeypatch
):
    post_id = post(alice)

    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Ledger, "commit", die)
    with pytest.raises(KeyboardInterrupt):
        worker.step()
    monkeypatch.undo()
    worker.give_up()
    Worker().drain()
    assert state(alice) == PULLED
    assert all(home(fan) == [post_id] for fan in fans)


@pytest.mark.usefixtures("small_steps")
def test_a_pulled_authors_post_is_in_no_followers_partition_and_in_every_timeline(
    alice, fans, pulled, worker
):
    post_id = post(alice)
    worker.drain()
    assert reached(fans, post_id, alice) == 0
    assert all(home(fan) == [post_id, pulled] for fan in fans)


@pytest.mark.usefixtures("small_steps")
def test_a_pulled_post_is_read_as_soon_as_the_worker_has_put_it_into_its_authors_list(
    alice, fans, pulled, worker
):
    post_id = post(alice)
    assert home(fans[0]) == [pulled]
    worker.step()
    assert home(fans[0]) == [post_id, pulled]


@pytest.mark.usefixtures("small_steps")
def test_a_post_that_comes_both_ways_is_shown_once(alice, fans, pulled):
    assert reached(fans, pulled, alice) == 3
    assert home(fans[0]) == [pulled]


@pytest.mark.usefixtures("small_steps")
def test_a_deleted_post_is_gone_for_who_pulls(alice, fans, pulled, worker):
    post_id = post(alice)
    worker.drain()
    delete_post(by=alice, post_id=post_id)
    assert home(fans[0]) == [pulled]


@pytest.mark.usefixtures("small_steps")
def test_the_author_sees_the_own_posts_once(alice, fans, pulled, worker):
    post_id = post(alice)
    worker.drain()
    assert home(alice) == [post_id, pulled]


@pytest.mark.usefixtures("small_steps")
def test_a_new_follower_pulls_and_sees_earlier_posts(alice, bob, fans, pulled, worker):
    second = post(alice)
    follow(by=bob, user_id=alice.user_id)
    worker.drain()
    assert pulls(bob, alice)
    assert home(bob) == [second, pulled]
    third = post(alice)
    worker.drain()
    assert home(bob) == [third, second, pulled]


@pytest.mark.usefixtures("small_steps")
def test_who_unfollows_forgets_to_pull(alice, fans, pulled, worker):
    post(alice)
    unfollow(by=fans[0], user_id=alice.user_id)
    worker.drain()
    assert not pulls(fans[0], alice)
    assert home(fans[0]) == []
    post(alice)
    worker.drain()
    assert home(fans[0]) == []
    assert len(home(fans[1])) == 3


@pytest.mark.usefixtures("small_steps")
def test_who_follows_again_pulls_again(alice, fans, pulled, worker):
    unfollow(by=fans[0], user_id=alice.user_id)
    follow(by=fans[0], user_id=alice.user_id)
    worker.drain()
    assert pulls(fans[0], alice)
    assert home(fans[0]) == [pulled]


@pytest.mark.usefixtures("small_steps")
def test_an_author_who_loses_followers_is_pulled_all_the_same(alice, fans, pulled, worker):
    for fan in fans[:2]:
        unfollow(by=fan, user_id=alice.user_id)
    post_id = post(alice)
    worker.drain()
    assert state(alice) == PULLED
    assert reached(fans, post_id, alice) == 0
    assert home(fans[2]) == [post_id, pulled]


# What widely followed authors post is merged into a reader's home, however many of them there are, and then
# written into the reader's own timeline, once.


def test_opening_home_writes_the_news_into_the_timeline_once(star, bob, log_in, drain_stream):
    browser = log_in(bob)
    post_id = post(star)
    drain_stream()
    assert entries_of(bob) == []
    assert post_id in browser.get("/").content.decode()
    assert len(jobs(JobKind.MERGE_PULLED)) == 1
    drain_stream()
    assert entries_of(bob) == [post_id]
    assert news_of(bob) == []
    browser.get("/")
    assert not jobs(JobKind.MERGE_PULLED)
    assert home(bob) == [post_id]
    assert not broken_invariants()


def test_the_worker_is_asked_once_for_the_same_news(star, bob, drain_stream):
    post(star)
    drain_stream()
    for _ in range(3):
        open_home(bob)
    assert len(jobs(JobKind.MERGE_PULLED)) == 1


def test_a_further_page_asks_for_nothing(star, bob, log_in, drain_stream):
    browser = log_in(bob)
    for _ in range(PAGE_SIZE + 1):
        post(bob)
    drain_stream()
    older = get_timeline(returning(bob)).next_cursor
    post(star)
    drain_stream()
    browser.get("/", {"page": older})
    assert not jobs(JobKind.MERGE_PULLED)


def test_without_news_home_makes_one_call_more_for_up_to_a_hundred_authors(
    bob, log_in, requests_of, drain_stream
):
    browser = log_in(bob)
    authors = [person(f"author_{number}") for number in range(3)]
    pull(bob, *authors)
    for author in authors:
        post(author)
    for _ in range(101 - len(authors)):
        learn_to_pull(bob.user_id, ids.new_id())
    drain_stream()
    browser.get("/")
    drain_stream()
    assert not jobs(JobKind.MERGE_PULLED)
    with requests_of() as requests:
        browser.get("/")
    assert sorted(requests.operations) == [*["BatchGetItem"] * 4, "Query"]  # 101 take two
    for _ in range(2):
        forget_to_pull(bob.user_id, max(returning(bob).pulled))
    browser.get("/")
    drain_stream()
    with requests_of() as requests:
        browser.get("/")
    assert sorted(requests.operations) == [*["BatchGetItem"] * 3, "Query"]


def test_a_reader_who_pulls_nobody_reads_no_lists(bob, requests_of):
    reader = returning(bob)
    with requests_of() as requests:
        get_news(reader)
    assert requests.operations == []


def test_posts_of_muted_authors_are_no_news(star, bob, drain_stream):
    mute(by=bob, user_id=star.user_id)
    drain_stream()
    post_id = post(star)
    drain_stream()
    assert news_of(bob) == []
    assert not find_newer(returning(bob), Pill.above(returning(bob), None))
    open_home(bob)
    drain_stream()
    assert entries_of(bob) == []
    unmute(by=bob, user_id=star.user_id)
    drain_stream()
    assert entries_of(bob) == [post_id]
    assert not broken_invariants()


def test_posts_for_some_or_after_their_end_are_no_news(star, bob, monkeypatch, drain_stream):
    publish_post(by=star, content="Soon over", nonce="1", expires_in="1h")
    publish_post(by=star, content="For friends", nonce="2", audience="friends")
    drain_stream()
    assert len(news_of(bob)) == 1
    later = utc_now() + timedelta(hours=2)
    monkeypatch.setattr("feed.timelines.big_authors.utc_now", lambda: later)
    assert news_of(bob) == []


def test_news_goes_to_its_reader_alone(star, bob, carol, drain_stream):
    pull(carol, star)
    drain_stream()
    post_id = post(star)
    drain_stream()
    open_home(bob)
    drain_stream()
    assert reached([bob, carol], post_id, star) == 1
    assert home(carol) == [post_id]


def test_asking_without_news_writes_nothing(bob, requests_of):
    reader = returning(bob)
    with requests_of() as requests:
        ask_to_merge(reader, get_news(reader))
    assert requests.operations == []


# The worker writes the news of widely followed authors into a timeline: all of it, for readers who still want it.


def test_of_more_authors_than_a_page_has_posts_none_is_missing(bob, monkeypatch, drain_stream):
    monkeypatch.setattr(stream, "AUTHORS_A_STEP", 10)
    authors = [person(f"author_{number}") for number in range(PAGE_SIZE + 5)]
    pull(bob, *authors)
    drain_stream()
    posts = [post(author) for author in authors][::-1]
    drain_stream()
    assert home(bob) == posts[:PAGE_SIZE]
    open_home(bob)
    drain_stream()
    assert entries_of(bob) == posts
    assert not broken_invariants()


def test_what_has_left_a_list_meanwhile_is_found_among_the_authors_posts(star, bob, drain_stream):
    first = post(star)
    drain_stream()
    open_home(bob)
    drain_stream()
    assert entries_of(bob) == [first]
    posts = [post(star) for _ in range(KEPT + 5)][::-1]
    drain_stream()
    assert home(bob) == posts[:PAGE_SIZE]
    open_home(bob)
    drain_stream()
    assert entries_of(bob) == [*posts, first]
    assert not broken_invariants()


@pytest.mark.parametrize("merged", ["", "1.long-ago"], ids=["never", "long ago"])
def test_a_timeline_that_was_not_merged_gets_as_much_as_after_a_follow(
    alice, bob, settings, drain_stream, merged
):
    settings.BACKFILL_POSTS = KEPT + 2
    pull(bob, alice)
    change(UserSettings, keys.user_settings(bob.user_id), [UserSettings.merged.set(merged)])
    drain_stream()
    posts = [post(alice) for _ in range(KEPT + 5)][::-1]
    drain_stream()
    open_home(bob)
    drain_stream()
    assert entries_of(bob) == posts[: KEPT + 2]


def test_a_post_that_came_late_into_its_list_is_merged_all_the_same(
    star, bob, monkeypatch, drain_stream
):
    carol = person("carla")
    pull(bob, carol)
    late = post(star)
    drain_stream()
    early = utc_now() - LATE / 2
    open_home(bob)
    drain_stream()
    monkeypatch.setattr("feed.timelines.big_authors.utc_now", lambda: early)
    second = post(carol)
    note_recent(Pointer(second, carol.user_id), ends=None)
    monkeypatch.undo()
    assert news_of(bob)[-1] == second
    open_home(bob)
    drain_stream()
    assert entries_of(bob) == [second, late]


@pytest.mark.parametrize("leave", ["unfollow", "mute"])
def test_a_reader_who_leaves_while_the_news_is_written_keeps_none_of_it(
    star, bob, monkeypatch, drain_stream, leave
):
    post(star)
    drain_stream()
    open_home(bob)
    (job,) = jobs(JobKind.MERGE_PULLED)
    write = stream.write_batch

    def leave_and_write(**entries: object) -> None:
        """The reader leaves, and another worker clears the timeline, before this one writes."""
        if leave == "mute":
            mute(by=bob, user_id=star.user_id)
        else:
            unfollow(by=bob, user_id=star.user_id)
            forget_to_pull(bob.user_id, star.user_id)
        clear_entries(bob.user_id, star.user_id)
        write(**entries)

    monkeypatch.setattr(stream, "write_batch", leave_and_write)
    merge_step(job)
    assert entries_of(bob) == []


def test_a_reader_who_unfollows_while_a_rebuild_lets_them_pull_pulls_no_more(
    star, bob, monkeypatch, drain_stream
):
    """As after lost records, which the rebuild makes up for (`tests/operations/commands/test_reconcile.py`)."""
    post(star)
    drain_stream()
    forget_to_pull(bob.user_id, star.user_id)
    job = Job.new(kind=JobKind.REBUILD, job_id="rebuild", subject_id=bob.user_id)

    def leave_and_learn(*pair: str) -> None:
        unfollow(by=bob, user_id=star.user_id)
        learn_to_pull(*pair)

    monkeypatch.setattr(writes, "learn_to_pull", leave_and_learn)
    rebuild_step(job)
    assert not pulls(bob, star)


@pytest.mark.usefixtures("small_steps")
def test_a_follower_who_leaves_while_the_crossing_teaches_them_pulls_no_more(
    alice, fans, worker, settings, monkeypatch
):
    post(alice)
    worker.step()

    def leave_and_learn(*pair: str) -> None:
        if pair[0] == fans[1].user_id:
            unfollow(by=fans[1], user_id=alice.user_id)
            forget_to_pull(*pair)
        learn_to_pull(*pair)

    monkeypatch.setattr(writes, "learn_to_pull", leave_and_learn)
    settings.FAN_OUT_STEP = 100  # all of them in one step
    cross_step(*jobs(JobKind.CROSS_TO_PULL))
    assert [pulls(fan, alice) for fan in fans] == [True, False, True]


def test_a_job_for_an_account_that_is_gone_ends(star, bob, drain_stream):
    post(star)
    drain_stream()
    open_home(bob)
    (job,) = jobs(JobKind.MERGE_PULLED)
    gone = keys.user_settings(bob.user_id)
    write_batch(deletes=[gone])
    assert merge_step(job).cursor is None
    assert entries_of(bob) == []
    assert not fetch([gone], consistent=True)


def test_a_timeline_that_lacks_merged_news_is_reported(star, bob, drain_stream):
    post_id = post(star)
    drain_stream()
    later = int((utc_now() + 2 * LATE).timestamp() * 1000)
    merged = [UserSettings.merged.set(f"{later}.x")]
    change(UserSettings, keys.user_settings(bob.user_id), merged)
    assert broken_invariants() == {
        "timelines miss no new post of those who are followed": [
            f"{bob.user_id}: {post_id} by {star.user_id}"
        ]
    }


# The short list of a widely followed author's newest posts, which the worker keeps for the home pages of very
# many.


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
