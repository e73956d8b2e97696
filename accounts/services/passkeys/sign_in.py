"""Signing in with a passkey: instead of a password, or after it."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from accounts.models import Credentials, Passkey, PasskeyClaim, SignIn
from accounts.passkeys.answers import Answer, WrongPasskey
from accounts.passkeys.relying_party import RelyingParty
from accounts.services.passkeys.use import get_passkey, noting_refusals, use_passkey
from accounts.services.sign_in import (
    Account,
    new_sign_in,
    seen_today,
    this_moment,
    told_of_browser,
)
from accounts.signing_in.origins import NOWHERE, Origins, noting_origins
from accounts.viewer import BY_PASSKEY
from socialsite.table import keys
from socialsite.table.actions import Create
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import as_model, fetch, get
from socialsite.table.row import row
from socialsite.table.writing import transact
from socialsite.web.observing.security_log import Event, note_event


@dataclass(frozen=True, slots=True)
class Found:
    """The passkey that an answer names, with its account, as they were read. It proves nothing yet."""

    account: Account
    passkey: Passkey
    user_handle: str


@access_pattern
def find_passkey(answer: Answer) -> Found:
    """Returns the passkey that an answer names, whoever has it. Raises `WrongPasskey` if nobody does.

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
    8 for the origins.
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

    What `get_passkey` reads, and 16 write units as above.
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
