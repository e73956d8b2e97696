"""Checks whether table, `DATA_KEY` and code fit together. `connection.py` asks before anything else uses the table.

One item, `DataState`, is created with the table. It holds the version of the data, the version up to which all of them
were brought, the ids of the keys behind their values, and how far the first start got. This module reads it without the
helpers of `socialsite/table`, which need a connection.
"""

from typing import Any

from botocore.exceptions import ClientError
from django.conf import settings

from socialsite import keys
from socialsite.data_keys import current_key, current_key_ids, known_key_ids
from socialsite.engine.program import EngineError
from socialsite.table.actions import only_reads
from socialsite.table.errors import error_code
from socialsite.table.models import DataState

BEGUN = "begun"  # the first start of a new table
ARRIVING, LEFT = "arriving", "left"  # how a table stands from which or to which a site moves
# Raise it with every change of the data that earlier code would misread, or that `manage.py upgrade` must bring up.
DATA_VERSION = 2


class WrongData(EngineError):
    """The table needs another `DATA_KEY` or newer code, or the site does not live there."""


def check_data(client: Any, table: str) -> None:
    """Refuses data of another key, of newer code or of a site that is not here, and notes new keys and that this code
    has written here. Raises `WrongData`.

    One GetItem, consistent; one write when a key or the version is new. Does nothing while there is no table.
    """
    where = {"TableName": table, "Key": _key()}
    try:
        state = client.get_item(**where, ConsistentRead=True).get("Item")
    except ClientError as error:
        if error_code(error) == "ResourceNotFoundException":
            return
        raise
    if state is None:
        if only_reads():
            raise WrongData(
                f"The table {table} is still empty here: {settings.WRITING_REGION} writes it."
            )
        is_empty = _is_empty(client, table)
        if is_empty is not None:
            create_state(client, table, is_new=is_empty)
        return
    _refuse_newer(state, table)
    _refuse_elsewhere(state, table)
    used = set(state["key_ids"]["SS"])
    _refuse_other_key(used, table)
    if only_reads():
        return
    if current_key_ids() - used or int(state["version"]["N"]) < DATA_VERSION:
        client.update_item(
            **where,
            UpdateExpression="SET #version = :version ADD key_ids :id",
            ExpressionAttributeNames={"#version": "version"},
            ExpressionAttributeValues={
                ":id": {"SS": sorted(current_key_ids())},
                ":version": {"N": str(DATA_VERSION)},
            },
        )


def create_state(client: Any, table: str, *, is_new: bool) -> None:
    """Creates the item, unless another process did. 1 write unit."""
    state = DataState.new(version=DATA_VERSION, key_ids=known_key_ids())
    if is_new:
        state.first_start, state.upgraded = BEGUN, DATA_VERSION
    try:
        client.put_item(
            TableName=table, Item=state.serialize(), ConditionExpression="attribute_not_exists(PK)"
        )
    except ClientError as error:
        if error_code(error) != "ConditionalCheckFailedException":
            raise


def forget_earlier_keys(client: Any, table: str) -> None:
    """Notes that the table needs only the current keys. 1 write unit."""
    client.update_item(
        TableName=table,
        Key=_key(),
        UpdateExpression="SET key_ids = :ids",
        ConditionExpression="attribute_exists(PK)",
        ExpressionAttributeValues={":ids": {"SS": sorted(current_key_ids())}},
    )


def _refuse_newer(state: dict[str, Any], table: str) -> None:
    version = int(state["version"]["N"])
    if version > DATA_VERSION:
        raise WrongData(
            f"The table {table} has data of version {version}, but this code knows version "
            f"{DATA_VERSION}: start the newer code, or restore a backup made by this one."
        )


def _refuse_elsewhere(state: dict[str, Any], table: str) -> None:
    """Two places that both take writes could never be made one again."""
    standing = state.get("standing", {}).get("S", "")
    if standing == ARRIVING:
        raise WrongData(
            f"A site is moving into the table {table}, and not all of it is there: let `manage.py move` end first."
        )
    if standing == LEFT:
        raise WrongData(
            f"The site moved from the table {table} to {state.get('left_for', {}).get('S', 'another place')}: start it "
            "with the settings of that place. docs/amazon.md says how it comes back."
        )


def _refuse_other_key(used: set[str], table: str) -> None:
    if missing := sorted(used - known_key_ids()):
        if of_kms := [one for one in missing if one.startswith("arn:")]:
            raise WrongData(
                f"The table {table} has keys wrapped by {' and '.join(of_kms)}: "
                "set KMS_KEY_ID or KMS_KEY_FALLBACKS to the missing key."
            )
        named = " and ".join(missing)
        raise WrongData(
            f"The table {table} is encrypted with the key {named}, but DATA_KEY is "
            f"{current_key().id}: set DATA_KEY or DATA_KEY_FALLBACKS to the missing key."
        )


def _is_empty(client: Any, table: str) -> bool | None:
    """Whether the table is new and empty. None if this process may not look, as the web on Amazon may not: then
    a worker, a clock or a command notes it."""
    try:
        return not client.scan(TableName=table, Limit=1, ConsistentRead=True)["Items"]
    except ClientError as error:
        if error_code(error) == "AccessDeniedException":
            return None
        raise


def _key() -> dict[str, dict[str, str]]:
    pk, sk = keys.data_state()
    return {"PK": {"S": pk}, "SK": {"S": sk}}
