"""Two-step verification: a code that changes every half minute (TOTP, RFC 6238), or one of ten recovery codes.

It is asked for at sign-in and on staff pages (`../guards.py`), and turned on and off in `security/writes.py`.
"""

import re
import secrets
import time
from dataclasses import dataclass
from typing import Self

import pyotp
import segno
from pynamodb.expressions.update import Action

from accounts.encryption.person_keys import OpenKey, private_text
from accounts.encryption.site_keys import RECOVERY_CODES as RECOVERY_CODE_USE
from accounts.encryption.site_keys import encrypt, hash_with, secrets_for
from accounts.models import Credentials, Sealed
from socialsite.data_keys import current_key
from socialsite.table import Change, RawItem, TableError, access_pattern, fetch, keys, row

PURPOSE = "second factor"
ATTRIBUTE = "totp"
STAMP_USE = "second factor stamp"
ISSUER = "socialsite"
SECONDS = 30  # seconds that a code is valid, one step
DRIFT = 1  # steps that someone's clock may be off
TIMED_CODE = re.compile(r"[0-9]{6}")
RECOVERY_CODES = 10
RECOVERY_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that look alike
RECOVERY_LENGTH = 10


class WrongCode(TableError):
    """The code is neither the current one nor a recovery code, or it was already used."""


@dataclass(frozen=True, slots=True)
class SecondFactor:
    """What `Credentials` say about someone's two-step verification. Without an encrypted key it is off. `passkeys` is
    how many they have: each of them proves as much, in another way (`passkeys.py`)."""

    user_id: str
    encrypted: Sealed = ""
    recovery: tuple[str, ...] = ()
    passkeys: int = 0

    @classmethod
    def from_raw(cls, user_id: str, raw: RawItem) -> Self:
        """Builds it from raw `Credentials`."""
        credentials = row(Credentials, raw)
        recovery, passkeys = tuple(credentials.recovery), int(credentials.passkeys)
        return cls(user_id, credentials.totp or "", recovery, passkeys)

    @property
    def is_on(self) -> bool:
        return bool(self.encrypted)

    @property
    def recovery_left(self) -> int:
        return len(self.recovery)

    def use(self, code: str, *, new_recovery: set[str] | None = None) -> Change:
        """Returns the action that uses up a code, for the transaction that needs the proof. Raises `WrongCode`. That
        transaction raises it too, if the code was used in the meantime.

        `new_recovery` replaces the hashes of the recovery codes in the same action.
        """
        typed = plain(code)
        recovery = Credentials.recovery
        renewed: list[Action] = [recovery.set(new_recovery)] if new_recovery else []
        if TIMED_CODE.fullmatch(typed):
            step = matching_step(decrypt_secret(self.encrypted, user_id=self.user_id), typed)
            last = Credentials.totp_step
            actions: list[Action] = [last.set(step), *renewed]
            condition = last.does_not_exist() | (last < step)
            condition &= Credentials.totp == self.encrypted
        else:
            hashed = self._stored_hash(typed)
            actions = renewed or [recovery.delete({hashed})]
            condition = recovery.contains(hashed)  # after a new set-up the codes are different
        return Change(
            Credentials,
            keys.credentials(self.user_id),
            actions,
            condition=condition,
            otherwise=WrongCode,
        )

    def _stored_hash(self, typed: str) -> str:
        """Returns the stored hash of a recovery code, made with this `DATA_KEY` or an earlier one."""
        text = _recovery_text(typed, self.user_id)
        for secret in secrets_for(RECOVERY_CODE_USE):
            if (hashed := hash_with(secret, text)) in self.recovery:
                return hashed
        raise WrongCode


@access_pattern
def get_second_factor(user_id: str, *, consistent: bool = False) -> SecondFactor:
    """Returns someone's two-step verification, with its remaining recovery codes. One BatchGetItem, 0.5 read units, 1
    if consistent."""
    key = keys.credentials(user_id)
    found = fetch([key], consistent=consistent)
    return SecondFactor.from_raw(user_id, found.get(key, {}))


def plain(code: str) -> str:
    """Returns the code without the spaces and dashes that people type, ready to compare."""
    return re.sub(r"[\s-]", "", code).lower()


def matching_step(secret: str, code: str, *, now: float | None = None) -> int:
    """Returns the time step that the code belongs to: this one, or a neighbour. Raises `WrongCode`."""
    totp = pyotp.TOTP(secret, interval=SECONDS)
    current = int((time.time() if now is None else now) // SECONDS)
    found = 0
    for step in range(current - DRIFT, current + DRIFT + 1):
        if secrets.compare_digest(totp.generate_otp(step), code):
            found = step
    if not found:
        raise WrongCode
    return found


def encrypt_new_secret(*, user_id: str) -> str:
    """Returns a new key for the time of the set-up, encrypted with the site's key: it is in no item yet."""
    secret = pyotp.random_base32()
    return encrypt(secret, purpose=PURPOSE, key=keys.credentials(user_id), attribute=ATTRIBUTE)


def seal_secret(secret: str, *, key: OpenKey) -> bytes:
    """Seals it for the Credentials of this key's person. The transaction that writes it includes `key.check()`."""
    return key.seal(secret, key=keys.credentials(key.user_id), attribute=ATTRIBUTE)


def decrypt_secret(encrypted: Sealed, *, user_id: str) -> str:
    """Returns the readable key. 0.5 read units if it is sealed, as `open_person_key`."""
    place = keys.credentials(user_id)
    return private_text(encrypted, user_id=user_id, purpose=PURPOSE, key=place, attribute=ATTRIBUTE)


def stamp_of_factor(encrypted: Sealed | None, *, user_id: str) -> str:
    """Returns what stays the same while two-step verification is the same, empty while it is off."""
    if not encrypted:
        return ""
    secret = decrypt_secret(encrypted, user_id=user_id)
    return hash_with(current_key().secret(STAMP_USE), f"{user_id}|{secret}")


def address_for_app(secret: str, *, handle: str) -> str:
    """Returns the `otpauth:` address for an authenticator app."""
    return pyotp.TOTP(secret, interval=SECONDS).provisioning_uri(name=handle, issuer_name=ISSUER)


def in_groups(secret: str) -> str:
    """Returns the key in groups that are easy to type. Apps accept it with and without the spaces."""
    return " ".join(secret[start : start + 4] for start in range(0, len(secret), 4))


def qr_code(text: str) -> str:
    """Returns a QR code of the text as a data address, dark on white in every theme."""
    return segno.make(text, error="m", micro=False).svg_data_uri(border=4, light="#fff", scale=5)


def make_recovery_codes() -> list[str]:
    """Returns ten new codes in readable form: `abcde-fghjk`."""
    half = RECOVERY_LENGTH // 2
    texts = [
        "".join(secrets.choice(RECOVERY_LETTERS) for _ in range(RECOVERY_LENGTH))
        for _ in range(RECOVERY_CODES)
    ]
    return [f"{text[:half]}-{text[half:]}" for text in texts]


def hash_recovery_code(code: str, *, user_id: str) -> str:
    secret = current_key().secret(RECOVERY_CODE_USE)
    return hash_with(secret, _recovery_text(code, user_id))


def _recovery_text(code: str, user_id: str) -> str:
    return f"{user_id}|{plain(code)}"
