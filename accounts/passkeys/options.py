"""What a page asks the browser for, as JSON for `static/js/passkeys.js`."""

import json
from collections.abc import Iterable

from django.http import HttpRequest
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
)
from webauthn.helpers import base64url_to_bytes
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    AuthenticatorTransport,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from accounts.passkeys.challenges import SECONDS, new_challenge
from accounts.passkeys.keyring import Keyring, PasskeyRow
from accounts.passkeys.relying_party import RelyingParty, relying_party
from accounts.viewer import Viewer

SITE = "socialsite"
MILLISECONDS = SECONDS * 1000


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
