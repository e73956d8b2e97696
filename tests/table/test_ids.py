"""Ids sort by time and say it."""

from datetime import UTC, datetime, timedelta

from ulid import ULID

from socialsite.table import ids


def test_ids_of_one_process_never_go_back():
    minted = [ids.new_id() for _ in range(5000)]
    assert minted == sorted(minted)
    assert len(set(minted)) == 5000


def test_the_time_of_an_id_is_what_the_library_says():
    moments = [
        datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=n, milliseconds=n) for n in range(2000)
    ]
    for moment in moments:
        minted = ids.id_at(moment, bytes(range(10)))
        assert ids.time_of(minted).timestamp() == ULID.from_str(minted).timestamp


def test_bounds_hold_every_id_of_their_moment():
    moment = datetime(2026, 11, 21, 12, 0, 0, 5000, tzinfo=UTC)
    lowest, highest = (ids.id_at(moment, bytes([fill] * 10)) for fill in (0, 255))
    assert ids.first_id_at(moment) <= lowest
    assert highest <= ids.last_id_before(moment + timedelta(milliseconds=1))
    assert ids.last_id_before(moment) < lowest


def test_only_ulids_are_ids():
    assert ids.is_id(ids.new_id())
    for text in ("", "x" * 26, "8" * 26, ids.new_id().lower(), ids.new_id() + "0"):
        assert not ids.is_id(text)
