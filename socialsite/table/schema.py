"""Creating the table, with its indexes, its stream and what protects it."""

from typing import Any

from botocore.exceptions import ClientError
from pynamodb.exceptions import TableError as PynamoDBTableError

from socialsite.table.connection import client, connection, table_name
from socialsite.table.data_state import create_state
from socialsite.table.errors import error_code, translated
from socialsite.table.item import Item


def protect_table() -> None:
    """Turns on deletion protection and point-in-time recovery. Safe to repeat. Local engines offer neither."""
    with translated():
        client().update_table(TableName=table_name(), DeletionProtectionEnabled=True)
        client().update_continuous_backups(
            TableName=table_name(),
            PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True},
        )


def missing_protection(asked: Any = None, name: str = "") -> list[str]:
    """Returns a sentence for each protection that is off. Another client may be asked about another table."""
    asked, name = asked or client(), name or table_name()
    with translated():
        table = asked.describe_table(TableName=name)["Table"]
        backups = asked.describe_continuous_backups(TableName=name)
    recovery = backups["ContinuousBackupsDescription"].get("PointInTimeRecoveryDescription", {})
    sentences = []
    if not table.get("DeletionProtectionEnabled"):
        sentences.append("Deletion protection is off.")
    if recovery.get("PointInTimeRecoveryStatus") != "ENABLED":
        sentences.append("Point-in-time recovery is off.")
    return sentences


def create_table() -> bool:
    """Creates the table if it is missing, and waits until it can be used. Returns whether it was created."""
    connection()
    with translated():
        if Item.exists():
            return False
        try:
            Item.create_table(wait=True, ignore_update_ttl_errors=True)
        except PynamoDBTableError as error:
            if not _is_being_created(error):
                raise
            Item.create_table(wait=True, ignore_update_ttl_errors=True)
        create_state(client(), table_name(), is_new=True)
    return True


def _is_being_created(error: PynamoDBTableError) -> bool:
    # Creating can take longer than the time limit. A retry then finds what the first try began.
    return isinstance(error.cause, ClientError) and error_code(error.cause) == (
        "ResourceInUseException"
    )


def missing_features(asked: Any = None, name: str = "") -> list[str]:
    """Returns a sentence for each feature that the table lacks. `create_table` makes tables that lack none. Another
    client may be asked about another table."""
    asked, name = asked or client(), name or table_name()
    with translated():
        table: dict[str, Any] = asked.describe_table(TableName=name)["Table"]
        ttl = asked.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    sentences = []
    stream = table.get("StreamSpecification", {})
    if stream.get("StreamViewType") != Item.Meta.stream_view_type:
        sentences.append("The table's stream must be on, with new and old images.")
    if ttl.get("TimeToLiveStatus") not in ("ENABLED", "ENABLING"):
        sentences.append("Time to live must be on for the attribute `ttl`.")
    has = {index["IndexName"] for index in table.get("GlobalSecondaryIndexes", [])}
    for index in (Item.type_index, Item.escalated_index):
        if index.Meta.index_name not in has:
            sentences.append(f"The index {index.Meta.index_name} is missing.")
    return sentences
