"""How is one engine process started, recognised and ended? Who may do so: `lock.py`."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from socialsite.engine.database import database_path
from socialsite.engine.errors import EngineError

HOST = "127.0.0.1"
LOG_NAME = "engine.log"
LOG_LIMIT = 1_000_000
START_SECONDS = 15
STOP_SECONDS = 5
PORT_ATTEMPTS = 5


@dataclass(frozen=True)
class Engine:
    """A running engine that this process started."""

    url: str
    process: subprocess.Popen[bytes]

    @property
    def port(self) -> int:
        return urlsplit(self.url).port or 0


def start(
    binary: Path, data_dir: Path, *, port: int | None = None, die_with_starter: bool
) -> Engine:
    """Start the engine on a free loopback port and return once it answers.

    The port is a new one each time because any web page may talk to a well-known one (the engine
    lets every origin in). `die_with_starter` binds it to the calling THREAD's life: say so only
    from a thread that lasts as long as the engine should.
    """
    log = data_dir / LOG_NAME
    said = ""
    for _ in range(PORT_ATTEMPTS):
        engine, log_start = _launch(binary, data_dir, log, port or _free_port(), die_with_starter)
        said = _wait_until_ready(engine, log, log_start)
        if not said:
            return engine
        if "already in use" not in said:
            break
    raise EngineError(
        f"The embedded DynamoDB engine did not start with {database_path(data_dir)}, as told in "
        f"{log}: put right what it says or put a backup in the file's place. It said: {said}"
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _launch(
    binary: Path, data_dir: Path, log: Path, port: int, die_with_starter: bool
) -> tuple[Engine, int]:
    database = str(database_path(data_dir))
    command = [str(binary), "--host", HOST, "--port", str(port), "--db-path", database]
    if die_with_starter and sys.platform == "linux":
        script = Path(__file__).with_name("exec_with_owner.py")
        command = [sys.executable, "-I", "-S", str(script), str(os.getpid()), *command]
    with log.open("ab") as output:
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
        )
    return Engine(url=f"http://{HOST}:{port}", process=process), log_start


def _wait_until_ready(engine: Engine, log: Path, log_start: int) -> str:
    """Return "" when the engine answers, else what it said before it was given up."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if engine.process.poll() is not None:
            return _last_line(log, log_start) or f"status {engine.process.returncode}"
        # The log too: on a lost port race another process answers there while ours is dying.
        if f"listening on {engine.url}" in _log_since(log, log_start) and answers(engine.url):
            return ""
        time.sleep(0.01)
    stop(engine)
    return _last_line(log, log_start) or f"no answer within {START_SECONDS} s"


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
    connection = http.client.HTTPConnection(address.hostname or HOST, address.port, timeout=2)
    try:
        connection.request("GET", "/")
        return "dynoxide" in (connection.getresponse().getheader("server") or "").lower()
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
    return f"--db-path {database_path(data_dir)}" in command


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
