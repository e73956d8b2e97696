"""Which settings does production need, and which of them can this machine make for itself?"""

import os
import socket
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from socialsite.environment import dynamodb_engine, secret, usable
from socialsite.private_files import FOLDER_MODE

ROOT = Path(__file__).resolve().parents[2]
LOOPBACK = "127.0.0.1"
DEFAULT_PORT = 8443
THIS_MACHINE = ("localhost", "127.0.0.1", "[::1]")


def prepare(environ: Mapping[str, str], *, has_nginx: bool) -> dict[str, str]:
    """Returns the environment of the site's processes: the shell's, with missing settings filled in.

    On the embedded engine the secrets are those in the data folder, made if they do not exist, so the data of `make
    run` can be served. Elsewhere more than one machine needs the same secrets: raises `ImproperlyConfigured` with the
    sentence that names the missing one, or the folder that cannot be used.
    """
    data_dir = Path(environ.get("DATA_DIR") or ROOT / "var").resolve()
    with usable(data_dir):
        data_dir.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    app, health = free_addresses(2)
    may_make = dynamodb_engine(environ)[0] == "embedded"
    hosts = environ.get("ALLOWED_HOSTS") or ",".join(THIS_MACHINE)
    # A browser that trusts this machine's certificate would refuse `make run` on http://localhost for two years.
    is_public = not set(hosts.split(",")) <= set(THIS_MACHINE)
    return {
        "ALLOWED_HOSTS": hosts,
        **({} if is_public else {"HSTS_SECONDS": "0"}),
        "GUNICORN_BIND": app,
        "HEALTH_BIND": health,
        "WEB_CONCURRENCY": str(os.cpu_count() or 2),
        **{name: value for name, value in environ.items() if value},
        **{
            name: secret(name, data_dir=data_dir, may_make=may_make)
            for name in ("SECRET_KEY", "DATA_KEY")
        },
        "DATA_DIR": str(data_dir),
        "DEBUG": "0",
        "DJANGO_SETTINGS_MODULE": "socialsite.settings",
        "TRUSTED_PROXY_HOPS": "1" if has_nginx else "0",
    }


def address_of(environ: Mapping[str, str]) -> tuple[str, int]:
    """Returns host and port of `ADDRESS`, such as `8443` or `0.0.0.0:443`. Raises `ImproperlyConfigured`."""
    given = environ.get("ADDRESS", "")
    host, _, port = given.rpartition(":")
    if not given:
        return LOOPBACK, DEFAULT_PORT
    if not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise ImproperlyConfigured(
            f"ADDRESS is {given}. Set it to a port or an address, such as 8443 or 0.0.0.0:443."
        )
    return host or LOOPBACK, int(port)


def free_addresses(number: int) -> list[str]:
    """Returns addresses of this machine (`host:port`) on which nothing listens now, no two the same."""
    with ExitStack() as open_sockets:
        probes = [open_sockets.enter_context(socket.socket()) for _ in range(number)]
        for probe in probes:
            probe.bind((LOOPBACK, 0))
        return [f"{LOOPBACK}:{probe.getsockname()[1]}" for probe in probes]
