"""`make serve`: the whole site in production mode on one machine, over https, until Ctrl-C."""

import io
import os
import shlex
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from django.core.exceptions import ImproperlyConfigured

from operations.doctor import POINTER
from operations.serving import nginx
from operations.serving.children import Child, end_all
from operations.serving.health import ask_site
from operations.serving.live import COMMAND, LIVE
from operations.serving.nginx import (
    LOOPBACK,
    ROOT,
    address_of,
    find_certificate,
    free_addresses,
    prepare,
    trusted_networks,
)
from operations.serving.standing import Standing
from operations.serving.told import noted
from socialsite.environment import flag, usable

START_SECONDS = 60
LOOK_EVERY = 0.2
WORKER = "The stream worker"
SITE, RELAYING = "socialsite.wsgi", "operations.serving.without_nginx"
THREADS = 36  # of a worker that relays `/live` to as many pages as leave four of them (`without_nginx.py`)


class Stop(BaseException):
    """The signal to stop. It is not an `Exception`, so no error handler on the way catches it."""


def main() -> None:
    try:
        program = nginx.find_nginx(os.environ)
        host, port = address_of(os.environ)
        trusted = trusted_networks(os.environ)
        _check_port(host, port)
        environment = prepare(os.environ, has_nginx=program is not None)
        hosts = [host.strip() for host in environment["ALLOWED_HOSTS"].split(",")]
        environment.setdefault("SITE_URL", _site_url(host, port, hosts))
        data_dir = Path(environment["DATA_DIR"])
        with usable(data_dir):
            certificate, key = find_certificate(environment, folder=data_dir, hosts=hosts)
    except ImproperlyConfigured as error:
        _fail(str(error))
    # The workers of gunicorn and that of the stream count in one folder, so that /metrics has the sums of all.
    counts = tempfile.mkdtemp(prefix="socialsite-metrics-")
    environment.setdefault("PROMETHEUS_MULTIPROC_DIR", counts)
    os.environ.update(environment)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)
    children: list[Child] = []
    try:
        _prepare_site()
        places = nginx.Places(
            outer=f"{host}:{port}",
            inner=free_addresses(1)[0],
            app=environment["GUNICORN_BIND"],
            health=environment["HEALTH_BIND"],
            live=environment["LIVE_BIND"],
            certificate=certificate,
            key=key,
            workers=int(environment["WEB_CONCURRENCY"]),
            hosts=tuple(hosts),
            trusted=trusted,
        )
        with usable(data_dir):
            children += _children(program, places, environment, data_dir)
        for child in reversed(children):
            if child.name == "nginx":
                _wait_until(lambda: _listens(places.app), children)
            child.start()
        _wait_until(lambda: bool(ask_site(_reachable(host))), children)
        with noted(data_dir):
            _tell(host, port, hosts, has_nginx=program is not None)
            _watch(children, _reachable(host))
    except ImproperlyConfigured as error:
        _fail(str(error))
    except Stop:
        pass
    finally:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        end_all([child for child in children if child.began])
        shutil.rmtree(counts, ignore_errors=True)


def _prepare_site() -> None:
    import django
    from django.core.management import CommandError, call_command
    from django.core.management.base import SystemCheckError

    from socialsite.engine.program import EngineError

    django.setup()
    from socialsite.table import TableError
    from socialsite.table.schema import create_table

    try:
        call_command("check", stdout=io.StringIO())
        _collect_static()
        create_table()
    except (CommandError, SystemCheckError, EngineError, TableError) as error:
        _fail(str(error) or type(error).__name__)


def _collect_static() -> None:
    from django.conf import settings
    from django.core.management import CommandError, call_command

    try:
        call_command("collectstatic", interactive=False, verbosity=0)
    except OSError as error:
        raise CommandError(
            f"The static files cannot be collected in {settings.STATIC_ROOT} ({error.strerror}). Give this user "
            "access, or set STATIC_ROOT to another folder."
        ) from error


def _children(
    program: str | None, places: nginx.Places, environment: dict[str, str], data_dir: Path
) -> list[Child]:
    """Returns the processes in the order in which they end: the one that holds streams open, those that take requests,
    then the worker, which handles what they left."""
    gunicorn = [sys.executable, "-m", "gunicorn", "--config", "deploy/gunicorn.conf.py"]
    gunicorn += ["--log-level", "warning"]
    worker = Child(WORKER, [sys.executable, "manage.py", "run_worker"], environment, ROOT)
    pusher = Child("The pusher", [sys.executable, "manage.py", "run_pusher"], environment, ROOT)
    behind = [worker, pusher] if flag("WORKER", default=True) else []
    asked = f"http://{places.inner}" if program else f"https://{places.outer}"
    live = Child(LIVE, COMMAND, environment | {"LIVE_SITE": asked}, ROOT, is_needed=False)
    before = [live] if flag("LIVE", default=True) else []
    if program is None:
        environment = environment | {"GUNICORN_BIND": places.outer}
        gunicorn += ["--certfile", str(places.certificate), "--keyfile", str(places.key)]
        gunicorn += ["--threads", str(THREADS), RELAYING] if before else [SITE]
        return [*before, Child("gunicorn", gunicorn, environment, ROOT), *behind]
    gunicorn.append(SITE)
    folder = data_dir / "nginx"
    nginx.write_configuration(folder, places)
    front = Child(
        "nginx", nginx.command(program, folder), environment, folder, stop_signal=signal.SIGQUIT
    )
    return [*before, front, Child("gunicorn", gunicorn, environment, ROOT), *behind]


def _wait_until(holds: Callable[[], bool], children: list[Child]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not holds():
        for child in children:
            if child.began and child.has_ended and child.is_needed:
                _fail(f"{child.name} could not start. See what it said above.")
        if time.monotonic() > deadline:
            _fail(f"The site did not answer within {START_SECONDS} seconds.")
        time.sleep(LOOK_EVERY)


def _listens(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=2).close()
    except OSError:
        return False
    return True


def _site_url(host: str, port: int, hosts: list[str]) -> str:
    name = hosts[0].lstrip(".") or _reachable(host)
    return f"https://{name}{'' if port == 443 else f':{port}'}"


def _tell(host: str, port: int, hosts: list[str], *, has_nginx: bool) -> None:
    from django.conf import settings

    from operations.management.command_errors import site_place
    from operations.seed.beside_posts import demo_sign_ins

    print(f"\nsocialsite is at {_site_url(host, port, hosts)}/ in production mode.")
    print(
        f"This is the site in {site_place()}. To make an administrator of it, run, in this folder:"
    )
    given = f"DATA_DIR={shlex.quote(str(settings.DATA_DIR))} {shlex.quote(sys.executable)}"
    print(f"    {given} manage.py createadmin YOU --email YOU@example.org")
    if "TLS_CERTIFICATE" not in os.environ:
        print("Your browser will warn about the certificate, as this machine signed it itself.")
    if not has_nginx:
        print(
            "There is no nginx in front, so slow clients can hold up everyone. To install it, run tools/install-nginx."
        )
    for line in demo_sign_ins(settings.DATA_DIR):
        print(line)
    print("Ctrl-C stops it.\n", flush=True)


def _watch(children: list[Child], host: str) -> NoReturn:
    """Restarts processes that end by themselves, unless they cannot run at all, those that something stopped, and a
    worker that hangs."""
    worker = next((child for child in children if child.name == WORKER), None)
    standing = Standing()
    while True:
        now = time.monotonic()
        if worker and standing.is_time(now) and standing.hangs(ask_site(host), now):
            _start_anew(worker, "does nothing")
        for child in children:
            if child.is_stopped:
                _start_anew(child, "was stopped")
            elif child.has_ended and not child.rests:
                child.end()
                if child.cannot_run and child.is_needed:
                    _fail(f"{child.name} ended as soon as it had started.")
                _start_anew(child, "ended")
        time.sleep(LOOK_EVERY)


def _start_anew(child: Child, why: str) -> None:
    print(f"{child.name} {why}; it is started again.", file=sys.stderr, flush=True)
    child.end(0)
    child.start()


def _check_port(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host.strip("[]"), port))
        except OSError as error:
            _fail(
                f"Cannot listen on {host}:{port} ({error.strerror}). Stop the program that uses it, or run "
                f"`ADDRESS={port + 1} make serve`."
            )


def _reachable(host: str) -> str:
    return LOOPBACK if host in ("0.0.0.0", "[::]") else host.strip("[]")  # noqa: S104


def _stop(*_: Any) -> None:
    raise Stop


def _fail(sentence: str) -> NoReturn:
    sys.exit(f"{sentence} {POINTER}")


if __name__ == "__main__":
    main()
