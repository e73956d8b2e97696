"""`manage.py relation_event FILE`: plays an event of the function for other systems here, and prints its answer.

`relations/lambda_handler.py` is that function. The events in `deploy/events` show what it takes.
"""

import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from operations.management.command_errors import command_errors
from relations import lambda_handler


class Command(BaseCommand):
    help = "Plays an event of relations.lambda_handler: create, filter, update, delete or levels."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="with the event as JSON; - reads it from standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        event = _event_in(options["file"])
        with command_errors():
            answer = lambda_handler.handle(event)
        self.stdout.write(json.dumps(answer, indent=2, ensure_ascii=False))
        if "error" in answer:
            raise CommandError(answer["message"])


def _event_in(file: str) -> dict[str, Any]:
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text()
        event: dict[str, Any] = json.loads(text)
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise CommandError(f"{file} is no JSON: {error}.") from error
    return event
