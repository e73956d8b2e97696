"""`manage.py runserver`: the whole site on one machine.

The first process prepares what the site needs (embedded engine, table, demo data on the first start) and keeps the
engine; the process that serves, which the auto-reloader replaces after each change of the code, attaches to it and
runs the stream worker beside the server, and a process that tells open pages.
"""

import atexit
import errno
import logging
import os
import signal
import socket
import sys
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.management.commands.runserver import Command as Runserver
from django.core.management import call_command
from django.core.management.base import CommandError

from operations.doctor import POINTER
from operations.management.command_errors import command_errors
from operations.management.commands.seed import has_people
from operations.seed.beside_posts import demo_sign_ins
from operations.seed.first_start import finish_first_start, is_first_start, unfinished_plan
from operations.serving.children import Child
from operations.serving.live import keep_running, relayed
from operations.serving.nginx import free_addresses
from operations.upgrade import DUE, is_upgrade_due
from socialsite.engine.exec_with_owner import end_with_parent
from socialsite.environment import flag, is_reloaded
from socialsite.observing.logs import hide_token
from socialsite.streams.traces import keep_traces
from socialsite.streams.worker import start_in_thread
from socialsite.table.connection import connection
from socialsite.table.schema import create_table

STOP_SECONDS = 5


class Command(Runserver):
    help = "Runs the site with its embedded engine and stream worker."

    addr: str  # Django's own, set by its `handle`
    port: str
    use_ipv6: bool
    _raw_ipv6: bool
    live: str  # where the process listens that tells open pages, empty without it

    def run(self, **options: Any) -> None:
        if is_reloaded() and not end_with_parent(os.getppid(), signal.SIGTERM):
            return  # the server must not hold its port without the process that a person can stop
        with command_errors():
            if not is_reloaded():
                self._prepare(options)
                if options["use_reloader"]:
                    # Ctrl-C reaches both processes: the serving one gives its lease up and ends, this one waits for
                    # it (by default it would kill it after a quarter of a second) and then stops the engine.
                    signal.signal(signal.SIGINT, lambda *_: None)
        super().run(**options)

    def inner_run(self, *args: Any, **options: Any) -> None:
        with command_errors():
            connection()
        keep_traces()  # in debug mode, for the lens
        thread, stop = start_in_thread()

        def stop_worker() -> None:
            stop.set()
            thread.join(STOP_SECONDS)

        atexit.register(stop_worker)
        logging.getLogger("django.server").addFilter(hide_token)
        self.live = ""
        if flag("LIVE", default=True) and options["use_threading"]:
            self.live = free_addresses(1)[0]
            here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.addr, self.addr)  # noqa: S104
            own = f"[{here}]" if ":" in here else here
            atexit.register(keep_running(self.live, f"http://{own}:{self.port}"))
        super().inner_run(*args, **options)

    def get_handler(self, *args: Any, **options: Any) -> Any:
        handler = super().get_handler(*args, **options)
        return relayed(handler, self.live) if self.live else handler

    def on_bind(self, server_port: int) -> None:
        # By its name, as browsers allow passkeys for no bare address.
        name = "localhost" if self.addr == "127.0.0.1" else self.addr
        address = f"[{self.addr}]" if self._raw_ipv6 else name
        if "SITE_URL" not in os.environ:
            settings.SITE_URL = f"http://{address}:{server_port}"  # of links in letters
        _start_pusher()
        self.stdout.write(self.style.SUCCESS(f"\nsocialsite is at http://{address}:{server_port}/"))
        for line in demo_sign_ins(settings.DATA_DIR):
            self.stdout.write(line)
        self.stdout.write("Ctrl-C stops it.\n")

    def _prepare(self, options: dict[str, Any]) -> None:
        if not options["skip_checks"]:
            self.check(display_num_errors=True)
        self._check_port()
        create_table()
        self._begin_or_finish_first_start()
        if is_upgrade_due():
            self.stderr.write(DUE)

    def _begin_or_finish_first_start(self) -> None:
        is_laptop = settings.DEBUG and settings.DYNAMODB_ENGINE == "embedded"
        wants_demo = is_laptop and flag("DEMO", default=True)
        if unfinished_plan() or (is_first_start() and wants_demo and not has_people()):
            call_command("seed")
        elif is_first_start():
            finish_first_start()

    def _check_port(self) -> None:
        family = socket.AF_INET6 if self.use_ipv6 else socket.AF_INET
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((self.addr, int(self.port)))
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise CommandError(
                        f"Cannot listen on {self.addr}:{self.port}: {error}. {POINTER}"
                    ) from error
                other = int(self.port) + 1
                raise CommandError(
                    f"Port {self.port} is in use. Stop the program that uses it, or choose another port with "
                    f"`ADDRESS={other} make run` (`python manage.py runserver {other}`). {POINTER}"
                ) from error


def _start_pusher() -> None:
    """Sends pushes from a process of its own, as everywhere, which ends with this one."""
    environment = os.environ | {"SITE_URL": settings.SITE_URL}
    command = [sys.executable, "manage.py", "run_pusher"]
    pusher = Child("The pusher", command, environment, settings.BASE_DIR)
    pusher.start()

    def stop_pusher() -> None:
        pusher.ask_to_end()
        pusher.end(STOP_SECONDS)

    atexit.register(stop_pusher)
