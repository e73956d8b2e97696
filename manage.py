#!/usr/bin/env python
"""The command line of socialsite: `python manage.py help` lists what it can do."""

import os
import sys

from operations.doctor import POINTER

if sys.argv[1:2] == ["doctor"]:  # before Django, which may be what is missing
    from operations.doctor.__main__ import main

    sys.exit(main(sys.argv[2:]))

try:
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
except ImportError:
    sys.exit(
        f"Django is not installed here: run `make setup`, then `.venv/bin/python manage.py …`. {POINTER}"
    )

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "socialsite.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"{error} {POINTER}")
