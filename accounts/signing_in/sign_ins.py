"""Where someone is signed in: one line for each browser, with a name that its owner recognises."""

from dataclasses import dataclass
from datetime import date
from itertools import islice

from django.utils.translation import gettext

from accounts.models import SignIn
from accounts.viewer import Viewer
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import query
from socialsite.table.row import row

MOST_READ = 200
MOST_SHOWN = 50

# The first match counts: most browsers also name those that they descend from.
BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "Chrome/": "Chrome",
    "Chromium/": "Chromium",
    "CriOS/": "Chrome",
    "Safari/": "Safari",
}
SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Macintosh": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}


@dataclass(frozen=True, slots=True)
class SignInRow:
    secret_hash: str
    browser: str
    seen: date
    is_here: bool


@access_pattern
def list_sign_ins(viewer: Viewer) -> list[SignInRow]:
    """Returns at most 50 of the viewer's own sign-ins: this browser's first, then the most recently used.

    One consistent Query: 1 read unit for each 10 or so, at most 200 read.
    """
    found = query(keys.sign_ins(viewer.user_id), limit=MOST_READ, consistent=True)
    rows = [
        SignInRow(
            secret_hash=sign_in.secret_hash,
            browser=browser_name(sign_in.browser),
            seen=date.fromisoformat(sign_in.seen),
            is_here=sign_in.secret_hash == viewer.secret_hash,
        )
        for sign_in in (row(SignIn, raw) for raw in islice(found, MOST_READ))
    ]
    rows.sort(key=lambda one: (one.is_here, one.seen), reverse=True)
    return rows[:MOST_SHOWN]


def browser_name(user_agent: str) -> str:
    """Returns a name such as "Firefox on Linux". Unknown parts are called unknown."""
    browser = next((name for mark, name in BROWSERS.items() if mark in user_agent), "")
    system = next((name for mark, name in SYSTEMS.items() if mark in user_agent), "")
    if browser and system:
        return gettext("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or gettext("Unknown browser")
