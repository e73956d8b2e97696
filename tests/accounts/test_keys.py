"""Keys of people: wrapped by AWS KMS or `DATA_KEY`, and given to accounts from before."""

import itertools
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import boto3
import pytest
from botocore.awsrequest import AWSResponse
from cryptography.exceptions import InvalidTag
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from moto import mock_aws

from accounts.checks import PeopleInvariants
from accounts.credentials.reencrypt import key_to_seal, reencrypt
from accounts.credentials.second_factor import decrypt_secret, encrypt_new_secret
from accounts.encryption import person_keys
from accounts.encryption.emails import decrypt_email, encrypt_email
from accounts.encryption.person_keys import (
    KeyCache,
    KmsMaster,
    NoPersonKey,
    context_of,
    current_master,
    erasing_person_key,
    open_person_key,
)
from accounts.models import Credentials, PersonKey
from accounts.people.reads import find_user_by_handle, get_user_info
from accounts.people.viewer import Viewer
from accounts.permissions import set_role
from accounts.security.writes import turn_on_second_factor
from notifications.push.writes import send_test
from socialsite.checks import check_kms_keys
from socialsite.data_keys import current_key
from socialsite.process_state import reset_process_state
from socialsite.table import Change, Item, Unavailable, change, get, keys, transact
from socialsite.table.connection import client, table_name
from socialsite.table.data_state import WrongData, check_data
from socialsite.table.models import DataState
from socialsite.table.reading import scan
from tests.accounts.scenes import (
    App,
    check_credentials,
    credentials,
    encrypted_before_keys_had_ids,
    erase_key_of,
    in_browser,
    make_from_before,
    with_second_factor,
)
from tests.conftest import PASSWORD, person
from tests.injected.faults import _Body
from tests.notifications.push.conftest import signed_in
from tests.notifications.push.services import Browser, new_pusher, running_service
from tests.relations.scenes import befriend
from tests.together import together

not_on_moto = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto's own KMS is started here"
)


@pytest.fixture
def aws(table, monkeypatch) -> Iterator[Any]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    person_keys._client.cache_clear()
    with mock_aws():
        yield boto3.client("kms", region_name="us-east-1")
    person_keys._client.cache_clear()


@pytest.fixture
def new_arn(aws):
    return lambda: aws.create_key()["KeyMetadata"]["Arn"]


@pytest.fixture
def use(settings):
    """Makes a key of KMS the current one, as in new processes; none if it is empty."""

    def key(arn: str, *earlier: str) -> None:
        settings.KMS_KEY_ID, settings.KMS_KEY_FALLBACKS = arn, list(earlier)
        reset_process_state()
        check_data(client(), table_name())

    return key


@contextmanager
def refusals(arn: str, code: str, *, after: int = 0) -> Iterator[None]:
    """KMS answers with this error, after so many calls that it does."""
    events, calls = person_keys._client(arn).meta.events, itertools.count()

    def refuse(request: Any, **_: Any) -> AWSResponse | None:
        if next(calls) < after:
            return None
        body = json.dumps({"__type": code}).encode()
        return AWSResponse(
            request.url, 400, {"Content-Type": "application/x-amz-json-1.1"}, _Body(body)
        )

    events.register_first("before-send.kms", refuse)
    try:
        yield
    finally:
        events.unregister("before-send.kms", refuse)


def stored_key(viewer) -> PersonKey:
    return get(PersonKey, keys.person_key(viewer.user_id), consistent=True)


def address_of(viewer) -> str:
    reset_process_state()
    return decrypt_email(credentials(viewer).email, user_id=viewer.user_id)


@not_on_moto
def test_a_new_persons_key_is_made_and_wrapped_by_kms(new_arn, use):
    arn = new_arn()
    use(arn)
    dora = person("dora")
    assert stored_key(dora).master == f"kms:{arn}"
    assert address_of(dora) == "dora@example.org"


@not_on_moto
def test_kms_unwraps_a_key_for_its_person_alone(new_arn, use):
    arn = new_arn()
    use(arn)
    dora, emil = person("dora"), person("emil")
    wrapped, master = stored_key(dora).wrapped, current_master()
    assert len(master.unwrap(wrapped, context_of(dora.user_id))) == 32
    for context in (context_of(emil.user_id), {"scope": "other", "person": dora.user_id}, {}):
        with pytest.raises(InvalidTag):
            master.unwrap(wrapped, context)
    with pytest.raises(InvalidTag):
        master.unwrap(wrapped[:-1] + bytes([wrapped[-1] ^ 1]), context_of(dora.user_id))
    # Amazon says that the key is another one, moto that access to it is denied.
    with pytest.raises((InvalidTag, Unavailable)):
        KmsMaster(new_arn()).unwrap(wrapped, context_of(dora.user_id))


@not_on_moto
def test_the_site_signs_people_up_and_shows_their_notes_with_kms(bob, new_arn, use):
    use(arn := new_arn())
    form = {"handle": "dora", "name": "Dora", "email": "dora@example.org", "password": PASSWORD}
    browser = Client()
    assert browser.post("/signup", form).status_code == 302
    dora = Viewer(user_id := find_user_by_handle("dora"), "", get_user_info(user_id))
    assert stored_key(dora).master == f"kms:{arn}"
    befriend(dora, bob)
    assert browser.post("/@bob/circles", {"note": "Likes tea"}).status_code == 302
    reset_process_state()
    assert "Likes tea" in browser.get("/@bob").content.decode()
    reset_process_state()
    with refusals(arn, "KMSInternalException"):
        assert browser.get("/@bob").status_code == 503


@not_on_moto
def test_an_item_cannot_choose_a_key_that_the_settings_do_not_name(new_arn, use):
    first, second = new_arn(), new_arn()
    use(first)
    dora = person("dora")
    use(second, first)
    assert address_of(dora) == "dora@example.org"
    reset_process_state()
    use(second, first)
    with pytest.raises(WrongData, match=r"set KMS_KEY_ID or KMS_KEY_FALLBACKS"):
        use(second)
    with pytest.raises(InvalidTag):
        address_of(dora)


@not_on_moto
def test_keys_move_from_data_key_to_kms_to_another_key_of_kms_and_back(alice, bob, new_arn, use):
    sealed = credentials(alice).email
    first, second = new_arn(), new_arn()
    for arn, earlier in ((first, []), (second, [first]), ("", [second])):
        use(arn, *earlier)
        assert address_of(alice) == "alice@example.org"
        call_command("reencrypt", "--keys")
        use(arn)
        master = f"kms:{arn}" if arn else f"data-key:{current_key().id}"
        assert {stored_key(alice).master, stored_key(bob).master} == {master}
        assert address_of(alice) == "alice@example.org"
    assert credentials(alice).email == sealed  # what the key sealed stays as it is


@not_on_moto
def test_the_second_run_changes_nothing_and_an_interrupted_one_goes_on(
    alice, bob, carol, new_arn, use, capsys
):
    use(arn := new_arn())
    with refusals(arn, "KMSInternalException", after=1), pytest.raises(CommandError):
        call_command("reencrypt", "--keys")
    by_kms = [stored_key(one).master.startswith("kms:") for one in (alice, bob, carol)]
    assert sum(by_kms) == 1
    call_command("reencrypt", "--keys")
    assert "Wrapped 2 keys" in capsys.readouterr().out
    before = list(scan())
    call_command("reencrypt", "--keys")
    assert "Wrapped 0 keys" in capsys.readouterr().out
    assert list(scan()) == before


@not_on_moto
def test_the_pusher_opens_what_a_browser_gave_with_kms(new_arn, use):
    use(new_arn())
    dora = person("dora")
    with running_service() as service:
        device = Browser(f"{service.origin}/ok/dora")
        device.turn_on(signed_in(dora))
        reset_process_state()
        send_test(by=dora, device=device.device)
        pusher = new_pusher()
        pusher.look()
        pusher.finish()
        assert device.read(service.got[0].body)["title"] == "Push works on this device."


@not_on_moto
def test_accounts_from_before_get_a_key_that_kms_wrapped(alice, new_arn, use):
    make_from_before(alice)
    use(arn := new_arn())
    call_command("reencrypt")
    assert stored_key(alice).master == f"kms:{arn}"
    assert address_of(alice) == "alice@example.org"


@not_on_moto
def test_keys_are_not_moved_alone_while_data_key_is_replaced(alice, new_arn, use, settings):
    settings.DATA_KEY_FALLBACKS = ["another data key that is long enough as well"]
    use(new_arn())
    with pytest.raises(CommandError, match="without --keys"):
        call_command("reencrypt", "--keys")


@not_on_moto
def test_the_table_notes_which_key_of_kms_it_needs(alice, new_arn, use):
    first, second = new_arn(), new_arn()
    use(first)
    use(second, first)
    noted = get(DataState, keys.data_state(), consistent=True).key_ids
    assert noted == {current_key().id, first, second}
    call_command("reencrypt", "--keys")
    noted = get(DataState, keys.data_state(), consistent=True).key_ids
    assert noted == {current_key().id, second}


# moto decrypts with disabled keys and knows no rights, so these answers are made up, as Amazon gives them.
@not_on_moto
@pytest.mark.parametrize(
    "code", ["DisabledException", "KMSInvalidStateException", "AccessDeniedException"]
)
def test_what_is_sealed_waits_while_kms_refuses(code, new_arn, use):
    use(arn := new_arn())
    dora = person("dora")
    with refusals(arn, code), pytest.raises(Unavailable):
        address_of(dora)
    assert address_of(dora) == "dora@example.org"


@not_on_moto
def test_a_key_that_was_destroyed_opens_nothing(new_arn, use):
    use(arn := new_arn())
    dora = person("dora")
    with refusals(arn, "NotFoundException"), pytest.raises(InvalidTag):
        address_of(dora)


@pytest.fixture
def use_of_staff(settings, use):
    """Makes keys of KMS the current ones of staff and, if one is given, of all others."""

    def two_keys(of_staff: str, arn: str = "", *earlier: str) -> None:
        settings.KMS_KEY_OF_STAFF = of_staff
        use(arn, *earlier)

    return two_keys


@not_on_moto
def test_people_with_a_role_have_a_master_key_of_their_own(alice, mod, new_arn, use_of_staff):
    of_staff, of_all = new_arn(), new_arn()
    use_of_staff(of_staff, of_all)
    dora, emil = person("dora"), person("emil", role="moderator")
    masters = [stored_key(one).master for one in (dora, emil)]
    assert masters == [f"kms:{of_all}", f"kms:{of_staff}"]
    call_command("reencrypt", "--keys")
    masters = [stored_key(one).master for one in (alice, mod)]
    assert masters == [f"kms:{of_all}", f"kms:{of_staff}"]
    assert [address_of(one) for one in (alice, mod)] == ["alice@example.org", "moddy@example.org"]


@not_on_moto
def test_data_key_wraps_the_keys_of_all_but_staff(alice, mod, new_arn, use_of_staff, capsys):
    use_of_staff(of_staff := new_arn())
    call_command("reencrypt", "--keys")
    local = f"data-key:{current_key().id}"
    assert (
        f"Wrapped 1 keys with the master key {local}, and those of staff with kms:{of_staff}."
        in (capsys.readouterr().out)
    )
    assert [stored_key(one).master for one in (alice, mod)] == [local, f"kms:{of_staff}"]
    call_command("reencrypt", "--keys")
    assert "Wrapped 0 keys" in capsys.readouterr().out


@not_on_moto
def test_a_key_follows_a_role_when_the_command_runs_and_opens_meanwhile(
    alice, mod, new_arn, use_of_staff
):
    of_staff, of_all = new_arn(), new_arn()
    use_of_staff(of_staff, of_all)
    call_command("reencrypt", "--keys")
    set_role(user_id=alice.user_id, role="moderator")
    set_role(user_id=mod.user_id, role="")
    before = [stored_key(one).master for one in (alice, mod)]
    assert before == [f"kms:{of_all}", f"kms:{of_staff}"]
    assert [address_of(one) for one in (alice, mod)] == ["alice@example.org", "moddy@example.org"]
    call_command("reencrypt", "--keys")
    assert [stored_key(one).master for one in (alice, mod)] == before[::-1]
    assert [address_of(one) for one in (alice, mod)] == ["alice@example.org", "moddy@example.org"]


@not_on_moto
def test_while_the_key_of_staff_is_away_everyone_elses_open(alice, mod, new_arn, use_of_staff):
    of_staff, of_all = new_arn(), new_arn()
    use_of_staff(of_staff, of_all)
    call_command("reencrypt", "--keys")
    with refusals(of_staff, "DisabledException"):
        assert address_of(alice) == "alice@example.org"
        with pytest.raises(Unavailable):
            address_of(mod)


@not_on_moto
def test_the_key_of_staff_is_given_up_as_any_other(mod, new_arn, use_of_staff):
    use_of_staff(of_staff := new_arn())
    call_command("reencrypt", "--keys")
    noted = get(DataState, keys.data_state(), consistent=True).key_ids
    assert noted == {current_key().id, of_staff}
    with pytest.raises(WrongData, match=r"KMS_KEY_FALLBACKS"):
        use_of_staff("")
    use_of_staff("", "", of_staff)
    call_command("reencrypt", "--keys")
    use_of_staff("")
    assert address_of(mod) == "moddy@example.org"


@pytest.mark.parametrize("name", ["KMS_KEY_ID", "KMS_KEY_OF_STAFF"])
@pytest.mark.parametrize("wrong", ["alias/site", "1234abcd", "arn:aws:s3:::bucket"])
def test_a_setting_that_names_no_key_is_refused_with_a_sentence(name, wrong, settings):
    setattr(settings, name, wrong)
    (problem,) = check_kms_keys(None)
    assert "Set KMS_KEY_ID" in problem.msg
    right = "arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"
    setattr(settings, name, right)
    assert list(check_kms_keys(None)) == []


# Each person has a data key. What it seals is readable at its own place alone, and nowhere once the key is
# erased.

PLACE = keys.Key("u#1#auth", "auth")


def email_of(viewer) -> str:
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
    erase_key_of(alice)
    with pytest.raises(NoPersonKey):
        email_of(alice)
    assert email_of(bob) == "bob@example.org"
    erase_key_of(alice)  # safe to repeat


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
        email_of(alice)
        email_of(alice)
    assert [call.access_pattern for call in meter.calls].count("open_person_key") == 1
    now = time.monotonic()
    monkeypatch.setattr(person_keys.time, "monotonic", lambda: now + person_keys.CACHED_SECONDS + 1)
    with measure() as meter:
        email_of(alice)
    assert [call.access_pattern for call in meter.calls].count("open_person_key") == 1


def test_an_erased_key_is_forgotten_everywhere_within_a_minute(alice, monkeypatch):
    email_of(alice)
    transact(erasing_person_key(alice.user_id))
    now = time.monotonic()
    monkeypatch.setattr(person_keys.time, "monotonic", lambda: now + person_keys.CACHED_SECONDS + 1)
    with pytest.raises(NoPersonKey):
        email_of(alice)


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


# Accounts from before people had data keys stay readable, and get a key of their own: when they need it, or all
# at once by `manage.py reencrypt`.


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
    assert email_of(alice) == "alice@example.org"
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
    assert (email_of(alice), email_of(bob)) == ("alice@example.org", "bob@example.org")
    assert app.sign_in(app.code())
    assert unsealed() == []


def test_values_from_before_keys_had_ids_are_sealed_too(alice):
    make_from_before(alice)
    old = encrypted_before_keys_had_ids("alice@example.org", alice.user_id)
    change(Credentials, keys.credentials(alice.user_id), [Credentials.email.set({"S": old})])
    assert email_of(alice) == "alice@example.org"
    call_command("reencrypt")
    assert isinstance(credentials(alice).email, bytes)
    assert email_of(alice) == "alice@example.org"


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
    assert email_of(alice) == "alice@example.org"
    assert unsealed() == []


def test_of_processes_that_give_a_key_at_once_one_wins_and_all_use_it(alice):
    make_from_before(alice)
    found = together(*[partial(key_to_seal, alice.user_id)] * 4)
    assert len({key.secret for key in found}) == 1
    assert email_of(alice) == "alice@example.org"


def test_an_erased_account_gets_no_other_key(alice):
    erase_key_of(alice)
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
