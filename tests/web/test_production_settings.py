"""What production adds to what the tests play in debug mode: https for everything, cookies of this host alone."""

import json
import os
import subprocess
import sys

import pytest

from tests.web.test_deploy_check import PRODUCTION, ROOT

ASKS = """
import json, django
django.setup()
from django.conf import settings
from django.test import Client
from socialsite.web.fragments import ToastCookie
plain, secure = (Client().get("/robots.txt", secure=how, headers={"host": "social.example"}) for how in (False, True))
cookies = {
    name: [getattr(settings, f"{name}_COOKIE_NAME"), getattr(settings, f"{name}_COOKIE_SECURE")]
    for name in ("SESSION", "CSRF", "PREFERENCES", "DEVICE", "ORIGIN")
}
cookies["TOASTS"] = [ToastCookie.cookie_name, settings.SESSION_COOKIE_SECURE]
print(json.dumps({
    "plain": [plain.status_code, plain["Location"]], "hsts": secure["Strict-Transport-Security"],
    "debug": settings.DEBUG, "cookies": cookies,
}))
"""


@pytest.fixture(scope="module")
def production(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    inherited = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    own = {
        "DATA_DIR": str(tmp_path_factory.mktemp("data")),
        "DJANGO_SETTINGS_MODULE": "socialsite.settings",
    }
    answer = subprocess.run(
        [sys.executable, "-c", ASKS],
        cwd=ROOT,
        env=inherited | PRODUCTION | own,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    return dict(json.loads(answer.stdout.splitlines()[-1]))


def test_plain_http_leads_to_https(production):
    assert production["plain"] == [301, "https://social.example/robots.txt"]


def test_browsers_insist_on_https_for_two_years(production):
    assert production["hsts"] == "max-age=63072000"


def test_every_cookie_is_of_this_host_alone_and_over_https(production):
    for name, is_secure in production["cookies"].values():
        assert name.startswith("__Host-")
        assert is_secure


def test_nothing_of_debug_mode_is_on(production):
    assert production["debug"] is False
