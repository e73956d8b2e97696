"""A small systemd: reads the units that the installation wrote, starts what they name, and starts it anew.

It stands in for the real one, which runs only as the first process of a machine. It knows what these units use:
templates, drop-ins, EnvironmentFile, Type=notify and oneshot, ExecReload, KillSignal, Restart=always. What it does not
do is the hardening, which `systemd-analyze verify` reads. `systemctl` in the folder `bin` speaks to it.
"""

import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from operations.installation.services import read_env

SYSTEMCTL = """#!{python}
import json, socket, sys
with socket.socket(socket.AF_UNIX) as s:
    s.connect({where!r})
    s.sendall(json.dumps(sys.argv[1:]).encode() + b"\\n")
    code, said = json.loads(s.makefile().readline())
print(said, file=sys.stderr, end="")
sys.exit(code)
"""


def read_unit(units: Path, name: str) -> dict[str, list[str]]:
    """The [Service] and other lines of a unit, with its drop-ins, `%i` filled in."""
    stem, _, rest = name.partition("@")
    instance = rest.removesuffix(".service")
    file = units / (f"{stem}@.service" if rest else name)
    drop_in = units / f"{name.partition('-')[0]}-.service.d"
    found: dict[str, list[str]] = {}
    for one in [file, *sorted(drop_in.glob("*.conf") if name.endswith(".service") else ())]:
        for line in one.read_text().splitlines():
            key, equals, value = line.partition("=")
            if equals and not line.startswith("#"):
                found.setdefault(key, []).append(value.replace("%i", instance))
    return found


class Service:
    def __init__(self, machine: "Systemd", name: str) -> None:
        self.machine, self.name = machine, name
        self.process: subprocess.Popen[bytes] | None = None
        self.wanted = False

    def one(self, key: str, default: str = "") -> str:
        return read_unit(self.machine.units, self.name).get(key, [default])[-1]

    def start(self) -> str:
        if self.process and self.process.poll() is None:
            return ""
        unit = read_unit(self.machine.units, self.name)
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "HOME") if name in os.environ}
        env = dict(kept)
        for line in unit.get("Environment", []):
            env.update([tuple(line.split("=", 1))])
        for file in unit.get("EnvironmentFile", []):
            env.update(read_env(Path(file)))
        for key, below in (("CacheDirectory", "var/cache"), ("RuntimeDirectory", "run")):
            for folder in unit.get(key, []):
                (self.machine.root / below / folder).mkdir(parents=True, exist_ok=True)
        notify = None
        kind = unit.get("Type", ["exec"])[-1]
        if kind == "notify":
            notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            address = str(self.machine.run / f"notify-{time.monotonic_ns()}")
            notify.bind(address)
            notify.settimeout(60)
            env["NOTIFY_SOCKET"] = address
        for line in unit.get("ExecStartPre", []):
            subprocess.run(shlex.split(line), env=env, check=True)
        try:
            self.process = subprocess.Popen(
                [
                    word
                    for word in shlex.split(unit["ExecStart"][-1])
                    if word not in self.machine.without
                ],
                cwd=unit.get("WorkingDirectory", ["/"])[-1],
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=(self.machine.run / f"{self.name}.log").open("a"),
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            return f"{self.name}: {error}"
        if kind == "oneshot":
            return "" if self.process.wait() == 0 else f"{self.name} failed"
        self.wanted = True
        if notify:
            with notify:
                try:
                    while b"READY=1" not in notify.recv(4096):
                        pass
                except TimeoutError:
                    return f"{self.name} did not say that it is ready"
        return ""

    def stop(self) -> None:
        self.wanted = False
        if not self.process:
            return
        if self.process.poll() is None:
            self.process.send_signal(getattr(signal, self.one("KillSignal", "SIGTERM")))
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(float(self.one("TimeoutStopSec", "90")))
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def reload(self) -> str:
        if not self.process or self.process.poll() is not None:
            return f"{self.name} does not run"
        for line in read_unit(self.machine.units, self.name).get("ExecReload", []):
            command = shlex.split(line.replace("$MAINPID", str(self.process.pid)))
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                return f"{line} failed: {done.stderr}"
        return ""


class Systemd:
    """Use it with `with`: it ends all that it started."""

    def __init__(self, root: Path) -> None:
        self.root, self.units = root, root / "etc/systemd/system"
        self.run = root / "run"
        self.run.mkdir(parents=True, exist_ok=True)
        self.services: dict[str, Service] = {}
        self.enabled: set[str] = set()
        self.asked: list[list[str]] = []
        self.without: tuple[str, ...] = ()  # what code of earlier days does not know yet
        self.lock = threading.RLock()
        self.ends = threading.Event()
        self.bin = root / "bin"
        self.bin.mkdir(exist_ok=True)
        where = f"/tmp/systemd-{os.getpid()}-{id(self)}"
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(where)
        self.listener.listen()
        (self.bin / "systemctl").write_text(SYSTEMCTL.format(python=sys.executable, where=where))
        (self.bin / "systemctl").chmod(0o755)
        self.where = where

    def __enter__(self) -> "Systemd":
        threading.Thread(target=self._listen, daemon=True).start()
        threading.Thread(target=self._keep, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ends.set()
        with self.lock:
            for name in sorted(self.services, key=lambda name: "engine" in name):
                self.services[name].stop()
        self.listener.close()
        Path(self.where).unlink(missing_ok=True)

    def log(self, name: str) -> str:
        file = self.run / f"{name}.service.log"
        return file.read_text() if file.exists() else ""

    def is_running(self, name: str) -> bool:
        service = self.services.get(f"{name}.service")
        return bool(service and service.process and service.process.poll() is None)

    def _listen(self) -> None:
        while not self.ends.is_set():
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection:
                words = json.loads(connection.makefile().readline())
                said = self._do([word for word in words if word != "--now"], "--now" in words)
                connection.sendall(json.dumps([int(bool(said)), said]).encode() + b"\n")

    def _do(self, words: list[str], now: bool) -> str:
        self.asked.append(words)
        verb, *names = words
        with self.lock:
            for name in names:
                name = name if "." in name else f"{name}.service"
                if said := self._one(verb, name, now):
                    return said
        return ""

    def _one(self, verb: str, name: str, now: bool) -> str:
        template = name.partition("@")[0] + "@.service" if "@" in name else name
        if not (self.units / template).exists():
            return f"Unit {name} not found.\n"
        if verb == "enable":
            self.enabled.add(name)
        if verb == "disable":
            self.enabled.discard(name)
        if not name.endswith(".service"):
            return ""
        service = self.services.setdefault(name, Service(self, name))
        if verb in ("stop", "restart") or (verb == "disable" and now):
            service.stop()
        if verb in ("start", "restart"):
            return service.start()
        return service.reload() if verb == "reload" else ""

    def _keep(self) -> None:
        while not self.ends.wait(0.5):
            with self.lock:
                for service in self.services.values():
                    if service.wanted and service.process and service.process.poll() is not None:
                        service.start()
