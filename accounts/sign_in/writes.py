"""Signing in: with a password, with a code after it, or with a passkey, instead of a password or after it.

Every use of a passkey uses up its challenge, and its counter goes on.
"""

import hashlib
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Self

from accounts.credentials.passkeys import (
    Answer,
    CounterWentBack,
    RelyingParty,
    WrongPasskey,
    check_use,
    use_up,
)
from accounts.credentials.passwords import WrongPassword, password_matches
from accounts.credentials.second_factor import get_second_factor
from accounts.encryption.emails import email_hmacs
from accounts.models import Credentials, Passkey, PasskeyClaim, SignIn, UserSettings
from accounts.people.reads import find_user_by_email, find_user_by_handle
from accounts.people.viewer import BY_CODE, BY_PASSKEY
from accounts.sessions import new_sign_in, seen_today, this_moment, told_of_browser
from accounts.sign_in.browsers import NOWHERE, Origins, noting_origins
from socialsite.observing.logs import Event, note_event
from socialsite.table import (
    Change,
    Create,
    NotFound,
    RawItem,
    WriteAction,
    access_pattern,
    as_model,
    fetch,
    get,
    keys,
    row,
    transact,
)
from socialsite.web.preferences import Preferences, parse


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
    """Returns the stamp of someone's credentials, for which the mark of a known browser is signed. One consistent read,
    1 unit."""
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
    more, and the letter about an unknown browser 2. In all 12 or 14 write units.
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
    """Starts a sign-in of an account with two-step verification, after the password was right. Raises `WrongCode`,
    `WrongPassword`.

    One consistent read of Credentials, 1 unit; one TransactWriteItems of SignIn, UserSettings and Credentials, where
    the code is used up: 6 write units, 8 for the origins, and 2 for the letter. In all 14 or 16 write units, and 1.5
    read units.
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


def stamp_of(hashed: str) -> str:
    """Returns what a known browser's mark is signed with: it changes with the password."""
    return hashlib.sha256(hashed.encode()).hexdigest()


def account_name(account: str) -> str:
    """Returns one spelling for each account: a handle without @, or an email address, in lower case."""
    return account.strip().removeprefix("@").lower()


def _find_user(account: str) -> str:
    name = account_name(account)
    return find_user_by_email(email_hmacs(name)) if "@" in name else find_user_by_handle(name)


@access_pattern
def get_passkey(user_id: str, answer: Answer) -> Passkey:
    """Returns the passkey of this person that the answer names. GetItem, 0.5 read units. Raises `WrongPasskey` if they
    have no such passkey."""
    try:
        return get(Passkey, keys.passkey(user_id, answer.credential_hash))
    except NotFound as error:
        raise WrongPasskey("not theirs") from error


def use_passkey(
    passkey: Passkey,
    answer: Answer,
    *,
    party: RelyingParty,
    challenge: bytes,
    must_verify: bool = True,
) -> list[Create | Change]:
    """Returns the two actions for the transaction of what the answer proves. Raises `WrongPasskey`. So does that
    transaction if the challenge was answered before, the passkey was removed meanwhile, or its counter has gone on."""
    use = check_use(answer, passkey, party=party, challenge=challenge, must_verify=must_verify)
    before = Passkey.counter
    noted = Change(
        Passkey,
        keys.passkey(passkey.user_id, answer.credential_hash),
        [
            before.set(use.counter),
            Passkey.backed_up.set(use.backed_up),
            Passkey.used.set(this_moment()),
        ],
        condition=(before < use.counter) if use.counter else (before == 0),
        otherwise=WrongPasskey,
    )
    return [use_up(challenge), noted]


@contextmanager
def noting_refusals(user_id: str) -> Iterator[None]:
    """Enters in the security log that an answer was refused."""
    try:
        yield
    except CounterWentBack:
        note_event(Event.PASSKEY_COPIED, account=user_id)
        raise
    except WrongPasskey:
        note_event(Event.WRONG_PASSKEY, account=user_id)
        raise


@dataclass(frozen=True, slots=True)
class Found:
    """The passkey that an answer names, with its account, as they were read. It proves nothing yet."""

    account: Account
    passkey: Passkey
    user_handle: str


@access_pattern
def find_passkey(answer: Answer) -> Found:
    """Returns the passkey that an answer names, no matter whose it is. Raises `WrongPasskey` if nobody does.

    One GetItem of the claim and one BatchGetItem of the passkey, Credentials and UserSettings, 2 read units.
    """
    try:
        user_id = get(PasskeyClaim, keys.passkey_claim(answer.credential_hash)).user_id
    except NotFound as error:
        raise WrongPasskey("nobody's") from error
    place = keys.passkey(user_id, answer.credential_hash)
    found = fetch([place, keys.credentials(user_id), keys.user_settings(user_id)])
    if place not in found:
        raise WrongPasskey("removed")
    credentials = found.get(keys.credentials(user_id), {})
    return Found(
        Account.from_raw(user_id, credentials, found.get(keys.user_settings(user_id), {})),
        as_model(Passkey, found[place]),
        row(Credentials, credentials).user_handle,
    )


@access_pattern
def sign_in_with_passkey(
    *,
    party: RelyingParty,
    challenge: bytes,
    answer: Answer,
    browser: str,
    network_for: Callable[[Account], str],
    origins: Origins = NOWHERE,
) -> tuple[Account, str]:
    """Starts a sign-in of the account whose passkey answered, and returns the account and the secret. The device must
    have verified its owner, so the passkey counts as both factors. Raises `WrongPasskey`, also if all sign-ins of the
    account ended a moment ago. `network_for` says from where, if that account does not know the browser.

    What `find_passkey` reads; one TransactWriteItems of SignIn, UserSettings, passkey and challenge, 8 write units, and
    8 for the origins. In all 16 or 18 write units and 2 read units.
    """
    with noting_refusals(""):
        found = find_passkey(answer)
    account = found.account
    with noting_refusals(account.user_id):
        if not secrets.compare_digest(found.user_handle, answer.user_handle):
            raise WrongPasskey("of another account")
        used = use_passkey(found.passkey, answer, party=party, challenge=challenge)
        secret, started = new_proved(account.user_id, browser, account.epoch)
        seen = seen_today(account.user_id, account.epoch, otherwise=WrongPasskey)
        told = told_of_browser(started, network_for(account))
        transact(*used, Create(started), seen, *told, *noting_origins(origins, account.user_id))
    note_event(Event.SIGNED_IN, account=account.user_id, passkey="yes")
    return account, secret


@access_pattern
def sign_in_with_second_passkey(
    *,
    user_id: str,
    epoch: int,
    party: RelyingParty,
    challenge: bytes,
    answer: Answer,
    browser: str,
    network: str = "",
    origins: Origins = NOWHERE,
) -> str:
    """Starts a sign-in after the password was right, and returns its secret. As the passkey is the second factor, the
    device need not have verified its owner. Raises `WrongPasskey`, `WrongPassword`.

    What `get_passkey` reads, and 16 write units as above. In all 16 or 18 write units and 0.5 read units.
    """
    with noting_refusals(user_id):
        passkey = get_passkey(user_id, answer)
        used = use_passkey(passkey, answer, party=party, challenge=challenge, must_verify=False)
        secret, started = new_proved(user_id, browser, epoch)
        told = told_of_browser(started, network)
        noted = noting_origins(origins, user_id)
        transact(*used, Create(started), seen_today(user_id, epoch), *told, *noted)
    note_event(Event.SIGNED_IN, account=user_id, passkey="yes")
    return secret


def new_proved(user_id: str, browser: str, epoch: int) -> tuple[str, SignIn]:
    """Returns the secret of a new sign-in that a passkey has proved, and its item."""
    secret = secrets.token_urlsafe(32)
    started = new_sign_in(user_id, secret, browser=browser, epoch=epoch)
    started.proved_at, started.proved_with = this_moment(), BY_PASSKEY
    return secret, started
