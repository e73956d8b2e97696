"""After a change of domain passkeys stay with the old one, and go on working at the new one: in browsers that ask the
old domain whether it is the same site."""

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.test import Client

from tests.accounts import authenticator as devices
from tests.accounts.authenticator import Authenticator, sign_in

OLD, NEW = "old.example", "new.example"
RELATED = "/.well-known/webauthn"


@pytest.fixture(autouse=True)
def of_the_old_domain(settings) -> None:
    settings.PASSKEY_DOMAIN, settings.PASSKEY_ORIGINS = OLD, [f"https://{OLD}"]


def test_the_old_domain_names_the_new_one_to_browsers(table, settings):
    assert Client().get(RELATED).status_code == 404
    settings.PASSKEY_RELATED = [f"https://{NEW}"]
    answer = Client().get(RELATED)
    assert answer["Content-Type"] == "application/json"
    assert answer.json() == {"origins": [f"https://{OLD}", f"https://{NEW}"]}


def test_a_passkey_of_before_signs_in_at_the_new_domain_alone_where_it_is_named(
    alice, proved, settings
):
    phone = Authenticator(origin=f"https://{OLD}", domain=OLD)
    devices.add_passkey(proved, phone, "Phone")
    moved = Authenticator(origin=f"https://{NEW}", domain=OLD, keys=phone.keys)
    assert sign_in(moved).status_code != 302
    settings.PASSKEY_RELATED = [f"https://{NEW}"]
    assert sign_in(moved).status_code == 302


@pytest.mark.parametrize("strange", ["new.example", "http://new.example", "https://new.example/"])
def test_a_related_origin_that_is_none_is_one_sentence(settings, strange):
    settings.PASSKEY_RELATED = [strange]
    with pytest.raises(SystemCheckError, match="PASSKEY_RELATED has"):
        call_command("check")
