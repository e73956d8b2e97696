"""The site as it runs in production, in a folder of its own that goes with the process."""

import os
import tempfile

_folder = tempfile.TemporaryDirectory(prefix="socialsite-benchmark-")

os.environ |= {
    "DATA_DIR": _folder.name,
    "DEBUG": "0",
    "DYNAMODB_ENDPOINT": "http://127.0.0.1:9",  # nobody listens there: the benchmark sets its engine's own
    "SECRET_KEY": "benchmark-only-secret-key-that-is-long-enough-to-sign-with",
    "DATA_KEY": "benchmark-only-data-key-that-is-long-enough-to-encrypt-with",
    "ALLOWED_HOSTS": "localhost",
}

from benchmarks.engines import with_plain  # noqa: E402
from socialsite.settings import *  # noqa: E402, F403
from socialsite.settings import DATA_DIR, LOGGING, STORAGES, TEMPLATES  # noqa: E402

ROOT_URLCONF = "benchmarks.urls"
TEMPLATES = with_plain(TEMPLATES)
STATIC_ROOT = DATA_DIR / "static"
# Names looked up in a manifest as in production; making the compressed copies would only take time.
STORAGES["staticfiles"] = {
    "BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"
}
# Each request writes its line as in production, but to a file: the progress bars take 10 ms to print one above them.
LOGGING["handlers"]["console"] = {
    "class": "logging.FileHandler",
    "filename": DATA_DIR / "log",
    "formatter": "json",
}
