"""How is one engine process started, recognised and ended? Who may do so: `lock.py`."""

import http.client
import ipaddress
import logging
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from socialsite.engine.choice import PROGRAMS
from socialsite.engine.program import EngineError, Program
from socialsite.private_files import OTHERS, private_opener

LOOPBACK = "127.0.0.1"
LOOPBACK_NET = ipaddress.ip_network("127.0.0.0/8")
LOG_NAME = "engine.log"
LOG_LIMIT = 1_000_000
STOP_SECONDS = 5
PORT_ATTEMPTS = 5

log = logging.getLogger("socialsite.engine")


@dataclass(frozen=True)
class Engine:
    """A running engine that this process started."""

    url: str
    process: subprocess.Popen[bytes]


def start(
    program: Program,
    project: Path,
    data_dir: Path,
    *,
    at: str | None = None,
    die_with_starter: bool,
) -> Engine:
    """Starts the engine and returns once it answers: at the address `at`, else at a new secret one.

    `die_with_starter` binds it to the calling THREAD's life: say so only from a thread that lasts
    as long as the engine should.
    """
    found = program.find(project)
    program.prepare(data_dir)
    log_file = data_dir / LOG_NAME
    said = ""
    for _ in range(PORT_ATTEMPTS):
        url = at or secret_address()
        command = [*found, *program.arguments(data_dir, url)]
        engine, log_start = _launch(command, log_file, url, die_with_starter)
        said = _wait_until_ready(program, engine, log_file, log_start)
        if not said:
            return engine
        if "already in use" not in said:
            break
    raise EngineError(
        f"The embedded DynamoDB engine did not start with {program.database(data_dir)}, as told in "
        f"{log_file}: put right what it says, or restore a backup with `manage.py restore FILE`. It said: {said}"
    )


def secret_address() -> str:
    """Returns a free address of this machine that cannot be guessed: a random host at a random port.

    The engine lets in everyone who reaches it, web pages too. On Linux all of 127.0.0.0/8 is this
    machine: 16,777,214 hosts with 28,000 ports each. Elsewhere only the port is random.
    """
    hidden = str(LOOPBACK_NET[1 + secrets.randbelow(LOOPBACK_NET.num_addresses - 2)])
    try:
        return _free_address(hidden)
    except OSError:
        log.warning(
            "This system lets the DynamoDB engine listen on %s only, so a program or a web page on "
            "this machine could find its port. Use DYNAMODB_ENDPOINT where that matters.",
            LOOPBACK,
        )
        return _free_address(LOOPBACK)


def _free_address(host: str) -> str:
    with socket.socket() as probe:
        probe.bind((host, 0))
        return f"http://{host}:{probe.getsockname()[1]}"


def _launch(
    command: list[str], log_file: Path, url: str, die_with_starter: bool
) -> tuple[Engine, int]:
    if die_with_starter and sys.platform == "linux":
        script = Path(__file__).with_name("exec_with_owner.py")
        command = [sys.executable, "-I", "-S", str(script), "KILL", str(os.getpid()), *command]
    with open(log_file, "ab", opener=private_opener) as output:
        if output.tell() > LOG_LIMIT:
            output.truncate(0)
        log_start = output.seek(0, os.SEEK_END)
        # A session of its own: a terminal's Ctrl-C must reach the stream worker, which then gives
        # its lease up through the engine, and not the engine itself.
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            umask=OTHERS,
        )
    return Engine(url=url, process=process), log_start


def _wait_until_ready(program: Program, engine: Engine, log: Path, log_start: int) -> str:
    """Return "" when the engine answers, else what it said before it was given up."""
    deadline = time.monotonic() + program.start_seconds
    while time.monotonic() < deadline:
        if engine.process.poll() is not None:
            return _last_line(log, log_start) or f"status {engine.process.returncode}"
        # The log too: on a lost port race another process answers there while ours is dying.
        if program.says_when_ready(engine.url) in _log_since(log, log_start) and answers(
            engine.url
        ):
            return ""
        time.sleep(0.01)
    stop(engine)
    return _last_line(log, log_start) or f"no answer within {program.start_seconds} s"


def _last_line(log: Path, start: int) -> str:
    lines = _log_since(log, start).strip().splitlines()
    return lines[-1].strip() if lines else ""


def _log_since(log: Path, start: int) -> str:
    with log.open("rb") as file:
        file.seek(start)
        return file.read().decode(errors="replace")


def answers(url: str) -> bool:
    """Tell whether an engine, and not some other server, answers at the address."""
    address = urlsplit(url)
    connection = http.client.HTTPConnection(str(address.hostname), address.port, timeout=2)
    try:
        connection.request("GET", "/")
        server = (connection.getresponse().getheader("server") or "").lower()
        return any(program.server in server for program in PROGRAMS)
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def stop(engine: Engine) -> None:
    """End the engine: it closes its file on SIGTERM, and loses nothing on SIGKILL either."""
    engine.process.terminate()
    try:
        engine.process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        engine.process.kill()
        engine.process.wait()


def end_orphan(pid: int, data_dir: Path) -> None:
    """End an engine on this data folder whose owner died without doing so."""
    for sent in (signal.SIGTERM, signal.SIGKILL):
        # Looked at each time: the number may belong to another program by now.
        if not _is_engine(pid, data_dir):
            return
        os.kill(pid, sent)
        deadline = time.monotonic() + STOP_SECONDS
        while is_alive(pid) and time.monotonic() < deadline:
            time.sleep(0.02)


def _is_engine(pid: int, data_dir: Path) -> bool:
    if not is_alive(pid):
        return False
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        listing = ["ps", "-ww", "-o", "command=", "-p", str(pid)]
        command = subprocess.run(listing, capture_output=True, text=True).stdout
    return any(program.recognised_by(data_dir) in command for program in PROGRAMS)


def is_alive(pid: int) -> bool:
    """Tell whether the process runs; one that died and was not yet collected does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state != "Z"
