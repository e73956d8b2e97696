"""What a site needs once its code can run: settings, data folder, engine, and the tools of developers."""

from __future__ import annotations

import http.client
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from operations.doctor.machine import NOTE, OK, SECONDS_TO_ANSWER, STOP, Finding, data_folder

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


def check_engine(project: Path) -> Finding:
    from socialsite.environment import dynamodb_engine, dynamodb_region

    engine, problem = dynamodb_engine(os.environ)
    if problem:
        return Finding("engine", STOP, problem)
    if engine == "endpoint":
        return check_endpoint(os.environ["DYNAMODB_ENDPOINT"])
    if engine == "amazon":
        region = dynamodb_region(os.environ)
        return Finding("engine", OK, f"Amazon DynamoDB in {region}, which was not asked")
    return embedded(project)


def embedded(project: Path) -> Finding:
    """The engine that the site brings, found but not started."""
    from socialsite.engine.choice import choose
    from socialsite.engine.program import EngineError

    try:
        program = choose(data_folder(project))
        found = program.find(project)
        return Finding("engine", OK, f"the embedded one, {program.name}: {found[0]}")
    except EngineError as error:
        return Finding("engine", STOP, str(error))


def check_endpoint(address: str) -> Finding:
    """Whether anything speaks HTTP at DYNAMODB_ENDPOINT; any answer will do, as each engine refuses in its own way."""
    parts = urlsplit(address)
    kinds = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}
    connection = kinds[parts.scheme](str(parts.hostname), parts.port, timeout=SECONDS_TO_ANSWER)
    try:
        connection.request("GET", "/")
        connection.getresponse()
    except (OSError, http.client.HTTPException) as error:
        why = str(error) or type(error).__name__
        text = f"nothing answers at {address} ({why}). Start it, or use the engine that the site brings."
        return Finding("engine", STOP, text, "unset DYNAMODB_ENDPOINT")
    finally:
        connection.close()
    return Finding("engine", OK, f"the DynamoDB at {address}, which answers")


BROWSERS = ("chromium-headless-shell", "chromium")
PLAYWRIGHTS = ("~/.cache/ms-playwright", "~/Library/Caches/ms-playwright")


def check_browser() -> Finding:
    chosen = os.environ.get("CHROMIUM")
    found = shutil.which(chosen) if chosen else next(filter(None, map(shutil.which, BROWSERS)), "")
    found = found or next((str(path) for path in playwright_browsers()), "")
    if found:
        return Finding("browser", OK, found)
    return Finding("browser", NOTE, "none for the browser tests.", "make setup-dev")


def playwright_browsers() -> list[Path]:
    named = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    folders = [named] if named else PLAYWRIGHTS
    return [path for one in folders for path in Path(one).expanduser().glob("chromium*-*")]


def check_gettext() -> Finding:
    if found := shutil.which("xgettext"):
        return Finding("gettext", OK, found)
    return Finding("gettext", NOTE, "none to gather translations.", "tools/install-gettext")


def check_nginx() -> Finding:
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"
    if found := shutil.which("nginx", path=path):
        return Finding("nginx", OK, found)
    text = "none for `make serve`, which works without it, but slow clients then hold up others."
    return Finding("nginx", NOTE, text, "tools/install-nginx")
