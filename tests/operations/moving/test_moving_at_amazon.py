"""A site moves between two tables at Amazon, as moto plays it: credentials of the file, no endpoint, dollars."""

from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from feed.likes.writes import like_post
from operations.moving.place import named_by
from socialsite.streams.worker import Worker
from socialsite.table import Item, keys
from socialsite.table.connection import client, disconnect, table_name
from socialsite.table.data_state import check_data
from socialsite.table.schema import create_table
from tests.conftest import post
from tests.looks import broken_invariants

pytestmark = pytest.mark.engines("moto", reason="it stands for Amazon")


@pytest.fixture
def file(table, settings, tmp_path: Path) -> Path:
    """The settings of another table, which is empty, beside this one."""
    settings.SITE_RULES_SECONDS, settings.PAGE_SECONDS = 1, 0.0
    check_data(client(), table_name())
    values = {
        "AWS_REGION": settings.DYNAMODB_REGION,
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "DYNAMODB_TABLE": f"{table}-new",
        "DATA_DIR": tmp_path,
        "DATA_KEY": settings.DATA_KEY,
        "SECRET_KEY": settings.SECRET_KEY,
    }
    made = tmp_path / "env"
    made.write_text("".join(f"{name}={value}\n" for name, value in values.items()))
    Item.Meta.table_name = f"{table}-new"
    disconnect()
    create_table()
    Item.Meta.table_name = table
    disconnect()
    return made


def test_its_items_come_there_and_a_dry_run_says_the_dollars(file, alice, capsys):
    written = post(alice)
    call_command("move", to=file, dry_run=True)
    assert "read units: $0.00" in capsys.readouterr().out
    call_command("move", to=file)
    (raw,) = named_by(file).get([keys.post(alice.user_id, written)]).values()
    assert raw["content"] == {"S": "Hello"}


def test_the_site_goes_there(file, table, alice, bob):
    written = post(alice)
    call_command("move", to=file, finish=True, no_audit=True)
    place = named_by(file)
    assert "standing" not in place.state
    assert keys.post(alice.user_id, written) in place.get([keys.post(alice.user_id, written)])
    Item.Meta.table_name = f"{table}-new"
    disconnect()
    call_command("read_only", "off")
    like_post(by=bob, post_id=written, author_id=alice.user_id)
    Worker().drain()
    assert broken_invariants() == {}
    Item.Meta.table_name = table
    here_again(table)


def here_again(table: str) -> None:
    """This process looks at its own table again, which the site has left."""
    disconnect()
    call_command("move", stay=True)


@pytest.mark.parametrize("name", ["DATA_KEY", "SECRET_KEY"])
def test_its_keys_have_to_be_named(file, name):
    file.write_text(file.read_text().replace(f"{name}=", f"NO_{name}="))
    with pytest.raises(CommandError, match=f"does not set {name}"):
        call_command("move", to=file)


def test_a_file_that_names_half_of_amazon_is_refused(file):
    file.write_text(file.read_text().replace("AWS_SECRET_ACCESS_KEY=testing", ""))
    with pytest.raises(CommandError, match="set both, or neither"):
        call_command("move", to=file)


def test_a_key_of_kms_that_is_not_named_there_is_refused(file, alice):
    arn = "arn:aws:kms:us-east-1:123456789012:key/1"
    client().update_item(
        TableName=table_name(),
        Key={name: {"S": one} for name, one in zip(("PK", "SK"), keys.data_state(), strict=True)},
        UpdateExpression="ADD key_ids :id",
        ExpressionAttributeValues={":id": {"SS": [arn]}},
    )
    with pytest.raises(CommandError, match="is encrypted with arn:aws:kms"):
        call_command("move", to=file)
    file.write_text(f"{file.read_text()}KMS_KEY_FALLBACKS={arn}\n")
    call_command("move", to=file)
