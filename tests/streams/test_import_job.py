"""The job of an import: some rows a step, the same report whatever dies in between, and an end in every case."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.access_patterns import get_user_info
from accounts.csv_files import FileKind, Row
from accounts.imports import get_import, list_import_lines
from accounts.relation_lists import get_bond
from accounts.services.follow import follow
from accounts.services.import_relations import ROWS_AN_ITEM, import_relations
from accounts.stream_handlers import import_relations as handler
from socialsite.invariants import Invariants
from socialsite.models import Import, ImportRows, Job, JobKind
from socialsite.streams.jobs import STEPS
from socialsite.streams.worker import Worker
from socialsite.table import keys
from socialsite.table.actions import Delete
from socialsite.table.errors import Unavailable
from socialsite.table.reading import get, query
from socialsite.table.writing import change, transact
from tests.accounts.relations import lock
from tests.streams.crowd import crowd, jobs
from tests.streams.records import everything, handle_all, unread

HERE = "here"


@pytest.fixture
def worker(table) -> Worker:
    return Worker()


def bring(viewer, handles: list[str], kind: FileKind = FileKind.FOLLOWS, circle: str = "") -> str:
    rows = [Row(handle, circle) for handle in handles]
    return import_relations(by=viewer, kind=kind, rows=rows, host=HERE)


def handles_of(people) -> list[str]:
    return [f"x{one.user_id.lower()}" for one in people]


def results(viewer, import_id: str) -> list[str]:
    page = list_import_lines(viewer, get_import(viewer, import_id))
    return [line.result for line in page.items]


def the_job() -> Job:
    (job,) = jobs(JobKind.IMPORT)
    return job


def test_it_goes_on_item_by_item_and_tells_how_far_it_is(alice, worker):
    import_id = bring(alice, handles_of(crowd(2 * ROWS_AN_ITEM + 1)))
    progress = []
    while jobs(JobKind.IMPORT):
        progress.append(get_import(alice, import_id).done)
        worker.step()
    assert progress == [0, ROWS_AN_ITEM, 2 * ROWS_AN_ITEM]
    found = get_import(alice, import_id)
    assert (found.done, found.problems, found.is_done) == (41, 0, True)
    assert get_user_info(alice.user_id).following == 41


@pytest.mark.parametrize("size", [1, ROWS_AN_ITEM - 1, ROWS_AN_ITEM, ROWS_AN_ITEM + 1])
def test_every_row_has_its_result_whatever_their_number(alice, worker, size):
    import_id = bring(alice, handles_of(crowd(size)))
    worker.drain()
    assert results(alice, import_id) == ["done"] * size
    assert not jobs(JobKind.IMPORT)


@pytest.mark.parametrize("fails_at", range(1, 13))
def test_a_worker_that_dies_anywhere_in_a_step_leaves_the_same_report(
    alice, bob, worker, monkeypatch, fails_at
):
    """Each write of the step is the last one in turn: results, progress, the follows between them."""
    follow(by=alice, user_id=bob.user_id)
    import_id = bring(alice, ["bob", "nobody_here", *handles_of(crowd(3))])
    calls = 0

    def dying(act):
        def call(*args, **kwargs):
            nonlocal calls
            calls += 1
            if calls == fails_at:
                raise Unavailable("dead")
            done = act(*args, **kwargs)
            calls += 1
            if calls == fails_at:
                raise Unavailable("dead after the write")
            return done

        return call

    with monkeypatch.context() as patch:
        patch.setattr(handler, "change", dying(handler.change))
        patch.setattr(handler, "follow", dying(handler.follow))
        with pytest.raises(Unavailable):
            STEPS[JobKind.IMPORT](the_job())
    worker.drain()
    assert results(alice, import_id) == ["already", "nobody", "done", "done", "done"]
    found = get_import(alice, import_id)
    assert (found.done, found.problems) == (5, 1)
    assert get_user_info(alice.user_id).following == 4


def test_a_step_that_is_made_twice_reports_once(alice, worker):
    import_id = bring(alice, ["nobody_here", *handles_of(crowd(ROWS_AN_ITEM))])
    job = the_job()
    STEPS[JobKind.IMPORT](job)
    first = everything()
    assert STEPS[JobKind.IMPORT](job).cursor == "1"
    assert everything() == first
    worker.drain()
    found = get_import(alice, import_id)
    assert (found.done, found.problems) == (ROWS_AN_ITEM + 1, 1)


def test_a_worker_that_looks_late_takes_what_was_noted_first(alice, bob, worker):
    import_id = bring(alice, ["bob"])
    job = the_job()
    unlooked = get(ImportRows, keys.import_row(alice.user_id, import_id, 0))
    STEPS[JobKind.IMPORT](job)
    handler._look(alice, FileKind.FOLLOWS, unlooked, {"bob": bob.user_id})
    assert results(alice, import_id) == ["done"]


def test_records_handled_again_change_nothing(alice, worker):
    bring(alice, handles_of(crowd(3)))
    records = unread()
    worker.drain()
    before = everything()
    handle_all(records)
    assert everything() == before


def test_several_imports_go_on_side_by_side(alice, bob, worker):
    people = crowd(ROWS_AN_ITEM + 1)
    found = [bring(one, handles_of(people)) for one in (alice, bob)]
    worker.step()
    assert [get_import(alice, found[0]).done, get_import(bob, found[1]).done] == [ROWS_AN_ITEM] * 2


def test_it_stops_when_the_account_is_gone(alice, bob, worker):
    bring(alice, ["bob"])
    transact(Delete(keys.user_info(alice.user_id)))
    worker.drain()
    assert not jobs(JobKind.IMPORT)
    assert not list(query(keys.followers(bob.user_id)))


def test_it_stops_when_the_import_has_expired(alice, bob, worker):
    import_id = bring(alice, ["bob"])
    past = datetime.now(UTC) - timedelta(seconds=1)
    change(Import, keys.imported(alice.user_id, import_id), [Import.ttl.set(past)])
    worker.drain()
    assert not jobs(JobKind.IMPORT)
    assert not get_bond(alice, bob.user_id).follows


def test_who_locks_their_account_meanwhile_is_asked(alice, bob, worker):
    import_id = bring(alice, ["bob"])
    lock(bob)
    worker.drain()
    assert results(alice, import_id) == ["asked"]


def test_no_item_is_larger_than_an_item_may_be(alice):
    rows = [
        Row("陈" * 900, "👪" * 30),
        Row(f"{'a' * 30}@{HERE}", "👨‍👩‍👧"),
        Row("\u202e" * 64, "x" * 500),
    ]
    import_relations(by=alice, kind=FileKind.CIRCLES, rows=rows * 40, host=HERE)
    invariants = Invariants()
    for raw in query(keys.import_rows(alice.user_id)):
        invariants.add(raw)
    assert not invariants.large


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_a_step_costs_what_its_description_says(alice, measure):
    bring(alice, handles_of(crowd(ROWS_AN_ITEM)))
    job = the_job()
    with measure() as meter:
        STEPS[JobKind.IMPORT](job)
    reads = [call for call in meter.calls if call.is_read]
    assert [call.operation for call in reads] == ["BatchGetItem"] * 3 + ["GetItem"]
    assert meter.read_units <= 3 + ROWS_AN_ITEM * 3.5 + 1
    own = [call for call in meter.calls if call.operation == "UpdateItem"]
    assert len(own) == 3
    assert sum(call.units for call in own) <= 7
