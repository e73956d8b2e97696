"""`manage.py export HANDLE --to FILE`: the data of a person, for a request by letter or of a court."""

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from operations.management.command_errors import command_errors
from privacy.export.by_letter import note_given, write_by_letter
from socialsite.private_files import private_opener
from socialsite.table import NotFound


class Command(BaseCommand):
    help = (
        "Writes the same archive that people get at /settings/export to a file that only this user can read. The audit "
        "log notes it, and the person is told by letter."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("handle")
        parser.add_argument("--to", required=True, help="the file, which must not be there yet")
        parser.add_argument("--reason", required=True, help="who asked, and under which number")
        parser.add_argument("--language", default=settings.LANGUAGE_CODE, help="of its pages")
        parser.add_argument(
            "--silent",
            action="store_true",
            help="tell the person nothing, where an order of a court forbids it",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        handle, file = options["handle"].removeprefix("@").lower(), Path(options["to"])
        if options["language"] not in dict(settings.LANGUAGES):
            raise CommandError(f"--language: one of {', '.join(dict(settings.LANGUAGES))}.")
        if not options["reason"].strip():
            raise CommandError("--reason: say who asked.")
        with command_errors(OSError):
            try:
                target = open(file, "xb", opener=private_opener)  # noqa: SIM115 - closed below
            except FileExistsError as error:
                raise CommandError(f"{file} is there already. Name another file.") from error
            try:
                with target:
                    user_id = write_by_letter(
                        handle=handle,
                        target=target,
                        site=settings.SITE_URL,
                        language=options["language"],
                    )
                note_given(
                    user_id=user_id, reason=options["reason"].strip(), silent=options["silent"]
                )
            except NotFound as error:
                _remove(file)
                raise CommandError(f"Nobody has the handle {handle}.") from error
            except BaseException:
                _remove(file)  # half an archive, or one that no log knows of, is none
                raise
        told = "They are not told." if options["silent"] else "They are told by letter."
        self.stdout.write(f"The data of @{handle} is in {file}. {told}")


def _remove(file: Path) -> None:
    os.unlink(file)
