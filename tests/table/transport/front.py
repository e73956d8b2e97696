"""A server in front of the engine, through which all of the site's calls go, and which can answer in its place."""

import http.client
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

JSON = "application/x-amz-json-1.0"


class Front:
    """`asked` are the operations in their order. `play(asking)` may answer itself, and says whether it did."""

    def __init__(self, engine: str) -> None:
        self.asked: list[str] = []
        self.connections = 0
        self.play: Callable[[Any], bool] = lambda _: False
        self.engine = str(urlsplit(engine).netloc)
        self.url = ""

    def stop_playing(self) -> None:
        self.play = lambda _: False
        self.asked.clear()


def _handler_of(front: Front) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def setup(self) -> None:
            super().setup()
            front.connections += 1

        def do_POST(self) -> None:
            self.body = self.rfile.read(int(self.headers["Content-Length"]))
            self.operation = self.headers["X-Amz-Target"].partition(".")[2]
            front.asked.append(self.operation)
            if not front.play(self):
                self.say(*self.engines_answer())

        def engines_answer(self) -> tuple[int, bytes]:
            engine = http.client.HTTPConnection(front.engine, timeout=10)
            engine.request("POST", "/", self.body, dict(self.headers))
            answer = engine.getresponse()
            body = answer.read()
            engine.close()
            return answer.status, body

        def say(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", JSON)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def say_until_the_end(self, status: int, body: bytes) -> None:
            """Tells no length: the body goes on until the connection ends."""
            self.send_response(status)
            self.send_header("Content-Type", JSON)
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    return Handler


@contextmanager
def standing_before(engine: str, *, tls: ssl.SSLContext | None = None) -> Iterator[Front]:
    front = Front(engine)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(front))
    server.daemon_threads = True
    if tls:
        server.socket = tls.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
    front.url = f"http{'s' if tls else ''}://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield front
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
