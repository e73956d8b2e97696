"""E-mail addresses: found by a keyed hash, kept encrypted.

The table never holds an address that can be read: `email#<hmac>` makes it unique and finds its account, and the
address itself is encrypted for the place where it stands, so that a copy in another item does not decrypt.
"""

import base64
import hashlib
import hmac
import os

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

from socialsite.table import keys

NONCE_BYTES = 12


def normalize_email(address: str) -> str:
    """One spelling per mailbox: the domain, and for looking it up also the part before @, in lower case."""
    return address.strip().lower()


def email_hmac(address: str) -> str:
    normal = normalize_email(address).encode()
    return hmac.new(_key("look-up"), normal, hashlib.sha256).hexdigest()


def encrypt_email(address: str, *, user_id: str) -> str:
    nonce = os.urandom(NONCE_BYTES)
    sealed = AESGCM(_key("encryption")).encrypt(nonce, address.encode(), _place(user_id))
    return base64.b64encode(nonce + sealed).decode()


def decrypt_email(sealed: str, *, user_id: str) -> str:
    """Raises `cryptography.exceptions.InvalidTag` if it was altered or belongs to somebody else."""
    raw = base64.b64decode(sealed)
    nonce, text = raw[:NONCE_BYTES], raw[NONCE_BYTES:]
    return AESGCM(_key("encryption")).decrypt(nonce, text, _place(user_id)).decode()


def _place(user_id: str) -> bytes:
    return "|".join([*keys.credentials(user_id), "email"]).encode()


def _key(purpose: str) -> bytes:
    secret = settings.DATA_KEY.encode()
    return hmac.new(secret, f"e-mail {purpose}".encode(), hashlib.sha256).digest()
