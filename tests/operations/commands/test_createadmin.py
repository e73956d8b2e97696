"""Making administrators on the command line."""

import io
import re

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from accounts.credentials.second_factor import get_second_factor
from accounts.people.reads import find_user_by_handle, get_user_info
from accounts.permissions import list_staff
from operations.management.command_errors import site_place
from tests.accounts.codes import with_second_factor
from tests.accounts.credentials import check_credentials
from tests.conftest import PASSWORD


def test_an_existing_person_becomes_administrator(alice):
    call_command("createadmin", "@Alice")
    assert get_user_info(alice.user_id).role == "admin"


def test_the_command_says_when_the_second_factor_is_set_up(alice, capsys):
    call_command("createadmin", "alice")
    assert (
        "second factor is set up at the first visit of a moderation page" in capsys.readouterr().out
    )


def test_administrators_are_listed_among_the_staff(alice, monkeypatch):
    for _ in range(2):
        call_command("createadmin", "alice")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{PASSWORD}\n"))
    call_command("createadmin", "root_of_us", email="root@example.org", password_stdin=True)
    assert [person.handle for person in list_staff()] == ["alice", "root_of_us"]


def test_a_lost_second_factor_is_taken_off_and_the_role_stays(mod, log_in):
    with_second_factor(mod)
    browser = log_in(mod)
    call_command("createadmin", "@moddy", reset_second_factor=True)
    assert not get_second_factor(mod.user_id).is_on
    assert browser.get("/settings/profile").status_code == 302
    assert get_user_info(mod.user_id).role == "moderator"


def test_an_account_is_signed_out_everywhere_and_no_other(alice, bob, log_in, capsys):
    hers, his = [log_in(alice), log_in(alice)], log_in(bob)
    call_command("createadmin", "@alice", sign_out=True)
    assert "@alice is signed out everywhere: 2 sign-ins ended." in capsys.readouterr().out
    assert [browser.get("/settings/profile").status_code for browser in hers] == [302, 302]
    assert his.get("/settings/profile").status_code == 200
    assert not get_user_info(alice.user_id).role
    with pytest.raises(CommandError, match="No account has the handle nobody"):
        call_command("createadmin", "nobody", sign_out=True)


def test_a_second_factor_of_nobody_is_not_taken_off(table):
    with pytest.raises(CommandError, match="No account has the handle"):
        call_command("createadmin", "nobody_yet", reset_second_factor=True)


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


def test_each_answer_says_which_site_it_was(alice, capsys):
    """Without its DATA_DIR a command works on another one, and says the same."""
    for options in ({}, {"sign_out": True}, {"reset_second_factor": True}):
        call_command("createadmin", "alice", **options)
        assert f"This is the site in {site_place()}." in capsys.readouterr().out
    with pytest.raises(CommandError, match=re.escape(site_place())):
        call_command("createadmin", "nobody_yet")
    with pytest.raises(CommandError, match=re.escape(site_place())):
        call_command("createadmin", "nobody_yet", sign_out=True)


def test_a_site_is_named_by_its_folder_or_its_table(settings):
    settings.DYNAMODB_ENGINE = "embedded"
    assert site_place() == f"the data folder {settings.DATA_DIR}"
    settings.DYNAMODB_ENGINE, settings.DYNAMODB_REGION = "amazon", "eu-central-1"
    assert site_place().endswith("in eu-central-1")
