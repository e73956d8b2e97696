"""The books of a batch: all that was entered is written once, with the proof, or nothing is."""

from collections import Counter
from dataclasses import dataclass, field
from typing import ClassVar

import pytest

from feed.posts.models import LikeCount
from socialsite.streams import ledger as books
from socialsite.streams.ledger import (
    PLANNED_AT_MOST,
    AlreadyEntered,
    CheckpointProof,
    LeaseLost,
    Ledger,
    PlanMoved,
)
from socialsite.streams.models import Job, JobKind, Lease
from socialsite.table import (
    Check,
    Conflict,
    Create,
    NotFound,
    Unavailable,
    create,
    fetch,
    get,
    keys,
)
from socialsite.table.errors import Fenced
from tests.feed.conftest import listen

ONE, OTHER = keys.like_count("one"), keys.like_count("other")


def nothing():
    pass


def job(job_id):
    return Job.new(kind=JobKind.ERASE, job_id=job_id, subject_id="someone")


def is_there(job_id):
    key = keys.job(JobKind.ERASE, job_id)
    return key in fetch([key], consistent=True)


def likes_of(post_id):
    return get(LikeCount, keys.like_count(post_id), consistent=True).likes


@dataclass
class Planned:
    """A plan that creates jobs. The first time it has not yet seen that one is taken, if it `learns`."""

    job_ids: list[str] = field(default_factory=list)
    made: ClassVar[int] = 0
    learns: ClassVar[bool] = False
    error: ClassVar[Exception | None] = None

    @property
    def size(self):
        return len(self.job_ids)

    def merge(self, other):
        self.job_ids += other.job_ids

    def actions(self):
        type(self).made += 1
        if self.error:
            raise self.error
        free = [one for one in self.job_ids if one != "taken" or not self.learns or self.made == 1]
        return [Create(job(one), otherwise=PlanMoved) for one in free]


class OtherPlan(Planned):
    pass


class Proven:
    """A proof that is an item of its own."""

    def __init__(self, given=False):
        self.given = given

    def actions(self):
        return [Create(job("proof"), otherwise=LeaseLost)]

    def is_given(self):
        return self.given


@pytest.fixture(autouse=True)
def plans_begin_anew():
    for plan in (Planned, OtherPlan):
        plan.made, plan.learns, plan.error = 0, False, None


@pytest.fixture
def counted(table):
    """A counter that is there; that of `other` is missing."""
    create(LikeCount.new(post_id="one"))


def entered(*changes, key=ONE, if_gone=nothing):
    ledger = Ledger()
    for change in changes:
        ledger.add(LikeCount, key, LikeCount.likes, change, if_gone=if_gone)
    return ledger


# What is entered.


def test_a_ledger_is_full_with_as_many_lines_as_a_batch_may_have():
    ledger = Ledger(most_lines=4)
    ledger.add(LikeCount, ONE, LikeCount.likes, 1, if_gone=nothing)
    ledger.create(job("a"))
    ledger.enter(Planned(["b"]))
    assert not ledger.is_full
    ledger.enter(OtherPlan(["c"]))
    assert ledger.is_full
    ledger.create(job("d"))
    assert ledger.is_full
    assert Ledger().most_lines == 60


def test_lines_are_named_by_what_they_are_of_with_one_for_the_proof():
    ledger = entered(1)
    ledger.create(job("a"))
    ledger.create(job("b"))
    ledger.enter(Planned(["c", "d"]))
    assert ledger.lines == Counter(
        {
            "socialsite:commit": 1,
            "feed:LikeCount": 1,
            "socialsite:Job": 2,
            "tests:Planned": 2,
        }
    )


def test_a_ledger_knows_whether_anything_was_done():
    assert not Ledger().had_effects
    for do in (
        lambda ledger: ledger.note_effect(),
        lambda ledger: ledger.create(job("a")),
        lambda ledger: ledger.enter(Planned(["a"])),
        lambda ledger: ledger.add(LikeCount, ONE, LikeCount.likes, 0, if_gone=nothing),
    ):
        ledger, whole = Ledger(), Ledger()
        do(ledger)
        assert ledger.had_effects is True
        whole.merge(ledger)
        assert whole.had_effects is True
        whole.merge(Ledger())
        assert whole.had_effects is True
    empty = Ledger()
    empty.enter(Planned())
    empty.merge(Ledger())
    assert (empty.had_effects, empty.plans) == (False, {})


def test_what_each_record_entered_comes_together():
    one, other, whole = entered(1, 1), entered(-3), Ledger()
    other.add_all(LikeCount, ONE, [(LikeCount.likes, 1), (LikeCount.replies, 5)], if_gone=nothing)
    other.add(LikeCount, OTHER, LikeCount.likes, 1, if_gone=nothing)
    one.create(job("a"))
    other.create(job("b"))
    one.enter(Planned(["c"]))
    other.enter(Planned(["d"]))
    for ledger in (one, other):
        whole.merge(ledger)
    assert {name: by for name, (_, by) in whole.entries[ONE].sums.items()} == {
        "like#": 0,
        "reply#": 5,
    }
    assert len(whole.entries[ONE].if_gone) == 4
    assert whole.entries.keys() == {ONE, OTHER}
    assert whole.entries[ONE].model is LikeCount
    assert [item.job_id for item in whole.new_items.values()] == ["a", "b"]
    assert whole.plans == {Planned: Planned(["c", "d"])}


# What a commit writes.


def test_a_commit_writes_each_kind_of_entry_with_its_proof(counted):
    ledger = entered(1, 1)
    ledger.create(job("new"))
    ledger.enter(Planned(["planned"]))
    ledger.enter(OtherPlan(["planned too"]))
    ledger.commit(Proven())
    assert likes_of("one") == 2
    assert all(map(is_there, ["new", "planned", "planned too", "proof"]))
    assert Planned.made == 1


def test_without_its_proof_a_commit_writes_nothing(counted):
    create(job("proof"))
    ledger = entered(1)
    ledger.create(job("new"))
    with pytest.raises(LeaseLost):
        ledger.commit(Proven())
    assert likes_of("one") == 0
    assert not is_there("new")


def test_a_missing_counter_is_left_out_and_said_so_before_the_commit(counted):
    told = []
    ledger = entered(1, if_gone=lambda: told.append("not this"))
    for number in (1, 2):
        ledger.add(
            LikeCount, OTHER, LikeCount.likes, 1,
            if_gone=lambda number=number: told.append((number, is_there("proof"))),
        )  # fmt: skip
    ledger.commit(Proven())
    assert told == [(1, False), (2, False)]
    assert likes_of("one") == 1
    assert is_there("proof")


def test_changes_that_cancel_out_still_tell_that_the_counter_is_gone(counted):
    told = []
    ledger = entered(1, -1, key=OTHER, if_gone=lambda: told.append("gone"))
    ledger.add(LikeCount, ONE, LikeCount.likes, 0, if_gone=lambda: told.append("not this"))
    ledger.commit(Proven())
    assert told == ["gone", "gone"]
    assert LikeCount.new(post_id="other").key not in fetch([OTHER])


def test_an_item_that_is_there_is_left_as_it_is(counted):
    create(job("job"))
    ledger = entered(1)
    ledger.create(Job.new(kind=JobKind.ERASE, job_id="job", subject_id="another"))
    ledger.commit(Proven())
    assert get(Job, keys.job(JobKind.ERASE, "job")).subject_id == "someone"
    assert likes_of("one") == 1
    assert is_there("proof")


def test_a_plan_is_made_anew_as_long_as_it_moves_and_then_left_out(counted):
    create(job("taken"))
    ledger = entered(1)
    ledger.enter(Planned(["taken"]))
    ledger.commit(Proven())
    assert Planned.made == PLANNED_AT_MOST == 10
    assert likes_of("one") == 1


def test_a_plan_that_moved_once_is_written_as_it_is_then(counted):
    create(job("taken"))
    Planned.learns = True
    ledger = entered(1)
    ledger.enter(Planned(["taken", "free"]))
    ledger.commit(Proven())
    assert Planned.made == 2
    assert is_there("free")
    assert likes_of("one") == 1


def test_a_plan_that_fails_is_left_out_and_logged(counted, caplog):
    Planned.error = ZeroDivisionError()
    ledger = entered(1)
    ledger.enter(Planned(["a"]))
    ledger.enter(OtherPlan(["b"]))
    ledger.commit(Proven())
    assert likes_of("one") == 1
    assert (is_there("a"), is_there("b")) == (False, True)
    told = [(record.name, record.getMessage()) for record in caplog.records]
    assert told == [(books.__name__, "Planned cannot be written and is left out")]


@pytest.mark.parametrize("error", [Unavailable, Conflict, Fenced])
def test_a_plan_that_finds_the_engine_away_or_its_lease_lost_stops_the_commit(counted, error):
    Planned.error = error()
    ledger = entered(1)
    ledger.enter(Planned(["a"]))
    with pytest.raises(error):
        ledger.commit(Proven())
    assert not is_there("proof")


def test_a_lost_answer_is_well_if_the_proof_was_given(monkeypatch):
    def answer_lost(*actions, **more):
        raise Unavailable

    monkeypatch.setattr(books, "transact", answer_lost)
    entered(1).commit(Proven(given=True))
    with pytest.raises(Unavailable):
        entered(1).commit(Proven())


def test_another_commit_of_the_same_items_is_never_taken_for_this_one(monkeypatch):
    asked = []
    monkeypatch.setattr(books, "transact", lambda *actions, **more: asked.append((actions, more)))
    ledger = entered(1, -1)
    ledger.create(job("new"))
    ledger.commit(Proven())
    [((proof, check, new), more)] = asked
    assert more == {"may_be_own": False}
    assert (proof.otherwise, new.otherwise) == (LeaseLost, AlreadyEntered)
    assert isinstance(check, Check)


# The proof of a worker.


@pytest.fixture
def lease(table):
    create(Lease("worker#shard", "lease", shard_id="shard", epoch=3, checkpoint="10"))


def checkpoint():
    return get(Lease, keys.lease("shard"), consistent=True).checkpoint


def test_the_proof_of_an_owner_moves_the_checkpoint_once(lease):
    proof = CheckpointProof("shard", 3, "10", "11")
    assert not proof.is_given()
    Ledger().commit(proof)
    assert checkpoint() == "11"
    with listen() as requests:
        assert proof.is_given()
    assert all(made.is_consistent for made in requests.made)
    with pytest.raises(LeaseLost):
        Ledger().commit(proof)


@pytest.mark.parametrize(("epoch", "before"), [(2, "10"), (4, "10"), (3, "9")])
def test_nobody_else_and_from_nowhere_else_moves_it(lease, epoch, before):
    with pytest.raises(LeaseLost):
        Ledger().commit(CheckpointProof("shard", epoch, before, "11"))
    assert checkpoint() == "10"


def test_a_proof_of_another_owner_is_not_given(lease):
    assert not CheckpointProof("shard", 2, "9", "10").is_given()


def test_a_lease_that_is_gone_proves_nothing(table):
    with pytest.raises(NotFound):
        CheckpointProof("shard", 3, "10", "11").is_given()
    with pytest.raises(LeaseLost):
        Ledger().commit(CheckpointProof("shard", 3, "10", "11"))
