"""Do system, Python and packages fit?"""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from operations.doctor.finding import NOTE, OK, STOP, Finding

OLDEST = (3, 11)
NEWER = ("python3.14", "python3.13", "python3.12", "python3.11")
TRIED = ("Linux-x86_64",)


def is_too_old() -> bool:
    return sys.version_info[:2] < OLDEST


def check_system(project: Path) -> Finding:
    system, machine = platform.system(), platform.machine()
    if system == "Windows":
        return Finding(
            "system",
            STOP,
            "Windows by itself cannot run the site, but Linux inside it can.",
            "wsl --install",
        )
    is_wsl = "microsoft" in platform.release().lower()
    if is_wsl and str(project).startswith("/mnt/"):
        text = f"{project} is on a Windows disk, which is slow and keeps no rights. Clone the site into Linux."
        return Finding("system", NOTE, text, "git clone . ~/socialsite")
    name = f"{system} on {machine}{' (WSL)' if is_wsl else ''}"
    if f"{system}-{machine}" in TRIED and not is_wsl:
        return Finding("system", OK, name)
    return Finding("system", OK, f"{name}: made to work here, but not tried by us")


def check_python() -> Finding:
    found = f"{platform.python_version()} at {sys.executable}"
    if not is_too_old():
        return Finding("Python", OK, found)
    newer = next((name for name in NEWER if shutil.which(name)), "")
    text = f"{found}, but the site needs 3.11 or newer."
    if newer:
        return Finding("Python", STOP, text, f"rm -rf .venv; make run PYTHON={newer}")
    return Finding("Python", STOP, text, install_command("python@3.13", "python3 python3-venv"))


def check_environment(project: Path) -> Finding:
    if sys.prefix != sys.base_prefix:
        return Finding("environment", OK, sys.prefix)
    if (project / ".venv").exists():
        return Finding("environment", STOP, ".venv is broken.", "rm -rf .venv; make setup")
    if not list(missing_packages(project)):
        return Finding("environment", OK, "none, as the packages are installed beside Python")
    return Finding("environment", STOP, "there is no virtual environment yet.", "make setup")


def check_packages(project: Path) -> Finding:
    missing = list(missing_packages(project))
    count = len(pinned_packages(project))
    if not missing:
        return Finding("packages", OK, f"all {count} of requirements.txt")
    more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    text = f"{missing[0]}{more} of {count} are missing or of another version."
    return Finding("packages", STOP, text, "rm -f .venv/.requirements; make setup")


def missing_packages(project: Path) -> Iterator[str]:
    """Yields each pinned package that this Python lacks or has in another version."""
    for name, version in pinned_packages(project).items():
        try:
            if metadata.version(name) == version:
                continue
        except metadata.PackageNotFoundError:
            pass
        yield f"{name} {version}"


def pinned_packages(project: Path) -> dict[str, str]:
    lines = (project / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pins = [line.partition("#")[0].strip().partition("==") for line in lines]
    return {name.partition("[")[0]: version for name, _, version in pins if version}


def install_command(of_homebrew: str, of_debian: str) -> str:
    """Returns the command by which this system gets a program."""
    if platform.system() == "Darwin":
        return f"brew install {of_homebrew}"
    return f"sudo apt-get install {of_debian}"
