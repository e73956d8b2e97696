"""Reads the environment for `settings.py`: the engine to use, and secrets that a laptop makes for itself."""

import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from socialsite.private_files import FOLDER_MODE, create_private

CREDENTIAL_SOURCES = (
    "AWS_ACCESS_KEY_ID",
    "AWS_PROFILE",
    "AWS_ROLE_ARN",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_LAMBDA_FUNCTION_NAME",
)


def flag(name: str, default: bool) -> bool:
    value = os.environ.get(name, "")
    return default if value == "" else value.lower() in ("1", "true", "yes", "on")


def number(name: str, default: int) -> int:
    value = os.environ.get(name, "")
    if value and not (value.isascii() and value.isdigit()):
        raise ImproperlyConfigured(f"{name} is {value!r}: set it to a whole number.")
    return int(value) if value else default


def seconds(name: str, default: float) -> float:
    """Returns a positive number of seconds, such as 0.9."""
    value = os.environ.get(name, "")
    try:
        parsed = float(value) if value else default
    except ValueError:
        parsed = 0.0
    if not 0 < parsed < 3600:
        raise ImproperlyConfigured(
            f"{name} is {value!r}. Set it to a number of seconds, such as 1.5."
        )
    return parsed


def price(name: str, default: float) -> float:
    """Returns a price in dollars, such as 0.125."""
    value = os.environ.get(name, "")
    try:
        parsed = float(value) if value else default
    except ValueError:
        parsed = -1.0
    if not 0 <= parsed < 1000:
        raise ImproperlyConfigured(f"{name} is {value!r}. Set it to dollars, such as 0.125.")
    return parsed


def share(name: str, default: float) -> float:
    """Returns a share of all, from 0 to 1."""
    value = os.environ.get(name, "")
    try:
        parsed = float(value) if value else default
    except ValueError:
        parsed = -1.0
    if not 0 <= parsed <= 1:
        raise ImproperlyConfigured(f"{name} is {value!r}. Set it to a share from 0 to 1.")
    return parsed


def words(name: str) -> list[str]:
    """Returns the words of a comma-separated list."""
    return [word.strip() for word in os.environ.get(name, "").split(",") if word.strip()]


def addresses(name: str) -> list[str]:
    """Returns the addresses of a comma-separated list, such as 10.0.0.5:8003. Names are refused, as looking them up
    takes time where none may pass."""
    given = words(name)
    for one in given:
        host, _, port = one.rpartition(":")
        try:
            ip_address(host.strip("[]"))
        except ValueError:
            host = ""
        if not (host and port.isascii() and port.isdigit() and 0 < int(port) < 65536):
            raise ImproperlyConfigured(
                f"{name} is {one!r}. Set it to an address in digits with a port, such as 10.0.0.5:8003."
            )
    return given


def dynamodb_engine(environ: Mapping[str, str]) -> tuple[str, str]:
    """Returns the engine that the environment names, and one sentence if a part is missing.

    `DYNAMODB_ENDPOINT` is the address of an engine, or `aws` for Amazon. Without it, a region with credentials means
    Amazon, and neither of the two means the embedded engine.
    """
    endpoint = environ.get("DYNAMODB_ENDPOINT", "")
    region = environ.get("AWS_REGION") or environ.get("AWS_DEFAULT_REGION")
    if endpoint and endpoint != "aws":
        if not endpoint.startswith(("http://", "https://")):
            return (
                "endpoint",
                f"DYNAMODB_ENDPOINT is {endpoint}: it must begin with http:// or https://.",
            )
        return "endpoint", ""
    credentials = [name for name in CREDENTIAL_SOURCES if environ.get(name)]
    if environ.get("AWS_ACCESS_KEY_ID") and not environ.get("AWS_SECRET_ACCESS_KEY"):
        return (
            "amazon",
            "AWS_ACCESS_KEY_ID is set without AWS_SECRET_ACCESS_KEY: set both, or neither.",
        )
    if environ.get("AWS_SECRET_ACCESS_KEY") and not environ.get("AWS_ACCESS_KEY_ID"):
        return (
            "amazon",
            "AWS_SECRET_ACCESS_KEY is set without AWS_ACCESS_KEY_ID: set both, or neither.",
        )
    if (endpoint == "aws" or credentials) and not region:
        what = "DYNAMODB_ENDPOINT=aws" if endpoint else credentials[0]
        return (
            "amazon",
            f"{what} is set without AWS_REGION: set AWS_REGION, or unset {what.split('=')[0]}.",
        )
    if endpoint == "aws" or (region and credentials):
        return "amazon", ""
    if region:
        return "embedded", (
            "AWS_REGION is set without credentials: set credentials (or DYNAMODB_ENDPOINT=aws where the machine has "
            "a role) to use Amazon DynamoDB, or unset AWS_REGION to use the embedded engine."
        )
    return "embedded", ""


def dynamodb_region(environ: Mapping[str, str]) -> str:
    return environ.get("AWS_REGION") or environ.get("AWS_DEFAULT_REGION") or "us-east-1"


def dynamodb_transport(environ: Mapping[str, str]) -> str:
    """Returns how reads and batch writes reach DynamoDB: in the site's own way, or by botocore alone."""
    way = environ.get("DYNAMODB_TRANSPORT") or "own"
    if way not in ("own", "botocore"):
        raise ImproperlyConfigured(f"DYNAMODB_TRANSPORT is {way!r}. Set it to own or botocore.")
    return way


MAIL_BACKENDS = {
    "folder": "accounts.mail.folder.FolderBackend",
    "smtp": "django.core.mail.backends.smtp.EmailBackend",
    "ses": "anymail.backends.amazon_ses.EmailBackend",
}


def mail_backend(environ: Mapping[str, str]) -> tuple[str, str]:
    """Returns how letters go out, with Django's name for it: by a mail server, by Amazon SES, or into a folder."""
    way = environ.get("MAIL") or ("smtp" if environ.get("EMAIL_HOST") else "folder")
    if way not in MAIL_BACKENDS:
        raise ImproperlyConfigured(f"MAIL is {way!r}. Set it to folder, smtp or ses.")
    if way == "smtp" and not environ.get("EMAIL_HOST"):
        raise ImproperlyConfigured("MAIL is smtp without EMAIL_HOST. Set EMAIL_HOST too.")
    return way, MAIL_BACKENDS[way]


# Set for processes that the site starts (`operations/serving/children.py`).
BESIDE_OWNER = "BESIDE_OWNER"


def is_reloaded() -> bool:
    """Whether Django's auto-reloader started this process."""
    return os.environ.get("RUN_MAIN") == "true"


def is_beside_owner() -> bool:
    """Whether a process of the site started this one. That one owns the engine and its data: if they vanish, nothing
    that it starts may begin them anew."""
    return is_reloaded() or os.environ.get(BESIDE_OWNER) == "1"


def secret(name: str, *, data_dir: Path, may_make: bool) -> str:
    """Returns a secret from the environment. On a laptop it is otherwise made once and kept in the data folder."""
    if value := os.environ.get(name):
        return value
    if not may_make:
        raise ImproperlyConfigured(
            f"{name} is not set. Outside debug mode, set it to a long random text."
        )
    file = data_dir / f"{name.lower()}.txt"
    with usable(data_dir):
        if not file.exists():
            if is_beside_owner():
                raise ImproperlyConfigured(
                    f"{file} is gone while the site runs. Restore a backup, or delete {data_dir} to begin with a new "
                    "site, then start it again."
                )
            data_dir.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
            create_private(file, secrets.token_urlsafe(48))
        return file.read_text()


@contextmanager
def usable(data_dir: Path) -> Iterator[None]:
    """Raises `ImproperlyConfigured` with one sentence if what is done with the data folder fails for the folder."""
    try:
        yield
    except OSError as error:
        raise ImproperlyConfigured(
            f"The site cannot read and write {data_dir} ({error.strerror}). "
            "Give this user access, or set DATA_DIR to another folder."
        ) from error
