"""`manage.py redrive`: parked records are tried again, or given up."""

import pytest
from django.core.management import call_command

from relations.follows.writes import follow
from socialsite.streams.status import list_dead_letters
from socialsite.streams.worker import Worker
from socialsite.table import Item, fetch, keys, write_batch
from tests.conftest import post
from tests.streams.crowd import home
from tests.streams.lambda_events import broken_post


@pytest.fixture
def parked(alice, bob, settings) -> Item:
    """A post that is parked as its author's info is away: that info."""
    settings.PULL_ABOVE = 0
    follow(by=bob, user_id=alice.user_id)
    key = keys.user_info(alice.user_id)
    info = Item.from_raw_data(fetch([key])[key])
    write_batch(deletes=[key])
    post(alice)
    applied()
    return info


def applied() -> None:
    worker = Worker()
    worker.drain()
    worker.give_up()


def said(capsys, *options: str) -> list[str]:
    call_command("redrive", *options)
    return capsys.readouterr().out.splitlines()


def test_without_dead_letters_there_is_nothing_to_do(table, capsys):
    assert said(capsys) == ["0 applied, 0 still failing."]


def test_what_still_fails_stays_and_is_named(parked, capsys):
    (letter,) = list_dead_letters()
    first, second = said(capsys)
    assert first == "0 applied, 1 still failing."
    assert letter.sequence in second
    assert list_dead_letters()


def test_what_succeeds_is_applied_and_gone(parked, bob, capsys):
    write_batch(puts=[parked])
    assert said(capsys) == ["1 applied, 0 still failing."]
    assert not list_dead_letters()
    assert len(home(bob)) == 1


def test_one_that_fails_does_not_stop_the_others(parked, carol, capsys):
    write_batch(puts=[broken_post(carol)])
    applied()
    assert len(list_dead_letters()) == 2
    write_batch(puts=[parked])
    assert said(capsys)[0] == "1 applied, 1 still failing."
    assert len(list_dead_letters()) == 1


def test_discard_deletes_them_unapplied_and_names_each(parked, bob, capsys):
    (letter,) = list_dead_letters()
    named, counted, advice = said(capsys, "--discard")
    assert letter.sequence in named
    assert counted == "1 discarded."
    assert "manage.py reconcile" in advice
    assert not list_dead_letters()
    write_batch(puts=[parked])
    assert said(capsys) == ["0 applied, 0 still failing."]


def test_discarding_nothing_is_harmless(table, capsys):
    assert said(capsys, "--discard") == ["0 discarded."]
