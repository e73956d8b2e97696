"""A call belongs to the role in whose code it began, and is judged as IAM judges it."""

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.people.reads import get_user_info
from operations.management.commands.run_worker import Command as RunWorker
from operations.management.commands.seed import Command as Seed
from socialsite import keys
from socialsite.streams.worker import Worker
from tests.iam.key_shapes import shape_of
from tests.iam.recorder import NOBODY, acting_as, role_of_command, seen, sentence_about
from tests.iam.uses import Use, uses_of

KEY = {"PK": {"S": keys.credentials("01M").pk}, "SK": {"S": "auth"}}


@pytest.fixture
def noted(table) -> Iterator[dict[Use, str]]:
    """What is seen from now on, which is forgotten afterwards."""
    before = dict(seen)
    seen.clear()
    yield seen
    seen.clear()
    seen.update(before)


def test_a_request_is_the_webs_and_what_a_test_asks_is_nobodys(noted, alice):
    get_user_info(alice.user_id)
    assert not noted
    Client().get("/@alice")
    assert {use.role for use in noted} == {"web"}


def test_a_step_is_the_workers_and_within_a_command_the_operators(noted, alice):
    Worker().drain()
    assert {use.role for use in noted} == {"worker"}
    noted.clear()
    call_command("redrive")
    assert {use.role for use in noted} == {"operator"}


def test_the_command_of_the_worker_is_the_workers_and_demo_data_are_nobodys():
    assert role_of_command(RunWorker()) == "worker"
    assert role_of_command(Seed.__new__(Seed)) == NOBODY


def test_the_role_in_which_it_began_stays(noted, alice):
    acting_as("web")(Worker().step)()
    assert {use.role for use in noted} == {"web"}


def test_a_transaction_is_judged_as_its_single_actions():
    request = {
        "TransactItems": [
            {"Put": {"Item": KEY}},
            {"Update": {"Key": KEY}},
            {"Delete": {"Key": KEY}},
            {"ConditionCheck": {"Key": KEY}},
        ]
    }
    actions = ("PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem")
    assert list(uses_of("web", "dynamodb", "TransactWriteItems", request)) == [
        Use("web", "table", "u#*#auth", True, action) for action in actions
    ]


def test_a_batch_is_judged_by_each_of_its_keys():
    other = {"PK": {"S": "audit"}, "SK": {"S": "head"}}
    writes = {
        "RequestItems": {"t": [{"PutRequest": {"Item": KEY}}, {"DeleteRequest": {"Key": other}}]}
    }
    assert list(uses_of("web", "dynamodb", "BatchWriteItem", writes)) == [
        Use("web", "table", shape, False, "BatchWriteItem") for shape in ("u#*#auth", "audit")
    ]


@pytest.mark.parametrize(
    ("key", "shape"),
    [
        (keys.user("01M"), "u#*"),
        (keys.sign_ins("01M"), "u#*#session"),
        (keys.stream_host().pk, "worker#host"),
        (keys.lease("shardId-1").pk, "worker#*"),
        (keys.likes("01M", 3), "p#*#likelist#*"),
        (keys.handle_claim("no#handle").pk, "handle#*"),
        (keys.relation_target(6, "01M"), "*#u#*"),
        ("nobody knows", "nobody knows"),
    ],
)
def test_a_key_has_the_shape_that_the_chart_gives_it(key, shape):
    assert shape_of(key) == shape


def test_what_is_new_is_told_in_a_sentence():
    told = sentence_about(Use("web", "table", "u#*#auth", True, "DeleteItem"))
    assert told.startswith(
        "web does DeleteItem in a transaction on table with the partition key u#*#auth"
    )
    assert "deploy/iam/web.json" in told
