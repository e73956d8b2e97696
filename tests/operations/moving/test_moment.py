"""On Amazon a site goes back to a moment in a new table, which gets back what Amazon's restore leaves out."""

from datetime import timedelta

import boto3
import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError

from operations.moving import moment
from socialsite.clock import utc_now
from socialsite.table.schema import missing_features, missing_protection, protect_table
from tests.conftest import post

on_moto = pytest.mark.engines("moto", reason="the others restore nothing")


@pytest.fixture
def amazon(table, monkeypatch):
    """A protected table with a tag, as `make deploy` makes it."""
    protect_table()
    made = boto3.client("dynamodb", region_name=settings.DYNAMODB_REGION)
    arn = made.describe_table(TableName=table)["Table"]["TableArn"]
    made.tag_resource(
        ResourceArn=arn,
        Tags=[{"Key": "team", "Value": "site"}],
    )
    monkeypatch.setattr(moment, "LOOK_EVERY", 0.0)
    yield made
    for name in (table, f"{table}-2"):
        if name in made.list_tables()["TableNames"]:
            made.update_table(TableName=name, DeletionProtectionEnabled=False)
    if f"{table}-2" in made.list_tables()["TableNames"]:
        made.delete_table(TableName=f"{table}-2")


@on_moto
def test_the_new_table_has_all_that_the_site_needs(amazon, table, alice, capsys):
    written = post(alice)
    call_command("restore", moment="latest", into=f"{table}-2")
    assert missing_features(amazon, f"{table}-2") == []
    assert missing_protection(amazon, f"{table}-2") == []
    described = amazon.describe_table(TableName=f"{table}-2")["Table"]
    tags = amazon.list_tags_of_resource(ResourceArn=described["TableArn"])["Tags"]
    assert tags == [{"Key": "team", "Value": "site"}]
    items = amazon.scan(TableName=f"{table}-2")["Items"]
    assert written in {raw.get("post_id", {}).get("S") for raw in items}
    said = capsys.readouterr().out
    assert f"manage.py erase --as-in {table}" in said
    assert f"TABLE={table}-2" in said


@on_moto
def test_a_dry_run_tells_each_call_and_makes_none(amazon, table, capsys):
    call_command("restore", moment="latest", into=f"{table}-2", dry_run=True)
    said = capsys.readouterr().out
    called = [line.split()[0] for line in said.splitlines() if line.startswith("  ")]
    assert [one for one in called if "_" in one] == [
        "restore_table_to_point_in_time",
        "update_table",
        "update_time_to_live",
        "update_table",
        "update_continuous_backups",
        "tag_resource",
    ]
    assert f"{table}-2" not in amazon.list_tables()["TableNames"]


@on_moto
def test_broken_off_it_goes_on_with_what_is_still_missing(amazon, table, monkeypatch, capsys):
    with monkeypatch.context() as patch:
        patch.setattr(moment.Restoring, "_ttl", _fail)
        with pytest.raises(RuntimeError):
            call_command("restore", moment="latest", into=f"{table}-2")
    call_command("restore", moment="latest", into=f"{table}-2", dry_run=True)
    said = capsys.readouterr().out
    assert "restore_table_to_point_in_time" not in said
    call_command("restore", moment="latest", into=f"{table}-2")
    assert missing_features(amazon, f"{table}-2") == []


def _fail(_: object) -> None:
    raise RuntimeError


@on_moto
@pytest.mark.parametrize("days", [-40, 1])
def test_a_moment_that_amazon_does_not_have_is_refused_with_those_it_has(amazon, table, days):
    when = utc_now() + timedelta(days=days)
    with pytest.raises(CommandError, match="is not among them"):
        call_command("restore", moment=when.isoformat(), into=f"{table}-2")


@on_moto
def test_a_table_that_is_something_else_is_refused(amazon, table):
    with pytest.raises(CommandError, match="is the table of the site"):
        call_command("restore", moment="latest", into=table)


@on_moto
def test_without_recovery_there_is_nothing_to_restore(table):
    with pytest.raises(CommandError, match=r"recovery of .* is off"):
        call_command("restore", moment="latest", into=f"{table}-2")


@pytest.mark.engines("embedded", reason="moto stands for Amazon")
def test_only_amazon_has_earlier_moments(table, settings):
    settings.DYNAMODB_ENGINE = "embedded"
    with pytest.raises(CommandError, match="Only Amazon"):
        call_command("restore", moment="latest", into="other")
