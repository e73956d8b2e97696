"""Making a token for a program of one's own."""

import base64
from collections.abc import Collection
from contextlib import suppress
from datetime import datetime

from django.utils.crypto import salted_hmac

from accounts.access.reads import list_signed_in
from accounts.access.writes import SignInEnded, lasts_until
from accounts.grants.models import AppToken
from accounts.models import SignIn, UserSettings
from accounts.notices import TOKEN_MADE
from accounts.people.viewer import Viewer
from accounts.sessions import hash_secret, in_epoch, this_moment
from socialsite.observing.logs import Event, note_event
from socialsite.table import (
    AlreadyExists,
    Change,
    Check,
    Create,
    TableError,
    access_pattern,
    fetch,
    keys,
    row,
    transact,
)
from socialsite.telling import Cause, tell

MOST_TOKENS = 20


class TooManyTokens(TableError):
    """The person has as many tokens as they may have."""


class FormIsOld(TableError):
    """The form was sent before, or a newer one was: what it made has ended, and stays so."""


class _MadeAlready(AlreadyExists):
    """The same form was sent before."""


@access_pattern
def make_token(
    *, by: Viewer, name: str, scopes: Collection[str], ends: datetime | None, nonce: str
) -> str:
    """Makes a token with which a program acts for the person, and returns it: it is told once, and only its hash is
    kept. The same `nonce`, an id, is the same token, so a form that is sent twice is harmless; once that has ended,
    it makes none. Raises `TooManyTokens`, `FormIsOld`, `SignInEnded`, also if all sign-ins of the account have ended
    meanwhile.

    The Query of `list_signed_in`, 1 read unit for each 10 or so, and one consistent BatchGetItem of UserSettings and
    this sign-in, 2 read units. One TransactWriteItems of AppToken, UserSettings, the letter and the sign-in, which
    notes the form, 8 write units.
    """
    secret = _secret(by, nonce)
    secret_hash = hash_secret(secret)
    own = [one.secret_hash for one in list_signed_in(by).apps if one.is_own]
    if len(own) >= MOST_TOKENS and secret_hash not in own:
        raise TooManyTokens
    if secret_hash in own:
        return f"{by.user_id}.{secret}"
    key, here = keys.user_settings(by.user_id), keys.sign_in(by.user_id, by.secret_hash)
    found = fetch([key, here], consistent=True)
    if here not in found:
        raise SignInEnded
    epoch = int(row(UserSettings, found.get(key, {})).epoch)
    is_newest = SignIn.token_form.does_not_exist() | (SignIn.token_form < nonce)
    token = AppToken.own(
        user_id=by.user_id,
        secret_hash=secret_hash,
        name=name,
        scopes=" ".join(scopes),
        made=this_moment(),
        ends_at=ends.isoformat(timespec="seconds") if ends else "",
        epoch=epoch,
        ttl=lasts_until(ends),
    )
    with suppress(_MadeAlready):
        transact(
            Create(token, otherwise=_MadeAlready),
            Check(key, in_epoch(UserSettings, epoch), otherwise=SignInEnded),
            Change(SignIn, here, [SignIn.token_form.set(nonce)], is_newest, otherwise=FormIsOld),
            *tell(by.user_id, TOKEN_MADE, Cause(facts={"name": name})).actions(),
        )
        note_event(Event.OWN_TOKEN_MADE, account=by.user_id)
    return f"{by.user_id}.{secret}"


def _secret(by: Viewer, nonce: str) -> str:
    """Returns the secret of a token: 43 letters, which nobody can make from the form but the site."""
    made = salted_hmac("own token", f"{by.user_id} {by.secret_hash} {nonce}", algorithm="sha256")
    return base64.urlsafe_b64encode(made.digest()).rstrip(b"=").decode()
