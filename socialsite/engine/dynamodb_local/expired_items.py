"""How are items past their time to live deleted? DynamoDB Local deletes only those that are in all indexes.

Expired items are found in the SQLite file, which is only read, and deleted through the DynamoDB API, so that each makes
a REMOVE record in the stream. The file can have no index for it, as the engine's SQLite 3.8 knows none on expressions.
"""

import os
import time
from pathlib import Path
from typing import Any

from botocore.config import Config
from botocore.exceptions import ClientError
from botocore.session import Session

from socialsite.engine.database import has_table, open_for_reading

# Amazon leaves items alone that seem to have expired longer ago: more likely a mistake.
OLDEST_SECONDS = 5 * 365 * 24 * 3600
CHUNK = 500

OBJECT = "CAST(ObjectJSON AS TEXT)"
TTL = f"CAST(json_extract({OBJECT}, '$.ttl.N') AS INTEGER)"


def sweep_expired_items(
    database: Path, url: str, table_name: str, *, now: float | None = None
) -> int:
    """Delete up to 500 of the table's expired items and return how many; one renewed meanwhile stays."""
    moment = int(time.time() if now is None else now)
    keys = _expired_keys(database, table_name, moment)
    if not keys:
        return 0
    client = _local_client(url, database)
    return sum(_delete_if_expired(client, table_name, key, moment) for key in keys)


def _expired_keys(database: Path, table_name: str, moment: int) -> list[dict[str, Any]]:
    quoted = '"' + table_name.replace('"', '""') + '"'
    with open_for_reading(database) as connection:
        if not has_table(connection, table_name):
            return []
        rows = connection.execute(
            f"SELECT json_extract({OBJECT}, '$.PK.S'), json_extract({OBJECT}, '$.SK.S') "
            f"FROM {quoted} WHERE {TTL} BETWEEN ? AND ? LIMIT {CHUNK}",
            (moment - OLDEST_SECONDS + 1, moment),
        )
        return [{"PK": {"S": partition}, "SK": {"S": sort}} for partition, sort in rows]


def _delete_if_expired(client: Any, table_name: str, key: dict[str, Any], moment: int) -> bool:
    try:
        client.delete_item(
            TableName=table_name,
            Key=key,
            ConditionExpression="#ttl <= :now",
            ExpressionAttributeNames={"#ttl": "ttl"},
            ExpressionAttributeValues={":now": {"N": str(moment)}},
        )
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            raise
        return False
    return True


def _local_client(url: str, database: Path) -> Any:
    access_key, region = database.stem.split("_", 1)  # which name the file
    # Nothing from the user's AWS settings may reach this client: a profile that does not exist
    # would break it, and a proxy would be asked for the loopback address.
    session = Session(
        session_vars={
            "profile": (None, None, None, None),
            "config_file": (None, None, os.devnull, None),
            "credentials_file": (None, None, os.devnull, None),
        }
    )
    return session.create_client(
        "dynamodb",
        region_name=region,
        endpoint_url=url,
        aws_access_key_id=access_key,
        aws_secret_access_key="local",  # noqa: S106 (the engine takes any)
        config=Config(
            account_id_endpoint_mode="disabled",
            connect_timeout=1,
            read_timeout=5,
            proxies={},
        ),
    )
