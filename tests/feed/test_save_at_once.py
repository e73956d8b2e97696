"""Windows that save, move and remove the same post at once leave one saved post, the same in every list."""

import threading

import pytest

from accounts.people.viewer import Viewer
from feed.saved import writes
from feed.saved.models import SavedPost
from feed.saved.writes import create_folder, remove_saved_post, save_post
from socialsite.table import change, keys, write_batch
from tests.conftest import post
from tests.feed.scenes import shelf_of, state
from tests.looks import broken_invariants


@pytest.fixture
def post_id(bob) -> str:
    return post(bob, "Read me")


def test_windows_that_save_at_once_leave_one_saved_post(alice, bob, post_id):
    folders = [create_folder(by=alice, name=str(number)) for number in range(4)]
    start, failures = threading.Barrier(len(folders)), []

    def save(folder: str) -> None:
        start.wait()
        try:
            save_post(by=alice, post_id=post_id, author_id=bob.user_id, folder_id=folder)
        except Exception as error:
            failures.append(error)

    for _ in range(5):
        threads = [threading.Thread(target=save, args=[folder]) for folder in folders]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        in_folder, of_all = shelf_of(alice)
        assert in_folder.folder == of_all.folder in folders
        assert in_folder.sk == keys.saved_post(alice.user_id, post_id, of_all.folder).sk
        remove_saved_post(by=alice, post_id=post_id)
    assert not failures


@pytest.mark.parametrize("meanwhile", ["saved elsewhere", "removed", "removed and saved again"])
def test_what_another_window_did_meanwhile_is_read_again(
    alice, bob, post_id, monkeypatch, meanwhile
):
    one, other, wanted = (create_folder(by=alice, name=name) for name in "ABC")
    save_post(by=alice, post_id=post_id, author_id=bob.user_id, folder_id=one)
    transact, raced = writes.transact, []

    def late(*actions):
        if not raced:
            raced.append(True)
            if meanwhile.startswith("removed"):
                remove_saved_post(by=alice, post_id=post_id)
            if meanwhile != "removed":
                again = one if meanwhile.endswith("again") else other
                save_post(by=alice, post_id=post_id, author_id=bob.user_id, folder_id=again)
        transact(*actions)

    monkeypatch.setattr(writes, "transact", late)
    save_post(by=alice, post_id=post_id, author_id=bob.user_id, folder_id=wanted, note="Mine")
    expected = [(wanted, post_id, wanted, "Mine"), ("all", post_id, wanted, "Mine")]
    assert state(alice) == expected
    assert len({item.saved_at for item in shelf_of(alice)}) == 1


def test_removing_what_another_window_moves_removes_it(alice, bob, post_id, monkeypatch):
    one, other = (create_folder(by=alice, name=name) for name in "AB")
    save_post(by=alice, post_id=post_id, author_id=bob.user_id, folder_id=one)
    transact, raced = writes.transact, []

    def late(*actions):
        if not raced:
            raced.append(True)
            save_post(by=alice, post_id=post_id, author_id=bob.user_id, folder_id=other)
        transact(*actions)

    monkeypatch.setattr(writes, "transact", late)
    remove_saved_post(by=alice, post_id=post_id)
    assert state(alice) == []


def lose_the_copy(alice: Viewer, post_id: str, folder: str) -> None:
    write_batch(deletes=[keys.saved_post(alice.user_id, post_id, folder)])


def lose_the_one_of_all(alice: Viewer, post_id: str, folder: str) -> None:
    write_batch(deletes=[keys.saved_post(alice.user_id, post_id)])


def change_one_note(alice: Viewer, post_id: str, folder: str) -> None:
    key = keys.saved_post(alice.user_id, post_id)
    change(SavedPost, key, [SavedPost.note.set("Another")])


@pytest.mark.parametrize("damage", [lose_the_copy, lose_the_one_of_all, change_one_note])
def test_the_audit_sees_a_folder_that_differs(alice, bob, post_id, damage):
    folder = create_folder(by=alice, name="A")
    save_post(by=alice, post_id=post_id, author_id=bob.user_id, folder_id=folder)
    save_post(by=bob, post_id=post_id, author_id=bob.user_id)
    rule = "every saved post is in its folder, and nothing else is"
    assert rule not in broken_invariants()
    damage(alice, post_id, folder)
    assert len(broken_invariants()[rule]) == 1
