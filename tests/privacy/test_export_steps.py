"""An export is whole and each record in it once, whatever is killed, frozen or done twice while it is made."""

import tracemalloc
from datetime import UTC, datetime, timedelta

import pytest

from feed.posts.models import Post
from privacy.export import sources, stream
from privacy.export.parts import ZIP
from privacy.export.stream import export_step
from privacy.export.writes import FILES_KEPT_FOR, delete_exports
from relations.models import Follower
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import do_due
from socialsite.streams.models import JobKind
from socialsite.table import ids, write_batch
from tests.conftest import post
from tests.looks import due_items
from tests.privacy.lives import Unpacked, ask_for_export_of, state_of
from tests.streams.crowd import jobs
from tests.streams.records import handle_all, unread


@pytest.fixture(autouse=True)
def small_steps(monkeypatch) -> None:
    monkeypatch.setattr(sources, "ITEMS_A_STEP", 3)


def follow_by_many(viewer, number: int) -> None:
    write_batch(
        puts=[Follower.new(user_id=viewer.user_id, follower_id=ids.new_id()) for _ in range(number)]
    )


def zip_of(viewer, folder) -> Unpacked:
    (found,) = folder.glob(f"{viewer.user_id}/*/{ZIP}")
    return Unpacked(found.read_bytes())


def planned_makes() -> list[Due]:
    return due_items("make-export")


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 7])
def test_at_every_border_of_a_step_nothing_is_missing_or_doubled(
    alice, drain_stream, exports_folder, number
):
    posts = [post(alice, f"{n}") for n in range(number)]
    follow_by_many(alice, number)
    ask_for_export_of(alice)
    drain_stream()
    do_due()
    unpacked = zip_of(alice, exports_folder)
    assert [one["id"] for one in unpacked.items("posts")] == posts
    assert len(unpacked.items("followers")) == number
    assert unpacked.manifest["counts"]["posts"] == number


def test_steps_and_zip_done_twice_make_the_same(alice, drain_stream, exports_folder):
    posts = [post(alice, f"{n}") for n in range(7)]
    ask_for_export_of(alice)
    while jobs(JobKind.EXPORT):  # as workers that die before each commit, so each does all again
        handle_all(unread())
    handle_all(unread())
    (due,) = planned_makes()
    stream.make_export(due)
    first = state_of(alice)
    stream.make_export(due)
    drain_stream()
    do_due()
    assert state_of(alice) == first
    assert [one["id"] for one in zip_of(alice, exports_folder).items("posts")] == posts


def test_what_a_frozen_worker_writes_late_does_not_count(alice, drain_stream, exports_folder):
    kept = [post(alice, f"{n}") for n in range(5)]
    ask_for_export_of(alice)
    (job,) = jobs(JobKind.EXPORT)
    handle_all(unread())  # the profile
    (job,) = jobs(JobKind.EXPORT)
    export_step(job)  # reads and leaves a part, and freezes before its commit
    kept.append(post(alice, "after"))
    drain_stream()
    export_step(job)  # wakes, and leaves another one
    do_due()
    assert [one["id"] for one in zip_of(alice, exports_folder).items("posts")] == kept


def test_a_clock_that_dies_while_it_makes_the_zip_begins_again(
    alice, drain_stream, exports_folder, monkeypatch
):
    post(alice)
    ask_for_export_of(alice)
    drain_stream()
    keep = stream.save_zip

    def die(user_id, export_id, made):
        made.truncate(100)
        keep(user_id, export_id, made)
        raise SystemError

    monkeypatch.setattr(stream, "save_zip", die)
    do_due()
    assert not state_of(alice).is_ready
    monkeypatch.setattr(stream, "save_zip", keep)
    do_due(utc_now() + stream.OFFERED_FOR / 2)
    assert state_of(alice).is_ready
    assert zip_of(alice, exports_folder).wrong_hashes() == []


def test_an_export_that_is_deleted_meanwhile_is_not_made(alice, drain_stream, exports_folder):
    for _ in range(4):
        post(alice)
    ask_for_export_of(alice)
    handle_all(unread())
    delete_exports(alice.user_id)
    drain_stream()
    do_due()
    assert not jobs(JobKind.EXPORT)
    ask_for_export_of(alice)
    drain_stream()
    delete_exports(alice.user_id)
    do_due()
    do_due(utc_now() + FILES_KEPT_FOR * 1.1)
    assert not [path for path in exports_folder.rglob("*") if path.is_file()]


def test_the_parts_are_private_files(alice, drain_stream, exports_folder):
    post(alice)
    ask_for_export_of(alice)
    drain_stream()
    do_due()
    found = list(exports_folder.rglob("*"))
    assert len(found) > 3
    assert not [path for path in found if path.stat().st_mode & 0o077]
    do_due(utc_now() + FILES_KEPT_FOR * 1.1)
    assert list(exports_folder.iterdir()) == []


def test_memory_does_not_grow_with_the_posts(alice, exports_folder, monkeypatch, drain_stream):
    monkeypatch.setattr(sources, "ITEMS_A_STEP", 10)

    def most_memory(posts: range) -> int:
        begin = datetime(2020, 1, 1, tzinfo=UTC)
        moments = {n: begin + timedelta(days=5 * n) for n in posts}
        write_batch(
            puts=[
                Post.new(
                    post_id=ids.id_at(at, n.to_bytes(10)),
                    author_id=alice.user_id,
                    content="x" * 9_000,
                )
                for n, at in moments.items()
            ]
        )
        delete_exports(alice.user_id)
        ask_for_export_of(alice)
        drain_stream()
        tracemalloc.start()
        do_due()
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        unpacked = zip_of(alice, exports_folder)
        assert len(unpacked.items("posts")) == posts.stop
        return most

    few, many = most_memory(range(20)), most_memory(range(20, 120))
    assert many < few + 500_000  # the texts of the others alone are 900,000
