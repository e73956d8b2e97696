"""Each person has a data key. What it seals is readable at its own place alone, and nowhere once the key is erased."""

import time

import pytest
from cryptography.exceptions import InvalidTag

from accounts.credentials.second_factor import decrypt_secret, encrypt_new_secret
from accounts.encryption import person_keys
from accounts.encryption.emails import decrypt_email, encrypt_email
from accounts.encryption.person_keys import (
    KeyCache,
    NoPersonKey,
    context_of,
    current_master,
    erase_person_key,
    erasing_person_key,
    open_person_key,
)
from accounts.models import Credentials, PersonKey
from accounts.security.writes import turn_on_second_factor
from socialsite.process_state import reset_process_state
from socialsite.table import Change, change, get, keys, transact
from socialsite.table.reading import scan
from tests.accounts.codes import App, credentials, in_browser, with_second_factor

PLACE = keys.Key("u#1#auth", "auth")


def stored_key(viewer) -> PersonKey:
    return get(PersonKey, keys.person_key(viewer.user_id), consistent=True)


def address_of(viewer) -> str:
    return decrypt_email(credentials(viewer).email, user_id=viewer.user_id)


def set_email(key, address: str) -> None:
    """Writes an address as any service does: with the condition that the key is there."""
    place = keys.credentials(key.user_id)
    sealed = Credentials.email.set(encrypt_email(address, key=key))
    transact(Change(Credentials, place, [sealed]), key.check())


def test_each_person_has_a_key_of_their_own_from_the_start(alice, bob):
    assert open_person_key(alice.user_id).secret != open_person_key(bob.user_id).secret
    assert {raw["user_id"]["S"] for raw in scan() if raw["type"]["S"] == "PersonKey"} == {
        alice.user_id,
        bob.user_id,
    }


def test_the_table_holds_no_key_that_can_be_used(alice):
    secret, everything = open_person_key(alice.user_id).secret, list(scan())
    assert not any(secret in value.get("B", b"") for raw in everything for value in raw.values())
    assert len(stored_key(alice).wrapped) == 60


def test_a_sealed_value_is_small(alice):
    assert len(credentials(alice).email) == len("alice@example.org") + 30


def test_a_value_at_another_place_is_refused(alice):
    key = open_person_key(alice.user_id)
    sealed = key.seal("secret", key=PLACE, attribute="email")
    assert key.unseal(sealed, key=PLACE, attribute="email") == "secret"
    elsewhere = [
        (PLACE, "totp"),
        (keys.Key("u#2#auth", "auth"), "email"),
        (keys.Key("u#1#auth", "other"), "email"),
        # the same letters, cut at another place
        (keys.Key("u#1#aut", "hauth"), "email"),
    ]
    for place, attribute in elsewhere:
        with pytest.raises(InvalidTag):
            key.unseal(sealed, key=place, attribute=attribute)


@pytest.mark.parametrize("broken", [b"", b"\x02", b"\x02\x01" + bytes(11), b"\x02\x01" + bytes(27)])
def test_what_is_no_sealed_value_is_refused(alice, broken):
    with pytest.raises(InvalidTag):
        open_person_key(alice.user_id).unseal(broken, key=PLACE, attribute="email")


def test_a_value_copied_to_another_person_is_refused(alice, bob):
    with_second_factor(alice)
    copied = [Credentials.totp.set(credentials(alice).totp)]
    change(Credentials, keys.credentials(bob.user_id), copied)
    with pytest.raises(InvalidTag):
        decrypt_secret(credentials(bob).totp, user_id=bob.user_id)


def test_a_key_copied_to_another_person_is_refused(alice, bob):
    copied = [PersonKey.wrapped.set(stored_key(alice).wrapped)]
    change(PersonKey, keys.person_key(bob.user_id), copied)
    with pytest.raises(InvalidTag):
        open_person_key(bob.user_id)


def test_a_wrapped_key_belongs_to_its_person_and_its_master_key(alice, settings):
    master, wrapped = current_master(), stored_key(alice).wrapped
    assert (
        master.unwrap(wrapped, context_of(alice.user_id)) == open_person_key(alice.user_id).secret
    )
    with pytest.raises(InvalidTag):
        master.unwrap(wrapped, context_of("someone else"))
    settings.DATA_KEY = "another data key that is long enough as well"
    with pytest.raises(InvalidTag):
        current_master().unwrap(wrapped, context_of(alice.user_id))


def test_an_erased_key_leaves_nothing_to_read(alice, bob):
    erase_person_key(alice.user_id)
    with pytest.raises(NoPersonKey):
        address_of(alice)
    assert address_of(bob) == "bob@example.org"
    erase_person_key(alice.user_id)  # safe to repeat


def test_nobody_seals_with_an_erased_key_even_if_they_have_it_in_memory(alice):
    key = open_person_key(alice.user_id)
    transact(erasing_person_key(alice.user_id))  # by another process
    before = credentials(alice).email
    with pytest.raises(NoPersonKey):
        set_email(key, "new@example.org")
    assert credentials(alice).email == before


def test_two_step_verification_is_not_turned_on_with_an_erased_key(alice, log_in):
    by = in_browser(alice, log_in(alice))
    encrypted = encrypt_new_secret(user_id=alice.user_id)
    code = App(alice, decrypt_secret(encrypted, user_id=alice.user_id), []).same_code()
    open_person_key(alice.user_id)
    transact(erasing_person_key(alice.user_id))
    with pytest.raises(NoPersonKey):
        turn_on_second_factor(by=by, encrypted=encrypted, code=code)
    assert credentials(alice).totp is None


def test_a_key_is_read_once_a_minute(alice, measure, monkeypatch):
    reset_process_state()
    with measure() as meter:
        address_of(alice)
        address_of(alice)
    assert [call.access_pattern for call in meter.calls].count("open_person_key") == 1
    now = time.monotonic()
    monkeypatch.setattr(person_keys.time, "monotonic", lambda: now + person_keys.CACHED_SECONDS + 1)
    with measure() as meter:
        address_of(alice)
    assert [call.access_pattern for call in meter.calls].count("open_person_key") == 1


def test_an_erased_key_is_forgotten_everywhere_within_a_minute(alice, monkeypatch):
    address_of(alice)
    transact(erasing_person_key(alice.user_id))
    now = time.monotonic()
    monkeypatch.setattr(person_keys.time, "monotonic", lambda: now + person_keys.CACHED_SECONDS + 1)
    with pytest.raises(NoPersonKey):
        address_of(alice)


def test_a_process_remembers_a_thousand_keys_at_most():
    cache: KeyCache[str] = KeyCache(most=3)
    for name in ("alice", "bob", "carol"):
        cache.keep(name, name)
    assert cache.get("alice")
    cache.keep("dora", "dora")
    assert [cache.get(name) for name in ("alice", "bob", "carol", "dora")] == [
        "alice",
        None,
        "carol",
        "dora",
    ]
