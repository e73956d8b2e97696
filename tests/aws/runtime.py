"""Plays the runtime of Lambda for one call: gives a function its event, and takes what it answers."""

import base64
import json
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from typing import Any, ClassVar


def _as_lambda_says_it(value: bytes | datetime) -> str | float:
    return value.timestamp() if isinstance(value, datetime) else base64.b64encode(value).decode()


class Runtime(BaseHTTPRequestHandler):
    events: ClassVar[Queue[Any]]
    answers: ClassVar[Queue[Any]]

    def do_GET(self) -> None:
        body = json.dumps(self.events.get(), default=_as_lambda_says_it).encode()
        self.send_response(200)
        self.send_header("Lambda-Runtime-Aws-Request-Id", "one")
        self.send_header("Lambda-Runtime-Deadline-Ms", "99999999999999")
        self.send_header("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:::function:stream")
        # The client of the runtime ends with a fault of memory without these two.
        self.send_header("Lambda-Runtime-Trace-Id", "Root=1")
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        said = self.rfile.read(int(self.headers["Content-Length"]))
        self.answers.put((self.path.rpartition("/")[2], json.loads(said)))
        self.send_response(202)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


def runtime(*events: Any) -> ThreadingHTTPServer:
    """Its `answers` get (`response` or `error`, what was said)."""
    queue: Queue[Any] = Queue()
    for event in events:
        queue.put(event)
    kind = type("OneRuntime", (Runtime,), {"events": queue, "answers": Queue()})
    server = ThreadingHTTPServer(("127.0.0.1", 0), kind)
    server.daemon_threads = True
    return server
