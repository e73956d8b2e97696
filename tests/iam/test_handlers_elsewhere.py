"""Whoever plays the stream may do what its handlers do: the worker, Lambda, and commands that play it themselves."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.core.management import call_command

from accounts.profile.writes import edit_profile
from relations.models import Relation, RelationType
from relations.relation import create_relation
from socialsite.streams.lambda_handler import handle
from socialsite.streams.worker import Worker
from socialsite.table import get, keys
from tests.iam.policy import is_allowed
from tests.iam.recorder import seen
from tests.iam.uses import Use, read_table
from tests.streams.lambda_events import event, new_records

OF_THE_WORKER_ALONE = {"Scan", "DescribeTable"}  # Lambda reads no table to mend it, and no stream


def play_by_worker() -> None:
    Worker().drain()


def play_by_lambda() -> None:
    given = 0
    while records := new_records(given):
        handle(event(records))
        given += len(records)


def play_by_command() -> None:
    call_command("reconcile")


@pytest.mark.parametrize(
    ("role", "play"),
    [("worker", play_by_worker), ("lambda", play_by_lambda), ("operator", play_by_command)],
)
def test_a_job_asks_the_index(role: str, play: Callable[[], None], alice, bob):
    create_relation(by=alice, relation_type=RelationType.FAVOURITE, user_id=bob.user_id)
    edit_profile(by=bob, name="Bob", bio="", location="Leipzig")
    play()
    relation = get(Relation, keys.relation(alice.user_id, RelationType.FAVOURITE, bob.user_id))
    assert relation.location == "Leipzig"
    assert Use(role, "index/typeIndex", "*#u#*", False, "Query") in seen


@pytest.mark.parametrize("role", ["lambda", "operator"])
def test_what_handlers_do_is_allowed_to_whoever_plays_them(role):
    by_handlers = [
        use
        for use in sorted(read_table())
        if use.role == "worker"
        and use.resource != "stream"
        and use.action not in OF_THE_WORKER_ALONE
    ]
    assert by_handlers
    assert [str(use) for use in by_handlers if not is_allowed(replace(use, role=role))] == []
