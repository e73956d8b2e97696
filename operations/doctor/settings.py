"""Do the settings fit together? Django's own checks say so, in a process of their own, on an empty data folder."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from operations.doctor.finding import NOTE, OK, STOP, Finding

# Reading the settings makes secrets in the data folder, which the doctor must not touch: hence an empty one.
ASK = """
import django
from django.core.checks import ERROR, run_checks
from django.core.exceptions import ImproperlyConfigured
try:
    django.setup()
    from django.conf import settings
    for found in run_checks(include_deployment_checks=not settings.DEBUG):
        print("stop" if found.level >= ERROR else "note", " ".join(str(found.msg).split()))
except ImproperlyConfigured as error:
    print("stop", " ".join(str(error).split()))
"""
SECONDS = 60


def check_settings(project: Path) -> list[Finding]:
    """Asks for every setting that does not fit. It starts no engine, as no check needs the table."""
    with tempfile.TemporaryDirectory(prefix="socialsite-doctor-") as folder:
        environment = dict(os.environ, DATA_DIR=folder, PYTHONWARNINGS="ignore")
        environment.setdefault("DJANGO_SETTINGS_MODULE", "socialsite.settings")
        try:
            done = subprocess.run(  # noqa: S603 - a command of our own
                [sys.executable, "-c", ASK],
                cwd=project,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return [Finding("settings", NOTE, f"reading them took more than {SECONDS} seconds.")]
    found = [line.partition(" ") for line in done.stdout.splitlines()]
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["without a word"])[-1]
        return [Finding("settings", STOP, f"Django cannot read them: {last}")]
    marks = {"stop": STOP, "note": NOTE}
    findings = [Finding("settings", marks[mark], text) for mark, _, text in found if mark in marks]
    return findings or [Finding("settings", OK, "nothing to complain about")]
