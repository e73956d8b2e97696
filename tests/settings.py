"""Settings of the test suite: the site's own, with the engine left to the fixtures."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

os.environ |= {
    "DATA_DIR": tempfile.mkdtemp(prefix="socialsite-tests-"),
    "DEBUG": "1",
    "STAFF_SECOND_FACTOR": "0",  # tests of it turn it on
    "PASSKEY_DOMAIN": "localhost",
    "PASSKEY_ORIGINS": "http://localhost",
    "DYNAMODB_ENDPOINT": "http://127.0.0.1:9",  # nobody listens there: fixtures set the engine's own
    "SECRET_KEY": "tests-only-secret-key-that-is-long-enough-to-sign-with",
    "DATA_KEY": "tests-only-data-key-that-is-long-enough-to-encrypt-with",
}

from socialsite.settings import *  # noqa: F403
from socialsite.settings import MIDDLEWARE

NOTING = "socialsite.streams.jobs.note_request"
# A test's jobs take the same steps, however lately it asked for a page.
MIDDLEWARE = [one for one in MIDDLEWARE if one != NOTING]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.MD5PasswordHasher"
]  # the real one has its own test
folder, maker = Path(os.environ["DATA_DIR"]), os.getpid()  # lower case: no settings
MEDIA_ROOT = folder / "media"
# An engine beside a busy machine's other work is slow, not away.
DYNAMODB_SECONDS, DYNAMODB_WEB_SECONDS = 30.0, 20.0
COST_SAMPLE = 0.0  # tests of it turn it on
COST_SECONDS = 3600  # and write what was summed themselves
ALARM_SECONDS = 0  # tests of alarms have the clock look
# A test that takes long does not read them once more.
SITE_RULES_SECONDS = STAFF_NAV_SECONDS = 3600


@atexit.register
def leave_nothing() -> None:
    """Deletes what the tests of this process kept in files; a process that it forked leaves that alone."""
    if os.getpid() == maker:
        shutil.rmtree(folder, ignore_errors=True)
