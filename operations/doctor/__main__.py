"""Asks everything in order, prints a line for each answer, and says whether the site can start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from operations.doctor import machine, site
from operations.doctor.machine import OK, STOP, Finding, check_data_folder
from operations.doctor.site import check_engine, check_settings

PROJECT = Path(__file__).resolve().parents[2]
HELP = "Says what this machine has and lacks: `python3 manage.py doctor [--json]`. Starts and changes nothing."


def main(arguments: list[str]) -> int:
    """Returns the status: 1 if the site cannot start here, else 0."""
    if not set(arguments) <= {"--json"}:
        print(HELP)
        return 0 if set(arguments) & {"-h", "--help"} else 2
    go_on_in_the_environment(arguments)
    findings = []
    for finding in examine():
        findings.append(finding)
        if not arguments:
            print(finding.line(), flush=True)
    if arguments:
        print(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        print(verdict(findings))
    return int(any(finding.mark == STOP for finding in findings))


def go_on_in_the_environment(arguments: list[str]) -> None:
    """Becomes the Python of `.venv`, which `make` uses, unless this one is in an environment or that one is broken."""
    own = PROJECT / ".venv" / "bin" / "python"
    if sys.prefix != sys.base_prefix or not own.exists():
        return
    try:
        subprocess.run([str(own), "-c", ""], check=True, capture_output=True)  # noqa: S603 - our own
    except (OSError, subprocess.CalledProcessError):
        return
    sys.stdout.flush()
    os.execv(own, [str(own), str(PROJECT / "manage.py"), "doctor", *arguments])  # noqa: S606 - our own


def examine() -> Iterator[Finding]:
    yield machine.check_system(PROJECT)
    yield machine.check_python()
    if machine.is_too_old() or sys.platform == "win32":
        return  # the rest of the site cannot even be read
    yield machine.check_environment(PROJECT)
    packages = machine.check_packages(PROJECT)
    yield packages
    if packages.mark == OK:
        yield from check_settings(PROJECT)
        yield check_engine(PROJECT)
    yield check_data_folder(PROJECT)
    yield machine.check_disk(PROJECT)
    yield from machine.check_ports()
    yield machine.check_proxy()
    yield machine.check_npm()
    yield machine.check_java()
    yield site.check_nginx()
    yield site.check_browser()
    yield site.check_gettext()


def verdict(findings: list[Finding]) -> str:
    stops = [finding.name for finding in findings if finding.mark == STOP]
    if not stops:
        return "The site can start: `make run`."
    return f"The site cannot start yet. Mend first: {stops[0]}."


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
