"""What can go wrong at the table, in words that services and views understand.

Services raise their own subclasses (`HandleTaken`, `AlreadyLiked`); `translated` turns botocore's and
PynamoDB's errors into these, so that no other layer imports either.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from botocore.exceptions import BotoCoreError, ClientError, HTTPClientError
from pynamodb.exceptions import PynamoDBException


class TableError(Exception):
    """The base of everything that this package raises."""

    failed: Sequence[
        object
    ] = ()  # the actions whose conditions failed, if a transaction was refused


class NotFound(TableError):
    """The item is not there (or it expired)."""


class AlreadyExists(TableError):
    """The item that was to be created is there already."""


class Conflict(TableError):
    """Others kept writing to the same items; nothing was written."""


class BadCursor(TableError):
    """The cursor was altered, cut off, or belongs to another list."""


class Unavailable(TableError):
    """The engine cannot answer now. Whether a write happened is unknown, and it may be repeated."""

    retry_after = 3  # seconds


THROTTLING = {
    "LimitExceededException",
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "ThrottlingException",
}
PASSING = THROTTLING | {
    "InternalServerError",
    "InternalFailure",
    "ServiceUnavailable",
    "TransactionInProgressException",
    "TransactionConflictException",
}


@contextmanager
def translated() -> Iterator[None]:
    """Turns the transport's errors into `TableError`; errors in our own requests stay as they are."""
    try:
        yield
    except PynamoDBException as error:
        raise _translate(error.cause or error) from error
    except (ClientError, BotoCoreError, HTTPClientError) as error:
        raise _translate(error) from error


def error_code(error: ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code", ""))


def _translate(error: Exception) -> Exception:
    if not isinstance(error, ClientError):
        return Unavailable(str(error)) if isinstance(error, BotoCoreError) else error
    code = error_code(error)
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    if code in PASSING or status >= 500:
        return Unavailable(code)
    if code == "ConditionalCheckFailedException":
        return Conflict(code)
    return error
