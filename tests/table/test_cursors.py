"""Cursors: a place that only the site can read, for one list, for ever."""

from base64 import urlsafe_b64decode, urlsafe_b64encode

import pytest
from django.core.signing import Signer
from django.test import override_settings

from socialsite.table import BadCursor, Place, keys, read_cursor, write_cursor
from socialsite.table.ids import new_id
from socialsite.table.paging import MAX_LENGTH

LIST = "u#01ALICE#post"


def signed(partition: str, place: Place) -> str:
    """A cursor as earlier versions made it."""
    payload = urlsafe_b64encode(f"{place.direction[0]}{place.sk}".encode()).decode().rstrip("=")
    return Signer(salt=f"cursor {partition}", sep=".").sign(payload)


@pytest.mark.parametrize("direction", ["next", "previous"])
@pytest.mark.parametrize("sk", ["", "p#1", "é陈", "x" * 1024], ids=["empty", "id", "text", "long"])
def test_a_place_comes_back_as_it_was(direction, sk):
    place = Place(direction, sk)
    cursor = write_cursor(LIST, place)
    assert read_cursor(LIST, cursor) == place
    assert len(cursor) <= MAX_LENGTH


def test_a_path_of_37_replies_fits():
    path = "#".join(new_id() for _ in range(37))
    assert read_cursor(LIST, write_cursor(LIST, Place("next", path))).sk == path


def test_a_cursor_tells_no_id():
    post_id = new_id()
    cursor = write_cursor(LIST, Place("next", keys.pointer(post_id, "A")))
    seen = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    assert post_id not in cursor
    assert post_id.encode() not in seen


def test_cursors_of_neighbours_have_nothing_in_common():
    one, other = (write_cursor(LIST, Place("next", f"{'A' * 25}{end}")) for end in "AB")
    assert sum(a == b for a, b in zip(one, other, strict=True)) < len(one) / 4


def test_the_same_place_has_the_same_address():
    place = Place("next", "p#1")
    assert write_cursor(LIST, place) == write_cursor(LIST, place)


def test_a_cursor_fits_no_other_list():
    with pytest.raises(BadCursor):
        read_cursor("u#01BOB#post", write_cursor(LIST, Place("next", "p#1")))


def test_a_cursor_outlives_a_change_of_the_secret_key_while_the_old_one_is_named():
    with override_settings(SECRET_KEY="the one before"):
        cursor = write_cursor(LIST, Place("next", "p#1"))
    with override_settings(SECRET_KEY_FALLBACKS=["older", "the one before"]):
        assert read_cursor(LIST, cursor).sk == "p#1"
    with pytest.raises(BadCursor):
        read_cursor(LIST, cursor)


def test_a_signed_cursor_of_an_open_page_still_leads_on():
    place = Place("previous", "p#1")
    assert read_cursor(LIST, signed(LIST, place)) == place
    with pytest.raises(BadCursor):
        read_cursor("u#01BOB#post", signed(LIST, place))
    with pytest.raises(BadCursor):
        read_cursor(LIST, "x" + signed(LIST, place))


def test_no_changed_bit_goes_unnoticed():
    cursor = write_cursor(LIST, Place("next", "p#1"))
    encrypted = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    for bit in range(len(encrypted) * 8):
        changed = bytearray(encrypted)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(BadCursor):
            read_cursor(LIST, urlsafe_b64encode(bytes(changed)).decode().rstrip("="))
