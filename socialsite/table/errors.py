"""What can go wrong with the table, as errors that services and views understand.

Services raise their own subclasses (`HandleTaken`, `AlreadyLiked`); `translated` turns botocore's and PynamoDB's errors
into these, so that no other layer imports either.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    EndpointConnectionError,
    HTTPClientError,
    ParamValidationError,
)
from pynamodb.exceptions import PynamoDBException

from socialsite.table.resilience import TableIsAway


class TableError(Exception):
    """The base of all errors that this package raises. An error with a `template` has its own page."""

    status = 503
    template = ""
    told = ""  # what the page says to the viewer
    failed: Sequence[
        object
    ] = ()  # the actions whose conditions failed, if a transaction was refused


class NotFound(TableError):
    """The item does not exist (or has expired)."""

    status, template = 404, "404.html"


class AlreadyExists(TableError):
    """The item to create already exists."""


class Conflict(TableError):
    """Others kept writing to the same items; nothing was written."""


class ConditionFailed(TableError):
    """The condition of a single write did not hold; nothing was written."""


class Fenced(TableError):
    """The writer was replaced: another process does its work now, and nothing was written."""


class BadCursor(TableError):
    """The cursor was altered, cut off, or belongs to another list."""

    status, template = 400, "400.html"


class Unavailable(TableError):
    """The engine cannot answer now. It is unknown whether a write happened, and it may be repeated. If the engine was
    not even reached, `was_asked` is false."""

    retry_after = 3  # seconds

    def __init__(self, told: str = "", *, was_asked: bool = True) -> None:
        super().__init__(told)
        self.was_asked = was_asked


class ReadOnly(Unavailable):
    """Another region writes this table (`WRITING_REGION`), the site is only read for a while, or the engine takes no
    writes: nothing was asked and nothing written."""

    retry_after = 300  # seconds


class Refused(TableError):
    """The engine refuses the request, and would refuse it again. Nothing was written."""


# The request is wrong, or does not fit the table (a missing index). All other errors can pass by themselves or be fixed
# from outside: load, faults of the engine, missing rights, an expired token, a missing table, a disabled key.
FAULTS_OF_THE_REQUEST = {
    "IdempotentParameterMismatchException",
    "ItemCollectionSizeLimitExceededException",
    "SerializationException",
    "TransactionCanceledException",
    "UnknownOperationException",
    "ValidationException",
}


# Of these no byte came to the engine.
NOT_REACHED = (TableIsAway, EndpointConnectionError, ConnectTimeoutError)


@contextmanager
def translated() -> Iterator[None]:
    """Turns every error of the transport and the engine into a `TableError`, with the original as its cause."""
    try:
        yield
    except PynamoDBException as error:
        raise _translate(error.cause or error) from error
    except (ClientError, BotoCoreError, HTTPClientError) as error:
        raise _translate(error) from error


def error_code(error: ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code", ""))


def _translate(error: Exception) -> Exception:
    if isinstance(error, ParamValidationError):
        return Refused(str(error))
    if not isinstance(error, ClientError):
        return Unavailable(str(error), was_asked=not isinstance(error, NOT_REACHED))
    code = error_code(error)
    if code == "ConditionalCheckFailedException":
        return ConditionFailed(code)
    if "AccessDenied" in code:  # Amazon's sentence names the role, the action and the resource
        return Unavailable(str(error))
    return Refused(code) if code in FAULTS_OF_THE_REQUEST else Unavailable(code)
