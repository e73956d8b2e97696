"""Making administrators on the command line."""

import io

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from accounts.access_patterns import find_user_by_handle, get_user_info
from accounts.services.sign_in import check_credentials
from tests.conftest import PASSWORD


def test_an_existing_person_becomes_administrator(alice):
    call_command("createadmin", "@Alice")
    assert get_user_info(alice.user_id).role == "admin"


def test_a_new_administrator_can_sign_in(table, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))
    call_command("createadmin", "root_of_us", email="root@example.org", password_stdin=True)
    account = check_credentials(account="root@example.org", password=PASSWORD)
    assert get_user_info(account.user_id).role == "admin"


def test_a_new_handle_needs_an_email_address(table):
    with pytest.raises(CommandError, match="--email"):
        call_command("createadmin", "nobody_yet")


def test_a_weak_password_is_refused_and_nothing_is_created(table, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("12345\n"))
    with pytest.raises(CommandError, match="password"):
        call_command("createadmin", "weak_one", email="weak@example.org", password_stdin=True)
    with pytest.raises(Exception, match="HandleClaim"):
        find_user_by_handle("weak_one")
