"""Under AWS Lambda and from hand to hand: every record counts once, however often it is handled."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from accounts.models import UserCount
from accounts.people.viewer import Viewer
from accounts.permissions import set_role
from accounts.profile.writes import edit_profile, save_privacy
from accounts.sign_in.writes import sign_in
from costs.stored import count_stored
from feed.likes.reads import get_like_count
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
from privacy.holds.reads import find_target
from privacy.holds.writes import ask_hold, confirm_hold, get_hold, release_hold
from privacy.old_posts.reads import Choice, Kept, Kind
from privacy.old_posts.writes import delete_old_posts
from relations.follows.writes import follow, unfollow
from relations.own_choices.writes import follow_tag, unfollow_tag
from relations.suggested import ask_to_look
from socialsite.clock import utc_now
from socialsite.due.clock import Beats
from socialsite.due.models import StreamHost
from socialsite.due.work import do_due
from socialsite.streams.change import type_of
from socialsite.streams.hosts import WorksElsewhere
from socialsite.streams.lambda_handler import MARKER_HOURS, RECORDS_A_COMMIT, handle
from socialsite.streams.late_writes import settle_since
from socialsite.streams.ledger import PLANNED_AT_MOST, CheckpointProof, LeaseLost, Ledger, PlanMoved
from socialsite.streams.models import Job, JobKind, Lease, SeenRecord
from socialsite.streams.shards import Stream, begin_reconciling
from socialsite.streams.status import list_dead_letters
from socialsite.streams.worker import Worker
from socialsite.table import Check, change, create, get, keys, write_batch
from socialsite.table.reading import scan
from tests.conftest import person, post
from tests.feed.scenes import answer, ask, clock_at, ending_post, post_photos, vote_for
from tests.injected.faults import share
from tests.notifications.test_told import wants_posts
from tests.relations.scenes import lock_older_posts
from tests.streams.crowd import crowd, gather, home, jobs, last_here, open_home, reached
from tests.streams.records import (
    Record,
    answers_lost,
    broken_post,
    event,
    everything,
    failing_from,
    handle_all,
    lambda_record,
    lines,
    new_records,
    unread,
)
from tests.together import together
from tests.web.conftest import NOBODY_LISTENS, table_at

NOTHING_FAILED: dict[str, list[dict[str, str]]] = {"batchItemFailures": []}
THREADS = 8
at_once = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto is not made for several threads"
)


def drain() -> None:
    """Gives Lambda every record once, in order, as long as handling makes new ones."""
    given = 0
    while records := new_records(given):
        assert handle(event(records)) == NOTHING_FAILED
        given += len(records)


def of_type(*kinds: str) -> list[Record]:
    return [raw for raw in scan() if raw["type"]["S"] in kinds]


def markers() -> list[Record]:
    return of_type(SeenRecord.__name__)


def sequence(records: list[Record], *, at: int) -> str:
    """The first record of that commit."""
    return str(records[at * RECORDS_A_COMMIT]["dynamodb"]["SequenceNumber"])


def likes(alice, bob, number: int = 12) -> list[str]:
    """Two posts with so many likes each, of which Bob's is taken back."""
    posts = [post(alice) for _ in range(2)]
    for post_id in posts:
        like = {"post_id": post_id, "author_id": alice.user_id}
        for fan in [*crowd(number), bob]:
            like_post(by=fan, **like)
        unlike_post(by=bob, post_id=post_id)
    return posts


def test_each_record_is_applied(alice, bob, carol):
    follow(by=bob, user_id=alice.user_id)
    post_id = post(alice)
    like_post(by=carol, post_id=post_id, author_id=alice.user_id)
    drain()
    assert home(bob) == [post_id]
    assert get_like_count(post_id) == 1


def test_an_empty_batch_is_nothing_to_do():
    assert handle({"Records": []}) == NOTHING_FAILED


def test_a_batch_that_comes_again_changes_nothing(alice, bob):
    posts = likes(alice, bob)
    batch = event(unread())
    for _ in range(3):
        assert handle(batch) == NOTHING_FAILED
    assert [get_like_count(post_id) for post_id in posts] == [12, 12]


@pytest.mark.parametrize("seed", range(3))
def test_overlapping_batches_count_each_record_once(alice, bob, seed):
    posts = likes(alice, bob)
    records = unread()
    chance = random.Random(seed)
    starts = range(0, len(records), 15)
    batches = [records[start : start + chance.randint(15, 60)] for start in starts]
    for batch in chance.sample(batches, len(batches)):
        handle(event(batch))
    assert [get_like_count(post_id) for post_id in posts] == [12, 12]


@at_once
def test_batches_that_run_at_once_count_each_record_once(alice, bob):
    posts = likes(alice, bob)
    records = unread()
    chance = random.Random(7)
    cuts = [sorted(chance.sample(range(len(records)), 2)) for _ in range(THREADS - 2)]
    batches = [records[low:high] for low, high in cuts] + [records, records]
    results = together(*(partial(handle, event(batch)) for batch in batches))
    for batch, result in zip(batches, results, strict=True):
        while result != NOTHING_FAILED:  # Lambda delivers again what was given back
            assert isinstance(result, dict), result
            result = handle(event(batch))
    assert [get_like_count(post_id) for post_id in posts] == [12, 12]


@at_once
def test_timelines_are_right_when_batches_run_at_once(alice, bob, carol):
    gather([bob, carol], alice)
    posts = [post(alice) for _ in range(6)]
    batch = event(unread())
    together(*(partial(handle, batch) for _ in range(THREADS)))
    assert home(bob) == home(carol) == posts[::-1]


def test_jobs_run_under_lambda_too(alice, settings):
    settings.FAN_OUT_INLINE, settings.FAN_OUT_STEP = 2, 5
    fans = gather(crowd(7), alice)
    post_id = post(alice)
    drain()
    assert reached(fans, post_id, alice) == 7
    assert not jobs(JobKind.FAN_OUT)


def test_a_deletion_under_lambda_clears_the_likes(alice, bob):
    post_id = post(alice)
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    delete_post(by=alice, post_id=post_id)
    drain()
    assert not of_type("Like", "LikeTrace", "LikeCount")


def test_what_could_not_be_applied_goes_back_from_that_record_on(alice, bob):
    post_id = likes(alice, bob, number=30)[0]
    records = unread()
    liked = [number for number, one in enumerate(records) if type_of(one) == "Like"]
    part = liked[20] // RECORDS_A_COMMIT
    with failing_from(records[liked[20]]):
        answer = handle(event(records))
    assert answer == {"batchItemFailures": [{"itemIdentifier": sequence(records, at=part)}]}
    assert get_like_count(post_id) < 20
    assert handle(event(records[part * RECORDS_A_COMMIT :])) == NOTHING_FAILED
    assert get_like_count(post_id) == 30


def test_while_the_engine_is_down_the_whole_batch_goes_back(alice, bob):
    post_id = likes(alice, bob)[0]
    records = unread()
    with table_at(NOBODY_LISTENS):
        answer = handle(event(records))
    assert answer == {"batchItemFailures": [{"itemIdentifier": sequence(records, at=0)}]}
    assert handle(event(records)) == NOTHING_FAILED
    assert get_like_count(post_id) == 12


def test_a_commit_whose_answer_was_lost_is_recognised_by_its_markers(alice, bob):
    post_id = likes(alice, bob, number=5)[0]
    batch = event(unread())
    with answers_lost():
        handle(batch)
    assert handle(batch) == NOTHING_FAILED
    assert get_like_count(post_id) == 5


def test_a_record_is_marked_for_longer_than_the_stream_remembers_it(alice, bob):
    follow(by=bob, user_id=alice.user_id)
    drain()
    ends = [int(raw["ttl"]["N"]) - time.time() for raw in markers()]
    assert ends
    assert all(MARKER_HOURS * 3600 - 60 < end <= MARKER_HOURS * 3600 for end in ends)


def test_only_records_that_had_an_effect_are_marked_and_none_of_what_the_handlers_write(alice, bob):
    follow(by=bob, user_id=alice.user_id)
    post_id = post(alice)
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    expected = {
        str(lambda_record(record)["eventID"])
        for record in unread()
        if type_of(record) in ("Following", "Follower", "Post", "Like", "UserInfo")
    }
    drain()
    assert {raw["event_id"]["S"] for raw in markers()} == expected
    assert of_type("TimelineEntry", "PublicEntry")


def test_a_record_that_cannot_be_applied_is_parked_once_and_holds_nothing_up(alice, bob, carol):
    follow(by=bob, user_id=alice.user_id)
    write_batch(puts=[broken_post(carol)])
    good = post(alice)
    batch = event(unread())
    for _ in range(2):
        assert handle(batch) == NOTHING_FAILED
    assert home(bob) == [good]
    (letter,) = list_dead_letters()
    assert (letter.shard_id, letter.event) == ("lambda", "INSERT")


def test_a_batch_of_posts_that_each_begin_two_jobs_is_committed_whole(settings, table):
    settings.PULL_ABOVE = settings.FAN_OUT_INLINE = 0
    authors = crowd(RECORDS_A_COMMIT)
    for author in authors:
        change(UserCount, keys.user_count(author.user_id), [UserCount.followers.set(1)])
        post(author)
    posts = [record for record in unread() if type_of(record) == "Post"]  # as a filter leaves them
    assert handle(event(posts)) == NOTHING_FAILED
    assert len(jobs(JobKind.CROSS_TO_PULL)) == RECORDS_A_COMMIT


NO_FAILURES = {"batchItemFailures": []}


# From our own workers to Lambda and back, each record counts once; whoever is not meant to work refuses.


def everything_from_the_start():
    """What a new event source mapping at TRIM_HORIZON delivers."""
    stream = Stream()
    return event(list(stream.records_behind(stream.shards()[0].shard_id, "")))


def worked() -> None:
    worker = Worker()
    worker.drain()
    worker.give_up()


def lambda_is_quiet() -> None:
    long_ago = StreamHost.beaten_at.set("2026-01-01T00:00:00+00:00")
    change(StreamHost, keys.stream_host(), [long_ago])


def test_likes_count_once_on_the_way_to_lambda_and_back(alice, bob, capsys):
    post_id = post(alice)
    fans = crowd(6)
    like = {"post_id": post_id, "author_id": alice.user_id}
    for fan in fans[:3]:
        like_post(by=fan, **like)
    worked()
    like_post(by=fans[3], **like)  # left to whoever comes
    call_command("hand_over", "lambda")
    for _ in range(2):
        assert handle(everything_from_the_start()) == NO_FAILURES
    assert get_like_count(post_id) == 4
    like_post(by=fans[4], **like)
    handle(everything_from_the_start())
    assert get_like_count(post_id) == 5
    like_post(by=fans[5], **like)  # Lambda did not get to it
    follow(by=bob, user_id=alice.user_id)
    lambda_is_quiet()
    call_command("hand_over", "worker")
    worked()
    assert get_like_count(post_id) == 6
    assert home(bob) == [post_id]


def test_lambda_applies_nothing_while_the_stream_is_the_workers(alice, bob):
    post_id = post(alice)
    worked()
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    answer = handle(everything_from_the_start())
    assert len(answer["batchItemFailures"]) == 1
    assert get_like_count(post_id) == 0


def test_a_worker_refuses_what_is_lambdas_in_one_sentence(alice):
    handle(everything_from_the_start())
    with pytest.raises(WorksElsewhere, match=r"manage\.py hand_over worker"):
        Worker().step()


def test_the_stream_is_not_taken_from_lambda_while_it_is_at_work(alice):
    handle(everything_from_the_start())
    with pytest.raises(CommandError, match="disable the mapping"):
        call_command("hand_over", "worker")


def test_readyz_knows_that_lambda_works(alice):
    handle(everything_from_the_start())
    do_due(beat=Beats())  # by the function of the clock
    answer = Client().get("/readyz").json()
    assert (answer["status"], answer["worker"]["working"]) == ("ok", True)


# The ledger's commit: its proof and its lines together, or nothing.


@pytest.fixture
def lease(table) -> Lease:
    """The lease of the only shard, held by a worker."""
    worker = Worker()
    worker.drain()
    return get(Lease, keys.lease(worker.shards[0].shard_id), consistent=True)


@pytest.fixture
def same_job(lease) -> Ledger:
    """A ledger with a job that is there already, just as it would be created."""
    job = Job.new(kind=JobKind.FAN_OUT, job_id="j", subject_id="s")
    create(job)
    ledger = Ledger()
    ledger.create(job)
    return ledger


def proof(lease: Lease, *, epoch: int = 0) -> CheckpointProof:
    return CheckpointProof(lease.shard_id, int(lease.epoch) + epoch, lease.checkpoint, "999999")


def checkpoint(lease: Lease) -> str:
    return get(Lease, keys.lease(lease.shard_id), consistent=True).checkpoint


def test_a_worker_that_lost_its_lease_is_told_so_even_if_the_same_job_is_there(lease, same_job):
    with pytest.raises(LeaseLost):
        same_job.commit(proof(lease, epoch=-1))
    assert checkpoint(lease) == lease.checkpoint


def test_a_job_that_is_there_already_does_not_hold_the_checkpoint_back(lease, same_job):
    same_job.commit(proof(lease))
    assert checkpoint(lease) == "999999"


def test_a_commit_that_is_repeated_is_refused(lease):
    Ledger().commit(proof(lease))
    with pytest.raises(LeaseLost):
        Ledger().commit(proof(lease))


@dataclass
class Stubborn:
    """A plan whose condition never holds, as if others changed the item each time."""

    lines: int = 0
    made: int = 0

    @property
    def size(self) -> int:
        return self.lines

    def merge(self, other: "Stubborn") -> None:
        self.lines += other.lines

    def actions(self) -> list[Check]:
        self.made += 1
        return [Check(keys.bell("nobody"), otherwise=PlanMoved)]


class Broken(Stubborn):
    def actions(self) -> list[Check]:
        raise ZeroDivisionError


@pytest.mark.parametrize("plan", [Stubborn, Broken])
def test_a_plan_that_cannot_be_written_does_not_hold_the_stream_up(lease, same_job, plan):
    same_job.enter(plan(1))
    same_job.commit(proof(lease))
    assert checkpoint(lease) == "999999"


def test_a_plan_is_made_again_as_long_as_others_change_what_it_depends_on(lease):
    ledger = Ledger()
    ledger.enter(Stubborn(1))
    ledger.commit(proof(lease))
    (plan,) = ledger.plans.values()
    assert plan.made == PLANNED_AT_MOST


def test_plans_of_several_records_are_one_and_fill_the_ledger(lease):
    ledger = Ledger(most_lines=5)
    for _ in range(2):
        ledger.enter(Stubborn(2))
    assert not ledger.is_full
    record = Ledger()
    record.enter(Stubborn(2))
    ledger.merge(record)
    assert ledger.is_full
    assert len(ledger.plans) == 1


# Every handler may run twice on the same record: what it does and what it enters is the same.

Scene = Callable[[], object]


def be_away(person: Viewer) -> None:
    """The person was here last years ago."""
    last_here(person, "2020-01-01")


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
        "vote again": lambda: vote_for(bob, alice, asked, 1, 2),
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
    wants_posts(bob, alice)
    liked, _ = post(alice), post(bob, "#cats #dogs")
    follow_tag(by=alice, tag="cats")
    like_post(by=bob, post_id=liked, author_id=alice.user_id)
    repost(by=bob, post=Pointer(liked, alice.user_id))
    vote_for(bob, alice, asked := ask(alice, change=True, several=True), 0, 1)
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


def hold(held: Viewer, *, ended: bool) -> None:
    first, second = person("first", role="admin"), person("second", role="admin")
    until = utc_now() + timedelta(days=30)
    ask_hold(by=first.user_id, target=find_target(held.user_id), until=until, reason="A court")
    confirm_hold(by=second.user_id, hold=get_hold("account", held.user_id))
    if ended:
        release_hold(by=first.user_id, hold=get_hold("account", held.user_id))


def test_a_jobs_step_handled_twice_is_made_once(alice, bob, worker, settings, kind, monkeypatch):
    settings.FAN_OUT_STEP = 2
    monkeypatch.setattr("notifications.stream_handlers.PEOPLE_A_STEP", 2)
    gather(readers := crowd(3), alice)
    gather(readers if kind == JobKind.FAN_OUT_REPLY else [], bob)
    for one in crowd(5):
        follow(by=bob, user_id=one.user_id)
    for one in readers if kind == JobKind.NOTIFY_OF_POST else []:
        wants_posts(one, alice)
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
            vote_for(bob, alice, ask(alice), 1)
        case JobKind.CARRY_AUDIENCE:
            root = post(alice)
            answer(bob, alice, root)
            change_audience(by=alice, post_id=root, audience=Audience.FRIENDS)
        case JobKind.INDEX_POSTS:
            keep_out_of_search(alice)
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
    if kind in (JobKind.HOLD, JobKind.END_HOLD):
        hold(alice, ended=kind == JobKind.END_HOLD)
    if kind == JobKind.DELETE_POSTS:
        delete_old_posts(by=alice, choice=Choice(frozenset(Kind), frozenset(Kept)))
    assert len(jobs(kind)) == 1
    records = unread()
    with clock_at(utc_now()):  # what is kept says until when it is fresh
        handle_all(records)
        done = everything()
        handle_all(records)
    assert everything() == done


def keep_out_of_search(person: Viewer) -> None:
    save_privacy(by=person, locked=False, archived_before=None, not_suggested=False,
                 not_indexed=False, not_searched=True)  # fmt: skip
