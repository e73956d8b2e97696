"""People who were erased since the moment of a restore are back with it, and are erased once more."""

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from accounts.models import UserInfo
from socialsite.due.work import do_due
from socialsite.table import NotFound, get, keys
from socialsite.table.connection import client, table_name
from socialsite.table.reading import scan
from socialsite.table.transport.requests import wire

LEAVES = "2036-12-01T00:00:00+00:00"


@pytest.fixture
def before(table, alice, bob, carol, admin):
    """The table of before, where alice is erased, bob is leaving and carol is gone without a trace of an erasure; this
    one is the restored one, where all three are as they were."""
    name = f"{table}-before"
    described = client().describe_table(TableName=table)["Table"]
    client().create_table(
        TableName=name,
        KeySchema=described["KeySchema"],
        AttributeDefinitions=[
            one for one in described["AttributeDefinitions"] if one["AttributeName"] in ("PK", "SK")
        ],
        BillingMode="PAY_PER_REQUEST",
    )
    for raw in scan():
        client().put_item(TableName=name, Item=raw)
    for gone in (alice, carol):
        client().delete_item(TableName=name, Key=wire(keys.user_info(gone.user_id)))
    client().update_item(
        TableName=name, Key=wire(keys.handle_claim("alice")), UpdateExpression="REMOVE user_id"
    )
    client().update_item(
        TableName=name,
        Key=wire(keys.user_info(bob.user_id)),
        UpdateExpression="SET closing = :moment",
        ExpressionAttributeValues={":moment": {"S": LEAVES}},
    )
    yield name
    client().delete_table(TableName=name)


def closing_of(viewer) -> str | None:
    return get(UserInfo, keys.user_info(viewer.user_id), consistent=True).closing


def test_whoever_is_erased_there_is_erased_and_who_was_leaving_leaves(
    before, alice, bob, carol, admin, drain_stream, capsys
):
    with pytest.raises(CommandError, match="1 people have to be looked at"):
        call_command("erase", as_in=before)
    said = capsys.readouterr()
    assert "@alice: erased" in said.out
    assert "@bob: closed" in said.out
    assert "@carol is not in" in said.err
    do_due()
    drain_stream()
    with pytest.raises(NotFound):
        closing_of(alice)
    assert closing_of(bob)
    assert not closing_of(carol)
    assert not closing_of(admin)


def test_it_may_be_repeated(before, alice, bob, capsys):
    for _ in range(2):
        with pytest.raises(CommandError):
            call_command("erase", as_in=before)
    assert "@alice: leaving already" in capsys.readouterr().out


def test_a_dry_run_names_them_and_leaves_them_alone(before, alice, bob, capsys):
    with pytest.raises(CommandError):
        call_command("erase", as_in=before, dry_run=True)
    assert "@alice: erased" in capsys.readouterr().out
    assert not closing_of(alice)
    assert not closing_of(bob)


def test_the_sites_own_table_is_none_of_before(table, alice):
    with pytest.raises(CommandError, match="no table of before"):
        call_command("erase", as_in=table_name())
    with pytest.raises(CommandError, match="no table of before"):
        call_command("erase", as_in="nowhere")


def test_without_a_handle_nobody_is_erased(table):
    with pytest.raises(CommandError, match="by their handle"):
        call_command("erase")
