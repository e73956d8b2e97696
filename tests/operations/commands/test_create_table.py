"""The table: stream, TTL and both sparse indexes; creating it again changes nothing."""

import pytest
from django.core.management import call_command

from socialsite.table import Item
from socialsite.table.connection import client, table_name
from socialsite.table.schema import (
    create_table,
    missing_features,
    missing_protection,
    protect_table,
)

on_amazon = pytest.mark.engines("moto", reason="the others offer no protection")


def test_the_table_has_all_that_the_product_needs(table):
    assert missing_features() == []


def test_creating_it_again_changes_nothing(table, capsys):
    assert create_table() is False
    call_command("create_table")
    assert "complete" in capsys.readouterr().out


def test_it_is_billed_by_request_and_streams_both_images(table):
    described = client().describe_table(TableName=table_name())["Table"]
    assert described["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert described["StreamSpecification"]["StreamViewType"] == "NEW_AND_OLD_IMAGES"


@pytest.mark.engines("embedded", "dynamodb-local", reason="moto stands for Amazon here")
def test_another_engine_than_amazons_is_told_to_stay_unprotected(table, settings, capsys):
    settings.DYNAMODB_ENGINE = "endpoint"
    call_command("create_table")
    told = capsys.readouterr().err
    assert "Deletion protection and point-in-time recovery stay off" in told
    settings.DYNAMODB_ENGINE = "embedded"
    call_command("create_table")
    assert "stay off" not in capsys.readouterr().err


@pytest.fixture
def missing_table(table, monkeypatch):
    """The name of a table that does not exist yet, and that is deleted in the end."""
    monkeypatch.setattr(Item.Meta, "table_name", f"{table}-new")
    yield f"{table}-new"
    client().update_table(TableName=f"{table}-new", DeletionProtectionEnabled=False)
    client().delete_table(TableName=f"{table}-new")


@on_amazon
def test_a_new_table_on_amazon_is_protected_from_loss(missing_table, capsys):
    call_command("create_table")
    assert missing_protection() == []
    with pytest.raises(client().exceptions.ClientError, match="DeletionProtection"):
        client().delete_table(TableName=missing_table)
    assert capsys.readouterr().err == ""


@on_amazon
def test_a_table_that_exists_keeps_its_settings_and_the_command_says_what_is_off(table, capsys):
    call_command("create_table")
    told = capsys.readouterr().err
    assert "Deletion protection is off." in told
    assert "Point-in-time recovery is off." in told
    assert len(missing_protection()) == 2


@on_amazon
def test_protecting_twice_is_harmless(missing_table):
    create_table()
    protect_table()
    protect_table()
    assert missing_protection() == []
