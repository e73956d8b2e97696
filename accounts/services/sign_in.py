"""Signing in and out: a `SignIn` item per browser, its secret in the signed cookie."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.conf import settings

from accounts.access_patterns import find_user_by_email, find_user_by_handle
from accounts.emails import email_hmac
from accounts.hashers import password_matches
from accounts.models import Credentials, SignIn, UserSettings
from accounts.viewer import Viewer
from socialsite.table import keys, reading
from socialsite.table.actions import Change, Create, Delete
from socialsite.table.errors import NotFound, TableError
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch
from socialsite.table.writing import transact
from socialsite.web.preferences import Preferences, parse

BROWSER_MAX_LENGTH = 200


class WrongPassword(TableError):
    """No such account, or not its password: nobody learns which."""


@dataclass(frozen=True, slots=True)
class Account:
    """Whose handle or e-mail address and password were right; `preferences` is None if none were ever saved."""

    user_id: str
    preferences: Preferences | None


@access_pattern
def check_credentials(*, account: str, password: str) -> Account:
    """The person with this handle or e-mail address and password. Raises `WrongPassword`.

    One GetItem of the claim and one BatchGetItem of Credentials and UserSettings, 1.5 read units. Takes the time of
    a password hash whether or not there is an account.
    """
    user_id, found = "", {}
    try:
        user_id = _find_user(account)
        found = fetch([keys.credentials(user_id), keys.user_settings(user_id)])
    except NotFound:
        pass
    credentials = found.get(keys.credentials(user_id), {})
    kept = found.get(keys.user_settings(user_id), {})
    hashed = reading.text(credentials, Credentials.password) or None
    if not password_matches(password, hashed):
        raise WrongPassword
    return Account(user_id, parse(reading.text(kept, UserSettings.preferences)))


@access_pattern
def sign_in(*, user_id: str, browser: str) -> str:
    """Starts a sign-in and returns its secret, for the cookie.

    One TransactWriteItems puts the SignIn and sets the last day in UserSettings, 4 write units.
    """
    secret = secrets.token_urlsafe(32)
    sign_in = SignIn.new(
        user_id=user_id,
        secret_hash=hash_secret(secret),
        browser=browser[:BROWSER_MAX_LENGTH],
        seen=today(),
        ttl=datetime.now(UTC) + timedelta(days=settings.SIGN_IN_DAYS),
    )
    transact(
        Create(sign_in),
        Change(UserSettings, keys.user_settings(user_id), [UserSettings.seen.set(today())]),
    )
    return secret


@access_pattern
def keep_signed_in(*, by: Viewer) -> None:
    """Notes that person and browser were seen today; at most once a day and browser.

    One TransactWriteItems of two items, 4 write units. Who was away for long gets their timeline rebuilt, through the
    stream.
    """
    transact(
        Change(SignIn, keys.sign_in(by.user_id, by.secret_hash), [SignIn.seen.set(today())]),
        Change(UserSettings, keys.user_settings(by.user_id), [UserSettings.seen.set(today())]),
    )


@access_pattern
def sign_out(*, by: Viewer) -> None:
    """Ends this sign-in at once, whatever the cookie says; repeating it is harmless. 2 write units."""
    try:
        transact(Delete(keys.sign_in(by.user_id, by.secret_hash)))
    except NotFound:
        return


def hash_secret(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def today() -> str:
    return date.isoformat(datetime.now(UTC).date())


def account_name(account: str) -> str:
    """One spelling for each account: a handle without @, or an e-mail address, in lower case."""
    return account.strip().removeprefix("@").lower()


def _find_user(account: str) -> str:
    name = account_name(account)
    return find_user_by_email(email_hmac(name)) if "@" in name else find_user_by_handle(name)
