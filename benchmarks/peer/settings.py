"""The site's settings as in production, with a database, and the viewer read from it."""

import os
from typing import Any

from benchmarks.engines import with_plain
from socialsite.settings import *  # noqa: F403
from socialsite.settings import INSTALLED_APPS, MIDDLEWARE, TEMPLATES

DATABASES: dict[str, dict[str, Any]] = {  # type: ignore[no-redef]
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "HOST": os.environ["PEER_SOCKET"],
        "NAME": "postgres",
        "USER": "postgres",
        "CONN_MAX_AGE": None,  # each thread keeps its connection
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
INSTALLED_APPS = [*INSTALLED_APPS, "benchmarks.peer"]
MIDDLEWARE = [
    "benchmarks.peer.viewer.PeerViewerMiddleware"
    if name == "accounts.middleware.ViewerMiddleware"
    else name
    for name in MIDDLEWARE
]
TEMPLATES = with_plain(TEMPLATES)
ROOT_URLCONF = "benchmarks.peer.urls"
