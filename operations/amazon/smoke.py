"""Does the site answer? What is looked at after each deployment."""

import json
import re
import time
import urllib.error
import urllib.request
from urllib.parse import urljoin

from rich.console import Console

PATIENCE = 900.0  # seconds: a new distribution of CloudFront takes minutes to be everywhere
EVERY = 10.0


class NotThere(OSError):
    """What does not answer as it should, in one sentence."""


def look_at(host: str, *, console: Console, patience: float = PATIENCE) -> None:
    """Asks for life, table and worker, the front page and a style sheet that it names. Raises `NotThere` if something
    of that is still not as it should be after a quarter of an hour."""
    root = host if "://" in host else f"https://{host}"
    deadline = time.monotonic() + patience
    while fault := _fault(root):
        if time.monotonic() > deadline:
            raise NotThere(fault)
        console.print(f"Not yet: {fault}", highlight=False)
        time.sleep(EVERY)
    console.print(f"The site is at {root}/ and answers.", style="green", highlight=False)


def _fault(root: str) -> str:
    try:
        if _get(f"{root}/healthz") != "ok":
            return "/healthz does not say ok."
        ready = json.loads(_get(f"{root}/readyz"))
        if ready.get("status") not in ("ok", "read-only"):
            return f"/readyz says {ready.get('status')}."
        page = _get(f"{root}/")
        style = re.search(r'<link[^>]+href="([^"]+\.css)"', page)
        if not style:
            return "The front page names no style sheet."
        if "{" not in _get(urljoin(f"{root}/", style[1])):
            return f"{style[1]} is no style sheet."
    except (OSError, ValueError) as error:
        return f"{root} does not answer: {error}"
    return ""


def _get(address: str) -> str:
    # The address is the one that the operator deployed.
    with urllib.request.urlopen(address, timeout=10) as answer:  # noqa: S310 # nosec B310
        text: str = answer.read().decode()
        return text
