"""Accounts from before people had data keys stay readable, and get a key of their own: when they need it, or all at
once by `manage.py reencrypt`."""

from functools import partial

import pytest
from cryptography.exceptions import InvalidTag
from django.core.management import call_command

from accounts.checks import PeopleInvariants
from accounts.credentials.reencrypt import key_to_seal, reencrypt
from accounts.encryption.emails import decrypt_email
from accounts.encryption.person_keys import NoPersonKey, erase_person_key, open_person_key
from accounts.models import Credentials, PersonKey
from socialsite.data_keys import current_key
from socialsite.process_state import reset_process_state
from socialsite.table import Item, change, keys
from socialsite.table.reading import scan
from tests.accounts.codes import credentials, with_second_factor
from tests.accounts.credentials import check_credentials
from tests.accounts.from_before import encrypted_before_keys_had_ids, make_from_before
from tests.conftest import PASSWORD
from tests.together import together


def address_of(viewer) -> str:
    return decrypt_email(credentials(viewer).email, user_id=viewer.user_id)


def unsealed() -> list[str]:
    """Whose private values are not sealed with a key that is there, as the audit finds them."""
    invariants = PeopleInvariants()
    for raw in scan():
        invariants.add(Item.from_raw_data(raw))
    return invariants.results()["private values are sealed with a key that is there"]


def test_their_address_and_codes_work_as_before(alice):
    app = with_second_factor(alice)
    make_from_before(alice)
    assert isinstance(credentials(alice).email, str)
    assert address_of(alice) == "alice@example.org"
    assert app.sign_in(app.code())
    assert check_credentials(account="alice@example.org", password=PASSWORD).has_second_factor


def test_reencrypt_gives_each_a_key_and_seals_everything_with_it(alice, bob):
    app = with_second_factor(alice)
    make_from_before(alice)
    make_from_before(bob)
    assert unsealed() == sorted([alice.user_id, bob.user_id])
    call_command("reencrypt")
    stored = credentials(alice)
    assert {type(stored.email), type(stored.totp)} == {bytes}
    assert (address_of(alice), address_of(bob)) == ("alice@example.org", "bob@example.org")
    assert app.sign_in(app.code())
    assert unsealed() == []


def test_values_from_before_keys_had_ids_are_sealed_too(alice):
    make_from_before(alice)
    old = encrypted_before_keys_had_ids("alice@example.org", alice.user_id)
    change(Credentials, keys.credentials(alice.user_id), [Credentials.email.set({"S": old})])
    assert address_of(alice) == "alice@example.org"
    call_command("reencrypt")
    assert isinstance(credentials(alice).email, bytes)
    assert address_of(alice) == "alice@example.org"


def test_the_id_of_an_earlier_key_cannot_be_changed(alice, settings):
    make_from_before(alice)
    version, key_id, text = credentials(alice).email.split(":")
    assert (version, key_id) == ("1", current_key().id)
    settings.DATA_KEY_FALLBACKS = [settings.DATA_KEY]
    settings.DATA_KEY = "the key after, long enough to encrypt with as well"
    for head in (f"1:{current_key().id}", f"2:{key_id}", "1"):
        with pytest.raises(InvalidTag):
            decrypt_email(f"{head}:{text}", user_id=alice.user_id)


def test_turning_on_two_step_verification_gives_them_a_key_first(alice):
    make_from_before(alice)
    with_second_factor(alice)
    assert isinstance(credentials(alice).totp, bytes)
    assert address_of(alice) == "alice@example.org"
    assert unsealed() == []


def test_of_processes_that_give_a_key_at_once_one_wins_and_all_use_it(alice):
    make_from_before(alice)
    found = together(*[partial(key_to_seal, alice.user_id)] * 4)
    assert len({key.secret for key in found}) == 1
    assert address_of(alice) == "alice@example.org"


def test_an_erased_account_gets_no_other_key(alice):
    erase_person_key(alice.user_id)
    for give in (key_to_seal, reencrypt):
        with pytest.raises(NoPersonKey):
            give(alice.user_id)
    assert [raw for raw in scan() if raw["type"]["S"] == PersonKey.__name__] == []


def test_giving_a_key_twice_changes_nothing(alice):
    make_from_before(alice)
    assert reencrypt(alice.user_id)
    before = list(scan())
    reset_process_state()
    assert not reencrypt(alice.user_id)
    assert list(scan()) == before
    assert open_person_key(alice.user_id)
