"""Two pictures at once on a machine, however many are sent; and a child that is too slow is ended."""

import os
import threading
import time
from functools import partial
from pathlib import Path

import pytest

from socialsite.pictures import decoding
from socialsite.pictures.decoding import PicturesBusy, make_pictures, slot
from tests.accounts.pictures import encode, halves
from tests.pictures.hostile import as_file, scans
from tests.together import together


def children() -> int:
    """How many children for pictures this process has."""
    found = 0
    for pid in Path("/proc").glob("[0-9]*"):
        try:
            is_ours = f"PPid:\t{os.getpid()}\n" in (pid / "status").read_text()
            found += is_ours and b"socialsite.pictures.child" in (pid / "cmdline").read_bytes()
        except OSError:
            continue
    return found


def test_four_people_who_send_at_once_take_turns_in_two_slots(monkeypatch):
    monkeypatch.setattr(decoding, "PATIENCE", 90)
    monkeypatch.setattr(decoding, "SECONDS", 90)
    picture = encode(halves((2000, 1500)), "JPEG", quality=95)
    most, stop = [0], threading.Event()

    def watch() -> None:
        while not stop.is_set():
            most.append(children())
            time.sleep(0.01)

    watcher = threading.Thread(target=watch)
    watcher.start()
    made = together(*(partial(make_pictures, as_file(picture), "photo") for _ in range(4)))
    stop.set()
    watcher.join()
    assert [(one.width, one.height) for one in made] == [(1600, 1200)] * 4
    assert 1 <= max(most) <= decoding.SLOTS


def test_a_slot_is_free_again_after_an_error(monkeypatch):
    monkeypatch.setattr(decoding, "PATIENCE", 0.0)
    for _ in range(decoding.SLOTS + 1):
        with pytest.raises(ZeroDivisionError), slot():
            raise ZeroDivisionError
    with slot(), slot(), pytest.raises(PicturesBusy), slot():
        pass


def test_a_child_that_is_too_slow_is_ended_and_leaves_its_slot(monkeypatch):
    monkeypatch.setattr(decoding, "SECONDS", 0.01)
    for _ in range(decoding.SLOTS + 1):
        with pytest.raises(PicturesBusy):
            make_pictures(as_file(scans(300)), "photo")
    assert children() == 0
