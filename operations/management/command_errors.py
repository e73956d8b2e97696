"""How a command fails: with one sentence, and naming the site it worked on."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.core.management.base import CommandError

from operations.doctor import POINTER
from socialsite.engine.program import EngineError
from socialsite.table import TableError
from socialsite.table.data_state import WrongData

NO_TABLE = "There is no table yet. Start the site, or run `manage.py create_table`."


@contextmanager
def command_errors(*others: type[Exception]) -> Iterator[None]:
    """Ends the command with the error's sentence instead of a traceback. `others` are errors of the command's own."""
    expected: tuple[type[Exception], ...] = (EngineError, TableError, *others)
    try:
        yield
    except BrokenPipeError:  # nobody reads any more, which `manage.py` ends
        raise
    except WrongData as error:  # which is no fault of the machine
        raise CommandError(str(error)) from error
    except EngineError as error:
        raise CommandError(f"{error} {POINTER}") from error
    except expected as error:
        raise CommandError(_sentence(error)) from error


def _sentence(error: Exception) -> str:
    text = str(error) or type(error).__name__
    return NO_TABLE if text == "ResourceNotFoundException" else text


def site_place() -> str:
    """Returns where its data are: the data folder of an embedded engine, otherwise the table."""
    match settings.DYNAMODB_ENGINE:
        case "embedded":
            return f"the data folder {settings.DATA_DIR}"
        case "endpoint":
            return f"the table {settings.DYNAMODB_TABLE} at {settings.DYNAMODB_ENDPOINT}"
        case _:
            return f"the table {settings.DYNAMODB_TABLE} in {settings.DYNAMODB_REGION}"
