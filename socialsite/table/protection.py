"""Protects a table on Amazon from loss: deletion protection, and recovery to any second of the last 35 days."""

from socialsite.table.connection import client, table_name
from socialsite.table.errors import translated


def protect_table() -> None:
    """Turns on deletion protection and point-in-time recovery. Safe to repeat. Local engines offer neither."""
    with translated():
        client().update_table(TableName=table_name(), DeletionProtectionEnabled=True)
        client().update_continuous_backups(
            TableName=table_name(),
            PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True},
        )


def missing_protection() -> list[str]:
    """Returns a sentence for each protection that is off."""
    with translated():
        table = client().describe_table(TableName=table_name())["Table"]
        backups = client().describe_continuous_backups(TableName=table_name())
    recovery = backups["ContinuousBackupsDescription"].get("PointInTimeRecoveryDescription", {})
    sentences = []
    if not table.get("DeletionProtectionEnabled"):
        sentences.append("Deletion protection is off.")
    if recovery.get("PointInTimeRecoveryStatus") != "ENABLED":
        sentences.append("Point-in-time recovery is off.")
    return sentences
