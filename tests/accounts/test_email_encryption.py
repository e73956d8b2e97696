"""Email addresses: nowhere in the table to be read, and bound to the place where they stand."""

import base64

import pytest
from cryptography.exceptions import InvalidTag

from accounts.encryption.emails import decrypt_email, email_hmac, encrypt_email
from accounts.encryption.person_keys import open_person_key
from accounts.models import Credentials
from socialsite.process_state import reset_process_state
from socialsite.table import get, keys
from socialsite.table.reading import scan

ADDRESS = "alice@example.org"


def stored(viewer) -> bytes:
    return get(Credentials, keys.credentials(viewer.user_id)).email


def test_no_item_of_the_table_holds_an_address_that_can_be_read(alice, bob):
    everything = repr(list(scan())).lower()
    assert "handle#alice" in everything
    for part in (ADDRESS, "@example", "example.org"):
        assert part not in everything
        assert base64.b64encode(part.encode()).decode().rstrip("=").lower() not in everything


def test_the_stored_address_is_the_one_that_was_typed(alice):
    assert decrypt_email(stored(alice), user_id=alice.user_id) == ADDRESS


def test_an_address_copied_to_somebody_else_is_refused(alice, bob):
    with pytest.raises(InvalidTag):
        decrypt_email(stored(alice), user_id=bob.user_id)


@pytest.mark.parametrize("place", [0, 1, 2, 13, 14, -1])
def test_an_altered_address_is_refused(alice, place):
    raw = bytearray(stored(alice))
    raw[place] ^= 1
    with pytest.raises(InvalidTag):
        decrypt_email(bytes(raw), user_id=alice.user_id)


def test_the_same_address_looks_different_each_time(alice):
    key = open_person_key(alice.user_id)
    assert encrypt_email(ADDRESS, key=key) != encrypt_email(ADDRESS, key=key)


def test_another_data_key_reads_nothing_and_finds_nothing(alice, settings):
    encrypted, found_by = stored(alice), email_hmac(ADDRESS)
    settings.DATA_KEY = "another data key that is long enough as well"
    reset_process_state()
    with pytest.raises(InvalidTag):
        decrypt_email(encrypted, user_id=alice.user_id)
    assert email_hmac(ADDRESS) != found_by


def test_one_mailbox_is_looked_up_by_one_hash():
    assert email_hmac(" Alice@Example.ORG ") == email_hmac(ADDRESS)
    assert email_hmac("alicia@example.org") != email_hmac(ADDRESS)
