"""Signing in and out: a `SignIn` item per browser, its secret in the signed cookie."""

import hashlib
import secrets
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta

from django.conf import settings

from accounts.access_patterns import find_user_by_email, find_user_by_handle
from accounts.encryption.emails import email_hmacs
from accounts.models import Credentials, SignIn, UserSettings
from accounts.signing_in.hashers import password_matches
from accounts.signing_in.second_factor import get_second_factor
from accounts.viewer import BY_CODE, Viewer
from socialsite.clock import utc_now
from socialsite.table import keys
from socialsite.table.actions import Change, Create, Delete
from socialsite.table.errors import NotFound, TableError
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch, query
from socialsite.table.row import row
from socialsite.table.writing import transact, write_batch
from socialsite.web.observing.security_log import Event, note_event
from socialsite.web.preferences import Preferences, parse

BROWSER_MAX_LENGTH = 200


class WrongPassword(TableError):
    """The account does not exist, or the password is wrong. The error never says which."""


@dataclass(frozen=True, slots=True)
class Account:
    """The account found by a handle or an email address. `user_id` is empty if there is none. It proves nothing yet.

    `preferences` is None if none were ever saved. `stamp` changes with the password.
    """

    user_id: str
    password: str
    stamp: str
    preferences: Preferences | None
    has_second_factor: bool


@access_pattern
def find_account(account: str) -> Account:
    """Looks up an account by handle or email address. The answer looks the same if there is no such account.

    One GetItem of the claim and one BatchGetItem of Credentials and UserSettings, 1.5 read units.
    """
    user_id = ""
    with suppress(NotFound):
        user_id = _find_user(account)
    found = fetch([keys.credentials(user_id), keys.user_settings(user_id)])
    credentials = row(Credentials, found.get(keys.credentials(user_id), {}))
    kept = row(UserSettings, found.get(keys.user_settings(user_id), {}))
    hashed = credentials.password
    return Account(
        user_id=user_id,
        password=hashed,
        stamp=_stamp(hashed),
        preferences=parse(kept.preferences),
        has_second_factor=bool(credentials.totp),
    )


def check_password(found: Account, password: str) -> None:
    """Raises `WrongPassword`. Takes the time of a password hash whether or not there is an account."""
    if not password_matches(password, found.password or None):
        note_event(Event.WRONG_PASSWORD, account=found.user_id)
        raise WrongPassword


@access_pattern
def read_stamp(user_id: str) -> str:
    """Returns the stamp of someone's credentials. One consistent read, 1 unit."""
    key = keys.credentials(user_id)
    raw = fetch([key], consistent=True).get(key, {})
    return _stamp(row(Credentials, raw).password)


@access_pattern
def sign_in(*, user_id: str, browser: str) -> str:
    """Starts a sign-in and returns its secret, for the cookie.

    One TransactWriteItems puts the SignIn and sets the last day in UserSettings, 4 write units.
    """
    secret = secrets.token_urlsafe(32)
    transact(Create(_new_sign_in(user_id, secret, browser)), _seen_today(user_id))
    note_event(Event.SIGNED_IN, account=user_id)
    return secret


@access_pattern
def sign_in_with_code(*, user_id: str, code: str, browser: str) -> str:
    """Does the same for an account with two-step verification, after the password was right. Raises `WrongCode`.

    One consistent read of Credentials, 1 unit; one TransactWriteItems of SignIn, UserSettings and Credentials, where
    the code is used up: 6 write units.
    """
    factor = get_second_factor(user_id, consistent=True)
    secret = secrets.token_urlsafe(32)
    started = _new_sign_in(user_id, secret, browser)
    if factor.is_on:
        started.proved_at, started.proved_with = this_moment(), BY_CODE
        transact(factor.use(code), Create(started), _seen_today(user_id))
    else:
        transact(Create(started), _seen_today(user_id))
    note_event(Event.SIGNED_IN, account=user_id, code="yes" if factor.is_on else "no")
    return secret


@access_pattern
def keep_signed_in(*, by: Viewer) -> None:
    """Notes that the person used this browser today, at most once a day for each browser.

    One TransactWriteItems of two items, 4 write units. If the person was away for long, the stream worker then rebuilds
    their timeline.
    """
    transact(
        Change(SignIn, keys.sign_in(by.user_id, by.secret_hash), [SignIn.seen.set(today())]),
        _seen_today(by.user_id),
    )


@access_pattern
def sign_out(*, by: Viewer) -> None:
    """Ends this sign-in at once, whatever the cookie says. Safe to repeat. 2 write units."""
    try:
        transact(Delete(keys.sign_in(by.account_id, by.secret_hash)))
    except NotFound:
        return
    note_event(Event.SIGNED_OUT, account=by.account_id)


@access_pattern
def end_sign_in(*, by: Viewer, secret_hash: str) -> None:
    """Ends one of the person's own sign-ins, from that browser's next request on. Safe to repeat. 2 write units."""
    try:
        transact(Delete(keys.sign_in(by.user_id, secret_hash)))
    except NotFound:
        return
    note_event(Event.SIGN_INS_ENDED, account=by.user_id, count=1)


@access_pattern
def end_other_sign_ins(*, by: Viewer) -> int:
    """Ends every sign-in of the person except this one, and returns how many. Safe to repeat.

    One consistent Query, and BatchWriteItems of 25: 1 write unit each.
    """
    return _end(by.user_id, kept=by.secret_hash)


@access_pattern
def end_all_sign_ins(*, user_id: str) -> int:
    """Ends every sign-in of a person, as `end_other_sign_ins` does."""
    return _end(user_id)


def _end(user_id: str, *, kept: str = "") -> int:
    count = write_batch(deletes=_sign_in_keys(user_id, kept=kept))
    note_event(Event.SIGN_INS_ENDED, account=user_id, count=count)
    return count


def _stamp(hashed: str) -> str:
    return hashlib.sha256(hashed.encode()).hexdigest()


def hash_secret(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def today() -> str:
    return date.isoformat(utc_now().date())


def this_moment() -> str:
    return utc_now().isoformat(timespec="seconds")


def account_name(account: str) -> str:
    """Returns one spelling for each account: a handle without @, or an email address, in lower case."""
    return account.strip().removeprefix("@").lower()


def _new_sign_in(user_id: str, secret: str, browser: str) -> SignIn:
    return SignIn.new(
        user_id=user_id,
        secret_hash=hash_secret(secret),
        browser=browser[:BROWSER_MAX_LENGTH],
        seen=today(),
        ttl=utc_now() + timedelta(days=settings.SIGN_IN_DAYS),
    )


def _seen_today(user_id: str) -> Change:
    return Change(UserSettings, keys.user_settings(user_id), [UserSettings.seen.set(today())])


def _sign_in_keys(user_id: str, *, kept: str) -> Iterator[keys.Key]:
    for raw in query(keys.sign_ins(user_id), consistent=True):
        secret_hash = row(SignIn, raw).secret_hash
        if secret_hash != kept:
            yield keys.sign_in(user_id, secret_hash)


def _find_user(account: str) -> str:
    name = account_name(account)
    return find_user_by_email(email_hmacs(name)) if "@" in name else find_user_by_handle(name)
