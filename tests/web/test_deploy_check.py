"""Settings of production: checked, and what they add to what tests play."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from socialsite.environment import dynamodb_engine

ROOT = Path(__file__).resolve().parents[2]
SECRET = "k7Vb2mQx9Lr4Tn8Wz1Ys6Dp3Hf5Jc0Ga-not-used-anywhere-else-Ue"
AMAZON = {
    "AWS_REGION": "eu-central-1",
    "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
    "AWS_SECRET_ACCESS_KEY": "example",
}
PRODUCTION = AMAZON | {
    "DEBUG": "0",
    "SECRET_KEY": SECRET,
    "DATA_KEY": SECRET[::-1],
    "ALLOWED_HOSTS": "social.example",
    "TRUSTED_PROXY_HOPS": "1",
    "SITE_URL": "https://social.example",
    "MAIL": "ses",
}


def check(*options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return subprocess.run(
        [sys.executable, "manage.py", "check", *options],
        cwd=ROOT,
        env=inherited | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def said(result: subprocess.CompletedProcess[str]) -> str:
    return " ".join((result.stdout + result.stderr).split())


def test_production_has_nothing_to_warn_about(tmp_path):
    result = check("--deploy", "--fail-level", "WARNING", DATA_DIR=str(tmp_path), **PRODUCTION)
    assert result.returncode == 0, said(result)
    assert "no issues" in said(result)


def test_a_laptop_needs_no_setting_at_all(tmp_path):
    result = check(DATA_DIR=str(tmp_path))
    assert result.returncode == 0, said(result)


@pytest.mark.parametrize("name", ["SECRET_KEY", "DATA_KEY"])
def test_production_without_a_secret_says_which(name, tmp_path):
    environment = {key: value for key, value in PRODUCTION.items() if key != name}
    result = check(DATA_DIR=str(tmp_path), **environment)
    assert result.returncode != 0
    assert f"{name} is not set. Outside debug mode, set it to a long random text" in said(result)
    assert not list(tmp_path.iterdir())


# Together, as each start of a site takes a second.
RISKY = [
    ("SECRET_KEY", "secret", "SECRET_KEY"),
    ("DATA_KEY", "secret", "DATA_KEY"),
    ("STAFF_SECOND_FACTOR", "0", "STAFF_SECOND_FACTOR is off"),
    ("ALLOWED_HOSTS", "social.example,*", "ALLOWED_HOSTS has *"),
    ("TRUSTED_PROXY_HOPS", "", "TRUSTED_PROXY_HOPS is not set"),
    ("HSTS_SECONDS", "0", "SECURE_HSTS_SECONDS"),
    ("MAIL", "folder", "The site sends no mail, so nobody can set a new password."),
]


def test_production_is_warned_of_each_weak_secret_and_risky_setting_in_one_sentence(tmp_path):
    risky = {name: value for name, value, _ in RISKY}
    result = check(
        "--deploy", "--fail-level", "WARNING", **PRODUCTION | {"DATA_DIR": str(tmp_path)} | risky
    )
    assert result.returncode != 0
    warnings = re.findall(r"\?: (\([\w.]+\.W\d+\).*?)(?= \?: |$)", said(result))
    assert [sum(sentence in one for one in warnings) for *_, sentence in RISKY] == [1] * len(RISKY)
    assert len(warnings) == len(RISKY), warnings
    assert said(result).count("WARNINGS") == 1


def test_browsers_that_connect_directly_are_no_risk(tmp_path):
    direct = PRODUCTION | {"DATA_DIR": str(tmp_path), "TRUSTED_PROXY_HOPS": "0"}
    assert check("--deploy", "--fail-level", "WARNING", **direct).returncode == 0


UNUSABLE = [
    ({"STAFF_PASSKEY": "1"}, "STAFF_PASSKEY is set without PASSKEY_DOMAIN"),
    (
        {"PASSKEY_DOMAIN": "social.example", "PASSKEY_ORIGINS": "https://other.example"},
        "PASSKEY_ORIGINS has https://other.example, which is not of social.example",
    ),
]


@pytest.mark.parametrize(("environment", "sentence"), UNUSABLE, ids=["no domain", "other origin"])
def test_passkeys_that_nobody_could_use_are_refused_in_one_sentence(
    environment, sentence, tmp_path
):
    result = check(**PRODUCTION, DATA_DIR=str(tmp_path), **environment)
    assert result.returncode != 0
    assert sentence in said(result)


HALVES = [
    ({"AWS_ACCESS_KEY_ID": "A"}, "AWS_ACCESS_KEY_ID is set without AWS_SECRET_ACCESS_KEY"),
    (
        {"AWS_ACCESS_KEY_ID": "A", "AWS_REGION": "r"},
        "AWS_ACCESS_KEY_ID is set without AWS_SECRET_ACCESS_KEY",
    ),
    (
        {"AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "S"},
        "AWS_ACCESS_KEY_ID is set without AWS_REGION",
    ),
    ({"AWS_PROFILE": "work"}, "AWS_PROFILE is set without AWS_REGION"),
    ({"AWS_REGION": "r"}, "AWS_REGION is set without credentials"),
    ({"AWS_DEFAULT_REGION": "r"}, "is set without credentials"),
    ({"DYNAMODB_ENDPOINT": "aws"}, "DYNAMODB_ENDPOINT=aws is set without AWS_REGION"),
    ({"AWS_SECRET_ACCESS_KEY": "S"}, "AWS_SECRET_ACCESS_KEY is set without AWS_ACCESS_KEY_ID"),
]


@pytest.mark.parametrize(("environment", "sentence"), HALVES, ids=[str(half[0]) for half in HALVES])
def test_half_an_amazon_gets_its_one_sentence(environment, sentence):
    _, problem = dynamodb_engine(environment)
    assert sentence in problem
    assert problem.count(". ") == 0
    assert problem.endswith(".")


WHOLE = [
    ({}, "embedded"),
    (AMAZON, "amazon"),
    ({"AWS_PROFILE": "work", "AWS_REGION": "r"}, "amazon"),
    ({"AWS_LAMBDA_FUNCTION_NAME": "f", "AWS_REGION": "r"}, "amazon"),
    ({"DYNAMODB_ENDPOINT": "aws", "AWS_DEFAULT_REGION": "r"}, "amazon"),
    ({"DYNAMODB_ENDPOINT": "http://127.0.0.1:8000"}, "endpoint"),
    (AMAZON | {"DYNAMODB_ENDPOINT": "http://127.0.0.1:8000"}, "endpoint"),
]


@pytest.mark.parametrize(("environment", "engine"), WHOLE, ids=[str(whole[0]) for whole in WHOLE])
def test_a_whole_environment_means_one_engine(environment, engine):
    assert dynamodb_engine(environment) == (engine, "")


WRONG = [
    ({"AWS_REGION": "r"}, "AWS_REGION is set without credentials"),
    ({"DYNAMODB_ENDPOINT": "localhost:8000"}, "DYNAMODB_ENDPOINT"),
    ({"TRUSTED_PROXY_HOPS": "two"}, "TRUSTED_PROXY_HOPS"),
    ({"TIMELINE_DAYS": "a month"}, "TIMELINE_DAYS"),
]


@pytest.mark.parametrize(("environment", "sentence"), WRONG, ids=[str(wrong[0]) for wrong in WRONG])
def test_a_wrong_setting_is_one_sentence_of_the_check(environment, sentence, tmp_path):
    result = check(DATA_DIR=str(tmp_path), DEBUG="1", **environment)
    assert result.returncode != 0
    assert sentence in said(result)
    assert "Traceback" not in said(result)
    assert said(result).count("socialsite.E") <= 1


def test_production_without_its_address_is_warned_as_letters_lead_nowhere(tmp_path):
    result = check("--deploy", **PRODUCTION | {"DATA_DIR": str(tmp_path), "SITE_URL": ""})
    assert "SITE_URL is not set, so links in letters lead nowhere." in said(result)


@pytest.mark.parametrize(
    ("mail", "sentence"),
    [
        ("pigeon", "MAIL is 'pigeon'. Set it to folder, smtp or ses."),
        ("smtp", "MAIL is smtp without EMAIL_HOST. Set EMAIL_HOST too."),
    ],
)
def test_half_a_mail_server_is_refused(mail, sentence, tmp_path):
    result = check(**PRODUCTION | {"DATA_DIR": str(tmp_path), "MAIL": mail})
    assert result.returncode != 0
    assert sentence in said(result)


# What production adds to what the tests play in debug mode: https for everything, cookies of this host alone.

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
