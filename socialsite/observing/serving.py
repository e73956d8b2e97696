"""`/metrics` of a process that has no pages: worker, clock, pusher, the one that tells open pages. Each answers at an
address of its own (`METRICS_BIND`), to the same readers as the site's own (`web/pages.py`), from a thread."""

import hmac
import ipaddress
import logging
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, generate_latest

log = logging.getLogger("metrics")


def serve_metrics(bind: str, *, token: str) -> ThreadingHTTPServer | None:
    """Begins to answer, nothing without an address, or where another listens, as work goes before counts. Ends the
    process with a sentence if it is no address."""
    if not bind:
        return None
    host, _, port = bind.rpartition(":")
    try:
        server = ThreadingHTTPServer((host.strip("[]"), int(port)), _answering(token))
    except (OverflowError, ValueError):
        sys.exit(f"METRICS_BIND is {bind}, which is no address. Write it as 127.0.0.1:9101.")
    except OSError as error:
        log.error(
            "METRICS_BIND is %s, where this process cannot listen (%s). It goes on without. Give each process a free "
            "address of its own.",
            bind,
            error,
        )
        return None
    threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    return server


def _answering(token: str) -> type[BaseHTTPRequestHandler]:
    class Answer(BaseHTTPRequestHandler):
        timeout = 2  # for one who asks slowly

        def do_GET(self) -> None:
            if self.path != "/metrics" or not self._may_read():
                self.send_error(404)
                return
            text = generate_latest(REGISTRY)
            self.send_response(200)
            self.send_header("Content-Type", CONTENT_TYPE_LATEST)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def _may_read(self) -> bool:
            if token:
                given = self.headers.get("Authorization", "").encode()
                return hmac.compare_digest(given, f"Bearer {token}".encode())
            return ipaddress.ip_address(self.client_address[0]).is_loopback

        def log_message(self, *_: Any) -> None:
            """Says nothing: it is asked every few seconds."""

    return Answer
