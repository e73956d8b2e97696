"""`manage.py erase`: for requests that come by letter."""

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from privacy.erasure.writes import keep_account
from socialsite.due.work import do_due


def test_it_closes_the_account_and_names_the_receipt(alice, capsys):
    call_command("erase", "@Alice")
    address = capsys.readouterr().out.split()[-1]
    assert Client().get(address).status_code == 200
    assert Client().get("/@alice").status_code == 404
    assert keep_account(by=alice)


def test_now_is_at_once(alice, drain_stream):
    call_command("erase", "alice", "--now")
    do_due()
    drain_stream()
    with pytest.raises(CommandError, match="Nobody has the handle alice"):
        call_command("erase", "alice")


def test_it_says_why_it_does_nothing(alice, admin):
    call_command("erase", "alice")
    with pytest.raises(CommandError, match="closing already"):
        call_command("erase", "alice")
    with pytest.raises(CommandError, match="last administrator"):
        call_command("erase", "addy")
    with pytest.raises(CommandError, match="Nobody has the handle nobody"):
        call_command("erase", "nobody")
