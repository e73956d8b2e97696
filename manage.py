#!/usr/bin/env python
"""The command line of socialsite: `python manage.py help` lists what it can do."""

import os
import sys

from operations.doctor import POINTER

PIPE_CLOSED = 128 + 13  # what shells tell of a command that SIGPIPE ended


def main() -> None:
    """Runs the command."""
    if sys.argv[1:2] == ["doctor"]:  # before Django, which may be what is missing
        from operations.doctor.__main__ import main as look

        sys.exit(look(sys.argv[2:]))
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
    except ImportError:
        sys.exit(
            f"Django is not installed here: run `make setup`, then `.venv/bin/python manage.py …`. {POINTER}"
        )
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "socialsite.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"{error} {POINTER}")


if __name__ == "__main__":
    try:
        try:
            main()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # who reads has enough, as `head` has; the rest goes nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(PIPE_CLOSED)
