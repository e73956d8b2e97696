"""Passkeys: for which domain they work, the challenge that one signs, what the browser is asked and what it answers.

Browsers give a passkey to the domain that it was made for, and to no other site, which is why nobody can be lured
into giving it away. A challenge is random, for this browser, for five minutes, and for one use. The signed session
says what was asked and until when. It cannot say what was used, because an old cookie can be sent again. So the
transaction of the use writes `challenge#<hash>`, which must not exist yet. What is asked goes as JSON to
`static/js/passkeys.js`.
"""

import hashlib
import json
import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Self

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, parse_client_data_json
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    AuthenticatorTransport,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from accounts.credentials.second_factor import SecondFactor
from accounts.models import Credentials, Passkey, UsedChallenge
from accounts.people.viewer import Viewer
from socialsite.clock import utc_now
from socialsite.table import Create, NotFound, RawItem, TableError, access_pattern, keys, query, row
from socialsite.texts import isolated

LOCAL = "localhost"  # the only name that browsers accept without HTTPS


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """The domain that passkeys are made for, and the origins whose pages may ask for them."""

    domain: str
    origins: tuple[str, ...]


def relying_party(request: HttpRequest) -> RelyingParty | None:
    """Returns the domain of the settings or, on a laptop, localhost. None where passkeys cannot work, such as on
    127.0.0.1: browsers refuse them for addresses without a name."""
    if settings.PASSKEY_DOMAIN:
        origins = *settings.PASSKEY_ORIGINS, *settings.PASSKEY_RELATED
        return RelyingParty(settings.PASSKEY_DOMAIN, origins)
    host = request.get_host()
    if host.partition(":")[0] == LOCAL:
        return RelyingParty(LOCAL, (f"{request.scheme}://{host}",))
    return None


LONGEST_ID = 1023  # bytes, as the standard says
LONGEST_KEY = 1500  # bytes, more than an RSA key of 4,096 bits takes
TRANSPORTS = {one.value for one in AuthenticatorTransport}


class WrongPasskey(TableError):
    """The answer is not right for this challenge, site and passkey, or was given before. The error never says which."""


class CounterWentBack(WrongPasskey):
    """The authenticator has counted fewer uses than before, so there may be a copy of it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the browser sent, read and not yet verified. All three strings are base64url."""

    content: dict[str, Any]
    credential_id: str
    challenge: str
    user_handle: str

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Reads JSON as `PublicKeyCredential.toJSON()` writes it. Raises `WrongPasskey`."""
        with _refusing():
            content = json.loads(text)
            response = content["response"]
            said = parse_client_data_json(base64url_to_bytes(response["clientDataJSON"]))
            return cls(
                content,
                bytes_to_base64url(base64url_to_bytes(content["rawId"])),
                bytes_to_base64url(said.challenge),
                bytes_to_base64url(base64url_to_bytes(response.get("userHandle") or "")),
            )

    @property
    def credential_hash(self) -> str:
        return hashlib.sha256(base64url_to_bytes(self.credential_id)).hexdigest()


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that an authenticator has just made."""

    public_key: str
    counter: int
    transports: set[str]
    aaguid: str
    backed_up: bool


@dataclass(frozen=True, slots=True)
class Use:
    """A verified use of a passkey. `is_verified` says that the device also checked a finger, a face or a PIN."""

    counter: int
    backed_up: bool
    is_verified: bool


def read_new_key(answer: Answer, *, party: RelyingParty, challenge: bytes) -> NewKey:
    """Returns the key if the answer is right and the device has verified its owner. Raises `WrongPasskey`."""
    with _refusing():
        made = verify_registration_response(
            credential=answer.content,
            expected_challenge=challenge,
            expected_rp_id=party.domain,
            expected_origin=list(party.origins),
            require_user_verification=True,
        )
        said = answer.content["response"].get("transports") or []
        transports = {one for one in said if isinstance(one, str)} & TRANSPORTS
    if len(made.credential_id) > LONGEST_ID or len(made.credential_public_key) > LONGEST_KEY:
        raise WrongPasskey("too long")
    return NewKey(
        public_key=bytes_to_base64url(made.credential_public_key),
        counter=made.sign_count,
        transports=transports,
        aaguid=made.aaguid,
        backed_up=made.credential_backed_up,
    )


def check_use(
    answer: Answer,
    passkey: Passkey,
    *,
    party: RelyingParty,
    challenge: bytes,
    must_verify: bool = True,
) -> Use:
    """Returns what the answer says of this use, if the passkey gave it. Raises `WrongPasskey`, also of a device
    that has not verified its owner if it `must_verify`, and `CounterWentBack`."""
    with _refusing():
        used = verify_authentication_response(
            credential=answer.content,
            expected_challenge=challenge,
            expected_rp_id=party.domain,
            expected_origin=list(party.origins),
            credential_public_key=base64url_to_bytes(passkey.public_key),
            credential_current_sign_count=0,  # compared below, with an error of its own
            require_user_verification=must_verify,
        )
    before = int(passkey.counter)
    if used.new_sign_count <= before and (used.new_sign_count or before):
        raise CounterWentBack(f"{used.new_sign_count} after {before}")
    return Use(used.new_sign_count, used.credential_backed_up, used.user_verified)


@contextmanager
def _refusing() -> Iterator[None]:
    """Turns whatever a hostile answer makes the parsers of JSON, CBOR and certificates raise into `WrongPasskey`."""
    try:
        yield
    except Exception as error:
        raise WrongPasskey(str(error)) from error


SESSION_CHALLENGES = (
    "challenges"  # the newest first, each with the second until which it may be answered
)
CHALLENGE_SECONDS = 300
MOST = 3  # tabs that ask at the same time
BYTES = 32


def new_challenge(session: SessionBase) -> bytes:
    """Returns a challenge, and keeps it in the session."""
    challenge = secrets.token_bytes(BYTES)
    kept = [bytes_to_base64url(challenge), int(time.time()) + CHALLENGE_SECONDS]
    session[SESSION_CHALLENGES] = [kept, *_alive(session)][:MOST]
    return challenge


def take_challenge(session: SessionBase, answer: Answer) -> bytes:
    """Returns the challenge that the answer says it answers, and takes it out of the session. Raises `WrongPasskey` if
    this browser was not asked it, or too long ago."""
    alive = _alive(session)
    session[SESSION_CHALLENGES] = [kept for kept in alive if kept[0] != answer.challenge]
    if len(session[SESSION_CHALLENGES]) == len(alive):
        raise WrongPasskey("not asked here, or too long ago")
    return base64url_to_bytes(answer.challenge)


def use_up(challenge: bytes) -> Create:
    """Returns the action that uses a challenge up, for the transaction of what it proves. That transaction raises
    `WrongPasskey` if it was used before."""
    used = UsedChallenge.new(
        challenge_hash=hashlib.sha256(challenge).hexdigest(),
        use=secrets.token_urlsafe(8),
        ttl=utc_now() + timedelta(seconds=2 * CHALLENGE_SECONDS),
    )
    return Create(used, otherwise=WrongPasskey)


def _alive(session: SessionBase) -> list[list[object]]:
    now = time.time()
    return [kept for kept in session.get(SESSION_CHALLENGES, []) if kept[1] > now]


MOST_PASSKEYS = 20


@dataclass(frozen=True, slots=True)
class PasskeyRow:
    """One passkey. `used` is None until it was used, and `is_synced` says that it is on other devices too."""

    credential_hash: str
    credential_id: str
    transports: tuple[str, ...]
    name: str
    added: date
    used: date | None
    is_synced: bool

    @classmethod
    def from_raw(cls, raw: RawItem) -> Self:
        """Builds it from a raw `Passkey`."""
        passkey = row(Passkey, raw)
        return cls(
            credential_hash=passkey.credential_hash,
            credential_id=passkey.credential_id,
            transports=tuple(passkey.transports),
            name=isolated(passkey.name),
            added=datetime.fromisoformat(passkey.created).date(),
            used=datetime.fromisoformat(passkey.used).date() if passkey.used else None,
            is_synced=passkey.backed_up,
        )


@dataclass(frozen=True, slots=True)
class Keyring:
    """Someone's passkeys, the oldest first, with their two-step verification. `user_handle` is empty before the first
    passkey."""

    factor: SecondFactor
    user_handle: str = ""
    passkeys: tuple[PasskeyRow, ...] = ()

    @property
    def is_full(self) -> bool:
        return len(self.passkeys) >= MOST_PASSKEYS

    def find(self, credential_hash: str) -> PasskeyRow:
        """Returns one of them. Raises `NotFound`."""
        for passkey in self.passkeys:
            if passkey.credential_hash == credential_hash:
                return passkey
        raise NotFound("no such passkey")


@access_pattern
def get_keyring(user_id: str) -> Keyring:
    """Returns someone's passkeys. One consistent Query of `u#<id>#auth`, which holds Credentials too: 1 read unit for
    each 8 or so."""
    raws = list(query(keys.ways_in(user_id), consistent=True))
    place = keys.credentials(user_id).sk
    credentials = next((raw for raw in raws if raw["SK"]["S"] == place), {})
    passkeys = [raw for raw in raws if raw["SK"]["S"] != place]
    passkeys.sort(key=lambda raw: row(Passkey, raw).created)
    return Keyring(
        SecondFactor.from_raw(user_id, credentials),
        row(Credentials, credentials).user_handle,
        tuple(map(PasskeyRow.from_raw, passkeys)),
    )


SITE = "socialsite"
MILLISECONDS = CHALLENGE_SECONDS * 1000


def to_make_one(
    viewer: Viewer, party: RelyingParty, challenge: bytes, *, user_handle: str, keyring: Keyring
) -> str:
    """Asks for a new passkey that finds its account by itself and verifies its owner. Authenticators that hold one of
    the keyring refuse to make another."""
    return options_to_json(
        generate_registration_options(
            rp_id=party.domain,
            rp_name=SITE,
            user_name=viewer.handle,
            user_display_name=viewer.name,
            user_id=base64url_to_bytes(user_handle),
            challenge=challenge,
            timeout=MILLISECONDS,
            exclude_credentials=_descriptors(keyring.passkeys),
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.REQUIRED,
            ),
        )
    )


def offer_passkey(
    request: HttpRequest, *, of: Iterable[PasskeyRow] = (), must_verify: bool = True
) -> str:
    """Returns what `to_use_one` asks, for the form of a page, with a new challenge. Empty where passkeys do not
    work."""
    party = relying_party(request)
    if party is None:
        return ""
    return to_use_one(party, new_challenge(request.session), of=of, must_verify=must_verify)


def to_use_one(
    party: RelyingParty,
    challenge: bytes,
    *,
    of: Iterable[PasskeyRow] = (),
    must_verify: bool = True,
) -> str:
    """Asks for any passkey of this site, which names no account, or for one `of` an account that is known already.
    After the password a touch is enough, so `must_verify` is off."""
    return options_to_json(
        generate_authentication_options(
            rp_id=party.domain,
            challenge=challenge,
            timeout=MILLISECONDS,
            allow_credentials=_descriptors(of),
            user_verification=UserVerificationRequirement.REQUIRED
            if must_verify
            else UserVerificationRequirement.DISCOURAGED,
        )
    )


def to_forget_others(party: RelyingParty, keyring: Keyring) -> str:
    """Tells the browser which passkeys still work, so that password managers can hide the others."""
    return json.dumps(
        {
            "rpId": party.domain,
            "userId": keyring.user_handle,
            "allAcceptedCredentialIds": [one.credential_id for one in keyring.passkeys],
        }
    )


def _descriptors(passkeys: Iterable[PasskeyRow]) -> list[PublicKeyCredentialDescriptor]:
    return [
        PublicKeyCredentialDescriptor(
            id=base64url_to_bytes(one.credential_id),
            transports=[AuthenticatorTransport(name) for name in one.transports],
        )
        for one in passkeys
    ]
