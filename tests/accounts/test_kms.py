"""With `KMS_KEY_ID`, AWS KMS wraps people's keys, and each key can be unwrapped only for its person. moto plays KMS."""

import itertools
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import boto3
import pytest
from botocore.awsrequest import AWSResponse
from cryptography.exceptions import InvalidTag
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from moto import mock_aws

from accounts.encryption import person_keys
from accounts.encryption.emails import decrypt_email
from accounts.encryption.person_keys import KmsMaster, context_of, current_master, forget_open_keys
from accounts.models import PersonKey
from accounts.people.reads import find_user_by_handle, get_user_info
from accounts.people.viewer import Viewer
from accounts.permissions import set_role
from socialsite.checks import check_kms_keys
from socialsite.data_keys import current_key
from socialsite.table import Unavailable, get, keys
from socialsite.table.connection import client, table_name
from socialsite.table.data_state import WrongData, check_data
from socialsite.table.models import DataState
from socialsite.table.reading import scan
from tests.accounts.codes import credentials
from tests.accounts.from_before import make_from_before
from tests.conftest import PASSWORD, person
from tests.injected.hook import _Body
from tests.relations.relations import befriend

pytestmark = pytest.mark.engines(
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
        forget_open_keys()
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
    forget_open_keys()
    return decrypt_email(credentials(viewer).email, user_id=viewer.user_id)


def test_a_new_persons_key_is_made_and_wrapped_by_kms(new_arn, use):
    arn = new_arn()
    use(arn)
    dora = person("dora")
    assert stored_key(dora).master == f"kms:{arn}"
    assert address_of(dora) == "dora@example.org"


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


def test_the_site_signs_people_up_and_shows_their_notes_with_kms(bob, new_arn, use):
    use(arn := new_arn())
    form = {"handle": "dora", "name": "Dora", "email": "dora@example.org", "password": PASSWORD}
    browser = Client()
    assert browser.post("/signup", form).status_code == 302
    dora = Viewer(user_id := find_user_by_handle("dora"), "", get_user_info(user_id))
    assert stored_key(dora).master == f"kms:{arn}"
    befriend(dora, bob)
    assert browser.post("/@bob/circles", {"note": "Likes tea"}).status_code == 302
    forget_open_keys()
    assert "Likes tea" in browser.get("/@bob").content.decode()
    forget_open_keys()
    with refusals(arn, "KMSInternalException"):
        assert browser.get("/@bob").status_code == 503


def test_an_item_cannot_choose_a_key_that_the_settings_do_not_name(new_arn, use):
    first, second = new_arn(), new_arn()
    use(first)
    dora = person("dora")
    use(second, first)
    assert address_of(dora) == "dora@example.org"
    forget_open_keys()
    use(second, first)
    with pytest.raises(WrongData, match=r"set KMS_KEY_ID or KMS_KEY_FALLBACKS"):
        use(second)
    with pytest.raises(InvalidTag):
        address_of(dora)


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


def test_accounts_from_before_get_a_key_that_kms_wrapped(alice, new_arn, use):
    make_from_before(alice)
    use(arn := new_arn())
    call_command("reencrypt")
    assert stored_key(alice).master == f"kms:{arn}"
    assert address_of(alice) == "alice@example.org"


def test_keys_are_not_moved_alone_while_data_key_is_replaced(alice, new_arn, use, settings):
    settings.DATA_KEY_FALLBACKS = ["another data key that is long enough as well"]
    use(new_arn())
    with pytest.raises(CommandError, match="without --keys"):
        call_command("reencrypt", "--keys")


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
@pytest.mark.parametrize(
    "code", ["DisabledException", "KMSInvalidStateException", "AccessDeniedException"]
)
def test_what_is_sealed_waits_while_kms_refuses(code, new_arn, use):
    use(arn := new_arn())
    dora = person("dora")
    with refusals(arn, code), pytest.raises(Unavailable):
        address_of(dora)
    assert address_of(dora) == "dora@example.org"


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


def test_while_the_key_of_staff_is_away_everyone_elses_open(alice, mod, new_arn, use_of_staff):
    of_staff, of_all = new_arn(), new_arn()
    use_of_staff(of_staff, of_all)
    call_command("reencrypt", "--keys")
    with refusals(of_staff, "DisabledException"):
        assert address_of(alice) == "alice@example.org"
        with pytest.raises(Unavailable):
            address_of(mod)


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
