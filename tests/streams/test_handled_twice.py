"""Every handler may run twice on the same record: what it does and what it enters is the same."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from accounts.people.viewer import Viewer
from accounts.permissions import set_role
from accounts.profile.writes import edit_profile
from accounts.sign_in.writes import sign_in
from costs.stored import count_stored
from feed.likes.writes import like_post, unlike_post
from feed.posts.models import Audience
from feed.posts.reads import Pointer
from feed.publishing.changes import change_audience, limit_past_posts
from feed.publishing.writes import delete_post
from feed.sharing.writes import quote, repost, take_repost_back
from feed.timelines.big_authors import learn_to_pull, mend_recent
from moderation.bulk_decisions.reads import WaveDecision
from moderation.bulk_decisions.writes import make_wave, start_wave, undo_wave
from moderation.cases.reads import CaseId
from moderation.models import ActionKind, CaseKind
from moderation.suspicions.reads import Target
from privacy.erasure.writes import close_account
from privacy.export.writes import ask_for_export
from privacy.old_posts.reads import Choice, Kept, Kind
from privacy.old_posts.writes import delete_old_posts
from relations.follows.writes import follow, unfollow
from relations.own_choices.writes import favourite, follow_tag, subscribe, unfollow_tag
from relations.suggested import ask_to_look
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.streams.late_writes import settle_since
from socialsite.streams.models import JobKind
from socialsite.streams.shards import begin_reconciling
from socialsite.streams.worker import Worker
from tests.conftest import post
from tests.feed.answers import answer
from tests.feed.expiring import ending_post
from tests.feed.photographs import post_photos
from tests.feed.polls.polling import ask, choose
from tests.injected.rotation import share
from tests.relations.relations import lock_older_posts
from tests.streams.absence import last_here
from tests.streams.crowd import crowd, gather, jobs, open_home
from tests.streams.records import everything, handle_all, lines, unread

Scene = Callable[[], object]


@pytest.fixture
def worker(table) -> Worker:
    return Worker()


def be_away(person: Viewer) -> None:
    """The person was here last years ago."""
    last_here(person, "2020-01-01")


def ask_for_posts(person: Viewer, author: Viewer) -> None:
    favourite(by=person, user_id=author.user_id)
    subscribe(by=person, user_id=author.user_id)


def scenes(alice: Viewer, bob: Viewer, liked: str, asked: str) -> dict[str, Scene]:
    """What may happen after Bob followed Alice, who has posts, one of them liked and reposted by Bob, and one a poll in
    which he voted."""
    like, where = {"by": bob, "post_id": liked}, Pointer(liked, alice.user_id)
    return {
        "post": lambda: post(alice),
        "post for an hour": lambda: ending_post(alice, "#cats"),
        "delete": lambda: delete_post(by=alice, post_id=liked),
        "like": lambda: like_post(by=alice, post_id=liked, author_id=alice.user_id),
        "unlike": lambda: unlike_post(**like),
        "repost": lambda: repost(by=alice, post=where),
        "take back": lambda: take_repost_back(**like),
        "quote": lambda: quote(by=bob, post=where, content="Look", nonce="form"),
        "vote again": lambda: choose(bob, alice, asked, 1, 2),
        "delete a poll": lambda: delete_post(by=alice, post_id=asked),
        "follow": lambda: follow(by=alice, user_id=bob.user_id),
        "unfollow": lambda: unfollow(by=bob, user_id=alice.user_id),
        "follow a tag": lambda: follow_tag(by=alice, tag="dogs"),
        "unfollow a tag": lambda: unfollow_tag(by=alice, tag="cats"),
        "post with tags": lambda: post(bob, "#cats #dogs"),
        "return": lambda: sign_in(user_id=bob.user_id, browser="tests"),
    }


@pytest.mark.parametrize(
    ("scene", "reading"),
    [
        *((scene, "fanned out") for scene in ("post", "delete", "like", "unlike")),
        *((scene, "fanned out") for scene in ("vote again", "delete a poll")),
        *((scene, "fanned out") for scene in ("repost", "take back", "quote")),
        *((scene, "fanned out") for scene in ("follow", "unfollow", "return")),
        *((scene, "fanned out") for scene in ("follow a tag", "unfollow a tag", "post with tags")),
        ("post", "job"),
        ("repost", "job"),
        ("post", "crossing"),
        ("follow", "crossing"),
    ],
)
def test_a_batch_handled_twice_does_and_enters_the_same(
    alice, bob, worker, settings, scene, reading
):
    follow(by=bob, user_id=alice.user_id)
    ask_for_posts(bob, alice)
    liked, _ = post(alice), post(bob, "#cats #dogs")
    follow_tag(by=alice, tag="cats")
    like_post(by=bob, post_id=liked, author_id=alice.user_id)
    repost(by=bob, post=Pointer(liked, alice.user_id))
    choose(bob, alice, asked := ask(alice, change=True, several=True), 0, 1)
    if scene == "return":
        be_away(bob)
    worker.drain()
    if reading == "job":
        settings.FAN_OUT_INLINE = 0
    if reading == "crossing":
        settings.PULL_ABOVE = 0
    scenes(alice, bob, liked, asked)[scene]()
    records = unread()
    first = handle_all(records)
    done = everything()
    second = handle_all(records)
    assert everything() == done
    assert lines(second) == lines(first)


def begin_wave(mod: Viewer, people: list[Viewer], *, undo: bool, worker: Worker) -> None:
    set_role(user_id=mod.user_id, role="moderator")
    targets = [Target(CaseId(CaseKind.PERSON, one.user_id), 0) for one in people]
    decision = WaveDecision(ActionKind.LIMIT)
    wave_id = make_wave(by=mod, targets=targets, decision=decision)
    start_wave(by=mod, wave_id=wave_id, decision=decision)
    if undo:
        worker.drain()
        undo_wave(by=mod, wave_id=wave_id)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every kind of job on the embedded engine; on the others, which are slow, a quarter, others each run."""
    if "kind" in metafunc.fixturenames:
        is_embedded = metafunc.config.getoption("--engine") == "embedded"
        kinds = list(JobKind) if is_embedded else share(JobKind, one_of=4, salt="kinds of jobs")
        metafunc.parametrize("kind", kinds)


def test_a_jobs_step_handled_twice_is_made_once(alice, bob, worker, settings, kind, monkeypatch):
    settings.FAN_OUT_STEP = 2
    monkeypatch.setattr("notifications.stream_handlers.PEOPLE_A_STEP", 2)
    gather(readers := crowd(3), alice)
    gather(readers if kind == JobKind.FAN_OUT_REPLY else [], bob)
    for one in crowd(5):
        follow(by=bob, user_id=one.user_id)
    for one in readers if kind == JobKind.NOTIFY_OF_POST else []:
        ask_for_posts(one, alice)
    be_away(bob)
    answered = post(alice) if kind == JobKind.FAN_OUT_REPLY else ""
    if kind in (JobKind.FAN_OUT_TAG, JobKind.REBUILD_TAGS):
        post(alice, "#cats")
        for one in (*readers, bob):
            follow_tag(by=one, tag="cats")
    worker.drain()
    by_job = (JobKind.FAN_OUT, JobKind.FAN_OUT_REPLY, JobKind.FAN_OUT_TAG)
    settings.FAN_OUT_INLINE = 0 if kind in by_job else 500
    settings.PULL_ABOVE = 0 if kind == JobKind.CROSS_TO_PULL else 5000
    match kind:
        case JobKind.REBUILD | JobKind.REBUILD_TAGS:
            sign_in(user_id=bob.user_id, browser="tests")
        case JobKind.REFRESH:
            edit_profile(by=alice, name="Alice", bio="", location="Leipzig")
        case JobKind.FAN_OUT_REPLY:
            answer(bob, alice, answered)
        case JobKind.FAN_OUT_TAG:
            post(bob, "#cats")
        case JobKind.NOTIFY_OF_POLL:
            choose(bob, alice, ask(alice), 1)
        case JobKind.CARRY_AUDIENCE:
            root = post(alice)
            answer(bob, alice, root)
            change_audience(by=alice, post_id=root, audience=Audience.FRIENDS)
        case JobKind.SETTLE_PHOTOS | JobKind.SETTLE_THREADS:
            post_photos(alice)
            lock_older_posts(alice)
        case _:
            post(alice)
    worker.step()
    if kind == JobKind.MERGE_PULLED:
        mend_recent(alice.user_id)
        learn_to_pull(bob.user_id, alice.user_id)
        open_home(bob)
    if kind == JobKind.LOOK_FOR_PEOPLE:
        ask_to_look(alice)
    if kind == JobKind.SETTLE:
        settle_since(datetime.now(UTC))
    if kind == JobKind.RECONCILE:
        begin_reconciling()
    if kind == JobKind.COUNT_STORED:
        count_stored(by=alice)
    if kind == JobKind.LIMIT_POSTS:
        limit_past_posts(by=alice, audience=Audience.FRIENDS, count=1)
    if kind in (JobKind.WAVE, JobKind.UNDO_WAVE):
        begin_wave(alice, readers, undo=kind == JobKind.UNDO_WAVE, worker=worker)
    if kind == JobKind.EXPORT:
        ask_for_export(by=alice, site="https://example.org", language="en", zone="UTC")
    if kind == JobKind.NOTIFY_OF_POLL:
        do_due(utc_now() + timedelta(days=2))
    if kind == JobKind.ERASE:
        close_account(by=alice, at_once=True)
        do_due()
    if kind == JobKind.DELETE_POSTS:
        delete_old_posts(by=alice, choice=Choice(frozenset(Kind), frozenset(Kept)))
    assert len(jobs(kind)) == 1
    records = unread()
    handle_all(records)
    done = everything()
    handle_all(records)
    assert everything() == done
