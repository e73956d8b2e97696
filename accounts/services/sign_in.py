"""Signing in: a `SignIn` item per browser, its secret in the signed cookie."""

import hashlib
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Self

from django.conf import settings

from accounts.access_patterns import find_user_by_email, find_user_by_handle
from accounts.encryption.emails import email_hmacs
from accounts.mail.posting import post_mail
from accounts.models import Credentials, SignIn, UserSettings
from accounts.signing_in.epochs import in_epoch
from accounts.signing_in.hashers import password_matches
from accounts.signing_in.origins import NOWHERE, Origins, noting_origins
from accounts.signing_in.second_factor import get_second_factor
from accounts.viewer import BY_CODE, Viewer
from socialsite.clock import utc_now
from socialsite.table import keys
from socialsite.table.actions import Change, Create, WriteAction
from socialsite.table.errors import NotFound, TableError
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch
from socialsite.table.row import row
from socialsite.table.writing import transact
from socialsite.web.observing.security_log import Event, note_event
from socialsite.web.preferences import Preferences, parse

BROWSER_MAX_LENGTH = 200


class WrongPassword(TableError):
    """The account does not exist, or the password is wrong. The error never says which."""


@dataclass(frozen=True, slots=True)
class Account:
    """The account found by a handle or an email address. `user_id` is empty if there is none. It proves nothing yet.

    `preferences` is None if none were ever saved. `stamp` changes with the password, and `epoch` whenever all sign-ins
    end.
    """

    user_id: str
    password: str
    stamp: str
    epoch: int
    preferences: Preferences | None
    has_second_factor: bool
    has_passkeys: bool

    @classmethod
    def from_raw(cls, user_id: str, credentials: RawItem, settings: RawItem) -> Self:
        """Builds it from raw Credentials and UserSettings, both empty if there is no such account."""
        own = row(Credentials, credentials)
        return cls(
            user_id=user_id,
            password=own.password,
            stamp=stamp_of(own.password),
            epoch=int(own.epoch),
            preferences=parse(row(UserSettings, settings).preferences),
            has_second_factor=bool(own.totp),
            has_passkeys=bool(own.passkeys),
        )


@access_pattern
def find_account(account: str) -> Account:
    """Looks up an account by handle or email address. The answer looks the same if there is no such account.

    One GetItem of the claim and one BatchGetItem of Credentials and UserSettings, 1.5 read units.
    """
    user_id = ""
    with suppress(NotFound):
        user_id = _find_user(account)
    found = fetch([keys.credentials(user_id), keys.user_settings(user_id)])
    credentials = found.get(keys.credentials(user_id), {})
    return Account.from_raw(user_id, credentials, found.get(keys.user_settings(user_id), {}))


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
    return stamp_of(row(Credentials, raw).password)


@access_pattern
def sign_in(
    *, user_id: str, browser: str, epoch: int = 0, network: str = "", origins: Origins = NOWHERE
) -> str:
    """Starts a sign-in and returns its secret, for the cookie. Raises `WrongPassword` if the password was changed since
    the account was read in this epoch. `network` is that of a browser which the account does not know, `origins` is
    where it comes from in any case.

    One TransactWriteItems puts the SignIn and sets the last day in UserSettings, 4 write units; the origins cost 8
    more, and the letter about an unknown browser 2.
    """
    secret = secrets.token_urlsafe(32)
    started = new_sign_in(user_id, secret, browser=browser, epoch=epoch)
    transact(
        Create(started),
        seen_today(user_id, epoch),
        *told_of_browser(started, network),
        *noting_origins(origins, user_id),
    )
    note_event(Event.SIGNED_IN, account=user_id)
    return secret


@access_pattern
def sign_in_with_code(
    *,
    user_id: str,
    code: str,
    browser: str,
    epoch: int = 0,
    network: str = "",
    origins: Origins = NOWHERE,
) -> str:
    """Does the same for an account with two-step verification, after the password was right. Raises `WrongCode`,
    `WrongPassword`.

    One consistent read of Credentials, 1 unit; one TransactWriteItems of SignIn, UserSettings and Credentials, where
    the code is used up: 6 write units, 8 for the origins, and 2 for the letter.
    """
    factor = get_second_factor(user_id, consistent=True)
    secret = secrets.token_urlsafe(32)
    started = new_sign_in(user_id, secret, browser=browser, epoch=epoch)
    proofs: list[WriteAction] = []
    if factor.is_on:
        started.proved_at, started.proved_with = this_moment(), BY_CODE
        proofs.append(factor.use(code))
    told = told_of_browser(started, network)
    noted = noting_origins(origins, user_id)
    transact(*proofs, Create(started), seen_today(user_id, epoch), *told, *noted)
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
        Change(UserSettings, keys.user_settings(by.user_id), [UserSettings.seen.set(today())]),
    )


def stamp_of(hashed: str) -> str:
    """Returns what a known browser's mark is signed with: it changes with the password."""
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


def new_sign_in(user_id: str, secret: str, *, browser: str, epoch: int) -> SignIn:
    return SignIn.new(
        user_id=user_id,
        secret_hash=hash_secret(secret),
        browser=browser[:BROWSER_MAX_LENGTH],
        seen=today(),
        ttl=utc_now() + timedelta(days=settings.SIGN_IN_DAYS),
        epoch=epoch,
    )


def seen_today(user_id: str, epoch: int, *, otherwise: type[TableError] = WrongPassword) -> Change:
    """Returns the action that notes the day in the transaction of a sign-in, which raises `otherwise` if the account
    has left the epoch."""
    return Change(
        UserSettings,
        keys.user_settings(user_id),
        [UserSettings.seen.set(today())],
        condition=in_epoch(UserSettings, epoch),
        otherwise=otherwise,
    )


def told_of_browser(started: SignIn, network: str) -> list[Create]:
    """Returns the action that posts the letter about an unknown browser, if it is unknown."""
    facts = {"browser": started.browser, "network": network}
    return [post_mail("new-sign-in", user_id=started.user_id, **facts)] if network else []


def _find_user(account: str) -> str:
    name = account_name(account)
    return find_user_by_email(email_hmacs(name)) if "@" in name else find_user_by_handle(name)
