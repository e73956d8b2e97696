"""`DATA_KEY` can be replaced, and nothing that it seals is to be read in the table."""

import base64
import threading

import pytest
from cryptography.exceptions import InvalidTag
from django.core.management import call_command
from django.core.management.base import CommandError

from accounts.credentials import reencrypt, second_factor
from accounts.credentials.passwords import WrongPassword
from accounts.encryption.emails import decrypt_email, email_hmac, encrypt_email
from accounts.encryption.person_keys import open_person_key
from accounts.encryption.site_keys import is_current
from accounts.models import Credentials, EmailClaim
from accounts.sign_up.writes import EmailTaken, sign_up
from moderation.log.chain import Walk
from moderation.log.writes import record
from socialsite.process_state import reset_process_state
from socialsite.table import get, keys
from socialsite.table.models import RetiredKey
from socialsite.table.reading import scan
from tests.accounts.scenes import check_credentials, with_second_factor
from tests.conftest import PASSWORD, person

NEW = "the key after, long enough to encrypt with as well"
NEWEST = "the key after that one, and long enough too, of course"


@pytest.fixture
def rotate(settings):
    """Makes a new key the current one; the one before can still be read with."""

    def to(key: str) -> None:
        reset_process_state()  # as in new processes
        settings.DATA_KEY_FALLBACKS = [settings.DATA_KEY]
        settings.DATA_KEY = key

    return to


@pytest.fixture
def forget_earlier_keys(settings):
    def forget() -> None:
        reset_process_state()
        settings.DATA_KEY_FALLBACKS = []

    return forget


def credentials(viewer) -> Credentials:
    return get(Credentials, keys.credentials(viewer.user_id))


def address_of(viewer) -> str:
    return decrypt_email(credentials(viewer).email, user_id=viewer.user_id)


def signs_in(address: str) -> str:
    return check_credentials(account=address, password=PASSWORD).user_id


def test_while_a_key_is_replaced_people_sign_in_by_email_as_before(alice, rotate):
    rotate(NEW)
    assert signs_in("alice@example.org") == alice.user_id
    assert address_of(alice) == "alice@example.org"


def test_while_a_key_is_replaced_an_email_address_stays_taken(alice, rotate, settings):
    rotate(NEW)
    with pytest.raises(EmailTaken):
        sign_up(
            handle="alice2", name="", email="alice@example.org", password=PASSWORD, confirmed=True
        )
    dora = person("dora")
    # A process that has not got the new key as its current one yet knows of both.
    settings.DATA_KEY, settings.DATA_KEY_FALLBACKS = settings.DATA_KEY_FALLBACKS[0], [NEW]
    with pytest.raises(EmailTaken):
        sign_up(
            handle="dora2", name="", email="dora@example.org", password=PASSWORD, confirmed=True
        )
    assert signs_in("dora@example.org") == dora.user_id


def test_afterwards_the_old_key_is_not_needed_for_anything(alice, bob, rotate, forget_earlier_keys):
    rotate(NEW)
    call_command("reencrypt")
    forget_earlier_keys()
    assert signs_in("alice@example.org") == alice.user_id
    assert address_of(bob) == "bob@example.org"
    with pytest.raises(EmailTaken):
        sign_up(
            handle="alice2", name="", email="alice@example.org", password=PASSWORD, confirmed=True
        )


def test_afterwards_the_old_key_opens_nothing_and_finds_nobody(alice, rotate, settings):
    old = settings.DATA_KEY
    rotate(NEW)
    call_command("reencrypt")
    settings.DATA_KEY, settings.DATA_KEY_FALLBACKS = old, []
    reset_process_state()
    with pytest.raises(InvalidTag):
        address_of(alice)
    with pytest.raises(WrongPassword):
        signs_in("alice@example.org")
    assert keys.email_claim(email_hmac("alice@example.org")) not in {
        keys.Key(raw["PK"]["S"], raw["SK"]["S"]) for raw in scan()
    }


def test_codes_and_recovery_codes_work_after_each_of_two_replacements(
    alice, rotate, forget_earlier_keys
):
    app = with_second_factor(alice)
    for key in (NEW, NEWEST):
        rotate(key)
        call_command("reencrypt")
        forget_earlier_keys()
        assert app.sign_in(app.code())
        code = app.recovery.pop()
        assert app.sign_in(code)
        with pytest.raises(second_factor.WrongCode):
            app.sign_in(code)
    assert all(is_current(raw["secrets"]["S"]) for raw in items(RetiredKey))


def test_the_audit_log_is_whole_across_replacements(mod, rotate, forget_earlier_keys):
    record(by=mod.user_id, action="note")
    for key in (NEW, NEWEST):
        rotate(key)
        record(by=mod.user_id, action="note")
        assert faults() == []
        call_command("reencrypt")
        forget_earlier_keys()
        record(by=mod.user_id, action="note")
        assert faults() == []


def test_encrypting_again_changes_nothing(alice, rotate, capsys):
    rotate(NEW)
    call_command("reencrypt")
    assert "Encrypted 1 accounts and notes" in capsys.readouterr().out
    before = list(scan())
    call_command("reencrypt")
    assert "Encrypted 0 accounts and notes" in capsys.readouterr().out
    assert list(scan()) == before


def test_an_interrupted_run_goes_on(alice, bob, carol, rotate, monkeypatch, forget_earlier_keys):
    rotate(NEW)
    assert reencrypt.reencrypt(alice.user_id)  # and then it was killed
    call_command("reencrypt")
    forget_earlier_keys()
    for name in ("alice", "bob", "carol"):
        assert signs_in(f"{name}@example.org")


def test_people_sign_up_and_use_codes_while_everything_is_encrypted_again(
    alice, rotate, forget_earlier_keys
):
    for number in range(8):
        person(f"early{number}")
    app = with_second_factor(alice)
    rotate(NEW)
    running = threading.Thread(target=call_command, args=("reencrypt",))
    running.start()
    late = 0
    while running.is_alive():
        person(f"late{late}")
        late += 1
        if app.recovery:
            app.sign_in(app.recovery.pop())
    running.join()
    call_command("reencrypt")
    forget_earlier_keys()
    for name in (*(f"early{n}" for n in range(8)), *(f"late{n}" for n in range(late)), "alice"):
        assert signs_in(f"{name}@example.org")
    assert len(items(EmailClaim)) == late + 9


def test_an_account_whose_key_is_missing_is_named_and_left_as_it_is(alice, settings, capsys):
    settings.DATA_KEY = NEW
    before = credentials(alice).email
    with pytest.raises(CommandError, match="1 accounts keep their earlier key"):
        call_command("reencrypt")
    assert f"No key fits the account {alice.user_id}" in capsys.readouterr().err
    assert credentials(alice).email == before


def test_two_accounts_that_claimed_one_address_are_named(alice, settings, rotate, capsys):
    old = settings.DATA_KEY
    settings.DATA_KEY = NEW  # a process that was given the new key alone
    twin = sign_up(
        handle="twin", name="", email="alice@example.org", password=PASSWORD, confirmed=True
    )
    settings.DATA_KEY_FALLBACKS = [old]
    with pytest.raises(CommandError):
        call_command("reencrypt")
    assert f"The account {alice.user_id} has the same email" in capsys.readouterr().err
    assert signs_in("alice@example.org") == twin


def test_a_second_factor_set_up_with_a_lost_key_is_begun_again(alice, log_in, settings):
    browser = log_in(alice)
    browser.post("/settings/security/begin", {"password": PASSWORD})
    assert browser.get("/settings/security/set-up").status_code == 200
    settings.DATA_KEY = NEW
    assert browser.get("/settings/security/set-up").url == "/settings/security"


def items(model) -> list[dict]:
    return [raw for raw in scan() if raw["type"]["S"] == model.__name__]


def faults() -> list[str]:
    walk = Walk()
    list(walk.steps())
    return walk.faults


# Email addresses: nowhere in the table to be read, and bound to the place where they stand.

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
