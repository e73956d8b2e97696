"""The smallest site that gunicorn can serve: it reads what is sent, and says hello, or meets a fault at `/fault`."""

from collections.abc import Iterable
from typing import Any


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    environ["wsgi.input"].read()
    if environ["PATH_INFO"] == "/fault":
        raise RuntimeError("a fault")
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "5")])
    return [b"hello"]
