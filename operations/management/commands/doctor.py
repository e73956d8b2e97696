"""`manage.py doctor`, in the list of commands. `manage.py` itself answers it before Django is there."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from operations.doctor.__main__ import main


class Command(BaseCommand):
    help = "Says what this machine has and lacks for the site, with the command that gets it."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="for programs to read")

    def handle(self, *args: Any, **options: Any) -> None:
        sys.exit(main(["--json"] if options["json"] else []))
