"""A site whose data are of earlier code starts, says which one command brings them up, and afterwards lacks nothing.

`earlier/` holds backups that `manage.py backup` made with the code of those days, of what `manage.py seed --people 6
--posts 24 --follows 3 --days 10` had loaded.
"""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from operations.upgrade import DUE, is_upgrade_due
from socialsite.streams.worker import Worker, hold_stream
from socialsite.table import Item, change, keys
from socialsite.table.models import DataState
from tests.operations.commands.test_runserver import running
from tests.operations.test_restore_under_load import manage

EARLIER = Path(__file__).parent / "earlier"
PAGES = ("/@alice", "/local", "/search?q=bob", "/readyz")


@pytest.fixture
def signals() -> Iterator[None]:
    """The signals that `run_worker` takes over are given back."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def made_by_earlier_code() -> None:
    change(DataState, keys.data_state(), [DataState.upgraded.remove()])


@pytest.mark.engines("embedded", reason="it restores an engine of its own")
@pytest.mark.timeout(300)
@pytest.mark.parametrize("day", ["2026-11-22", "2026-11-23"])
def test_data_of_earlier_code_are_brought_up_by_one_command(tmp_path, day):
    site = tmp_path / "var"
    restored = manage(site, "restore", str(EARLIER / f"{day}.tar.gz"))
    assert restored.returncode == 0, restored.stderr
    with running(site, DEMO="0") as server:
        assert DUE in server.output()
        assert all(map(server.get, PAGES))
    before = manage(site, "audit")
    assert before.returncode == 1
    assert f"broken. {DUE}" in before.stderr

    upgraded = manage(site, "upgrade")
    assert upgraded.returncode == 0, upgraded.stderr
    assert upgraded.stdout.endswith("The data are up to date. Start the site.\n")

    after = manage(site, "audit")
    assert after.returncode == 0, after.stdout + after.stderr


def test_a_new_table_has_nothing_to_bring_up(table):
    assert not is_upgrade_due()


def test_a_table_that_was_brought_up_says_so_no_more(alice):
    made_by_earlier_code()
    assert is_upgrade_due()
    for _ in range(2):
        call_command("upgrade")
        assert not is_upgrade_due()


@pytest.mark.usefixtures("table", "signals")
def test_a_worker_says_at_its_start_that_data_are_of_earlier_code(monkeypatch, caplog):
    monkeypatch.setattr(Worker, "run", lambda worker, stop: None)
    call_command("run_worker", only="stream")
    assert DUE not in caplog.text
    made_by_earlier_code()
    call_command("run_worker", only="stream")
    assert DUE in caplog.text


@pytest.mark.parametrize("command", ["upgrade", "audit"])
def test_a_command_says_that_there_is_no_table(table, monkeypatch, command):
    monkeypatch.setattr(Item.Meta, "table_name", "no-table")
    with pytest.raises(CommandError, match=r"There is no table yet\. Start the site, or run"):
        call_command(command)


def test_data_are_not_taken_for_brought_up_while_a_worker_runs(table, capsys):
    made_by_earlier_code()
    with hold_stream(), pytest.raises(CommandError, match=r"A stream worker is running\. Stop"):
        call_command("upgrade")
    assert capsys.readouterr().out == ""
    assert is_upgrade_due()
