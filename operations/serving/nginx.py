"""How does nginx run here without touching the machine's own? With deploy/nginx.conf, its ports and files replaced.

Operators copy the same file that runs here, except for the lines that it marks as theirs.
"""

import getpass
import os
import re
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from operations.serving.environment import LOOPBACK, ROOT

SHIPPED = ROOT / "deploy" / "nginx.conf"
REQUESTS_A_THREAD = 3  # in gunicorn at once, waiting or served
THREADS = 4  # of a worker, as in deploy/gunicorn.conf.py
FOLDERS = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


@dataclass(frozen=True)
class Places:
    """Where everything is: `host:port` of each part, the files of the certificate, and the hosts it is for."""

    outer: str
    inner: str
    app: str
    health: str
    certificate: Path
    key: Path
    workers: int
    hosts: tuple[str, ...]


def find_nginx(environ: Mapping[str, str]) -> str | None:
    """Returns the program: `NGINX`, else the one that is installed, None without one or where `NGINX` is 0.

    Debian keeps it where only root's PATH looks. Raises `ImproperlyConfigured` if `NGINX` is no program.
    """
    given = environ.get("NGINX", "")
    if given == "0":
        return None
    if given and shutil.which(given) is None:
        raise ImproperlyConfigured(
            f"NGINX is {given}, which is no program. Set it to the path of nginx, or to 0 to serve without it."
        )
    return shutil.which(given or "nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")


def command(program: str, folder: Path) -> list[str]:
    return [program, "-p", str(folder), "-c", str(folder / "nginx.conf")]


def write_configuration(folder: Path, places: Places) -> None:
    """Writes `nginx.conf` into the folder, which also takes what nginx buffers."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / "nginx.conf").write_text(configuration(SHIPPED.read_text(), places))


def configuration(shipped: str, places: Places) -> str:
    """Returns the shipped file with these places in it. Raises `ValueError` if it lacks one that is replaced."""
    user = f"user {getpass.getuser()};\n" if os.geteuid() == 0 else ""
    buffers = "".join(f"    {name}_temp_path {name};\n" for name in FOLDERS)
    requests = REQUESTS_A_THREAD * THREADS * places.workers
    replaced = {
        "pid /run/nginx.pid;": f"pid nginx.pid;\ndaemon off;\n{user}",
        "http {\n": f"http {{\n{buffers}",
        f"server {LOOPBACK}:8000;": f"server {places.app};",
        f"{LOOPBACK}:8002": places.inner,
        f"http://{LOOPBACK}:8001;": f"http://{places.health};",
        "listen 80;": "",
        "listen 443 ssl": f"listen {places.outer} ssl",
        "server_name example.org;": "server_name _;",
        r'"~*^example\.org(:\d+)?$"': f'"~*^({_one_of(places.hosts)})(:\\d+)?$"',
        "/etc/ssl/example.org.pem": f'"{places.certificate}"',
        "/etc/ssl/example.org.key": f'"{places.key}"',
        "limit_conn site 24;": f"limit_conn site {requests};",
    }
    for old, new in replaced.items():
        if old not in shipped:
            raise ValueError(f"deploy/nginx.conf has no `{old.strip()}`")
        shipped = shipped.replace(old, new)
    return shipped


def _one_of(hosts: Iterable[str]) -> str:
    """Returns what matches the hosts as `ALLOWED_HOSTS` means them: `*` is any, `.example.org` has those below it."""
    return "|".join(_pattern(host) for host in hosts)


def _pattern(host: str) -> str:
    if host == "*":
        return ".+"
    below = r"([\w-]+\.)*" if host.startswith(".") else ""
    return f"{below}{re.escape(host.lstrip('.'))}"
