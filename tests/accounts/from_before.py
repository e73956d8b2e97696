"""Accounts as they were before people had data keys: private values encrypted with the site's key, as strings."""

import base64
import os

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from accounts.credentials import second_factor
from accounts.encryption.emails import PURPOSE, decrypt_email
from accounts.encryption.person_keys import erase_person_key
from accounts.encryption.site_keys import encrypt
from accounts.models import Credentials
from accounts.people.viewer import Viewer
from socialsite.data_keys import current_key
from socialsite.table import change, keys
from tests.accounts.codes import credentials


def make_from_before(viewer: Viewer) -> None:
    """Turns an account of today into one of version 1: without a key, its values encrypted with the site's."""
    key, stored = keys.credentials(viewer.user_id), credentials(viewer)
    address = decrypt_email(stored.email, user_id=viewer.user_id)
    old = encrypt(address, purpose=PURPOSE, key=key, attribute="email")
    actions = [Credentials.email.set({"S": old})]
    if stored.totp:
        secret = second_factor.decrypt_secret(stored.totp, user_id=viewer.user_id)
        old = encrypt(secret, purpose=second_factor.PURPOSE, key=key, attribute="totp")
        actions.append(Credentials.totp.set({"S": old}))
    change(Credentials, key, actions)
    erase_person_key(viewer.user_id)


def encrypted_before_keys_had_ids(address: str, user_id: str) -> str:
    nonce = os.urandom(12)
    place = "|".join([*keys.credentials(user_id), "email"]).encode()
    secret = current_key().secret(f"{PURPOSE} encryption")
    return base64.b64encode(nonce + AESGCM(secret).encrypt(nonce, address.encode(), place)).decode()
