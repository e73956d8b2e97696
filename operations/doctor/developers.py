"""What do tests, translations and `make serve` need beside what the site needs?"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from operations.doctor.finding import NOTE, OK, Finding

BROWSERS = ("chromium-headless-shell", "chromium")
PLAYWRIGHTS = ("~/.cache/ms-playwright", "~/Library/Caches/ms-playwright")


def check_browser() -> Finding:
    chosen = os.environ.get("CHROMIUM")
    found = shutil.which(chosen) if chosen else next(filter(None, map(shutil.which, BROWSERS)), "")
    found = found or next((str(path) for path in playwright_browsers()), "")
    if found:
        return Finding("browser", OK, found)
    return Finding("browser", NOTE, "none for the browser tests.", "make setup-dev")


def playwright_browsers() -> list[Path]:
    named = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    folders = [named] if named else PLAYWRIGHTS
    return [path for one in folders for path in Path(one).expanduser().glob("chromium*-*")]


def check_gettext() -> Finding:
    if found := shutil.which("xgettext"):
        return Finding("gettext", OK, found)
    return Finding("gettext", NOTE, "none to gather translations.", "tools/install-gettext")


def check_nginx() -> Finding:
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"
    if found := shutil.which("nginx", path=path):
        return Finding("nginx", OK, found)
    text = "none for `make serve`, which works without it, but slow clients then hold up others."
    return Finding("nginx", NOTE, text, "tools/install-nginx")
