"""Is a container well? `python -m operations.serving.health engine|worker|pusher|site` ends with 0 if it is.

It loads no Django, as it is asked every few seconds. The site is asked as others ask it, and says how the worker is.
"""

import http.client
import json
import os
import ssl
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from operations.serving.nginx import LOOPBACK, address_of
from socialsite.engine.lock import read_state

SECONDS = 3
PUSHER_BEAT = Path(tempfile.gettempdir()) / "socialsite-pusher"
BEAT_SECONDS = 60


def is_engine_well() -> bool:
    """Whether anything answers where the engine's owner says that it is."""
    state = read_state(Path(os.environ["DATA_DIR"]))
    if state is None or state.problem:
        return False
    address = urlsplit(state.url)
    connection = http.client.HTTPConnection(str(address.hostname), address.port, timeout=SECONDS)
    try:
        connection.request("GET", "/")
        return bool(connection.getresponse().status)
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def is_site_well() -> bool:
    return bool(ask_site())


def is_worker_well() -> bool:
    """Whether it works, or waits because the site is only read."""
    told = ask_site()
    return bool(told.get("worker", {}).get("working")) or told.get("status") == "read-only"


def is_pusher_well() -> bool:
    """Whether it went round lately, as it notes for this machine alone."""
    try:
        return time.time() - PUSHER_BEAT.stat().st_mtime < BEAT_SECONDS
    except OSError:
        return False


def ask_site(host: str = LOOPBACK) -> dict[str, Any]:
    """Returns what /readyz says, nothing if it is no 200."""
    _, port = address_of(os.environ)
    unverified = ssl._create_unverified_context()  # noqa: S323 - asks this machine alone
    connection = http.client.HTTPSConnection(host, port, timeout=SECONDS, context=unverified)
    try:
        connection.request("GET", "/readyz")
        answer = connection.getresponse()
        return dict(json.loads(answer.read())) if answer.status == 200 else {}
    except (OSError, http.client.HTTPException, ValueError):
        return {}
    finally:
        connection.close()


PARTS = {
    "engine": is_engine_well,
    "worker": is_worker_well,
    "pusher": is_pusher_well,
    "site": is_site_well,
}

if __name__ == "__main__":
    sys.exit(0 if PARTS[sys.argv[1]]() else 1)
