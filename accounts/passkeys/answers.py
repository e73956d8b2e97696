"""What a browser sends when a passkey is made or used: read here, and verified against challenge, domain and key."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Self

from webauthn import verify_authentication_response, verify_registration_response
from webauthn.helpers import (
    base64url_to_bytes,
    bytes_to_base64url,
    parse_client_data_json,
)
from webauthn.helpers.structs import AuthenticatorTransport

from accounts.models import Passkey
from accounts.passkeys.relying_party import RelyingParty
from socialsite.table.errors import TableError

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
