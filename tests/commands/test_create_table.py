"""The table: stream, TTL and both sparse indexes; creating it again changes nothing."""

from django.core.management import call_command

from socialsite.table.connection import client, table_name
from socialsite.table.schema import create_table, missing_features


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
