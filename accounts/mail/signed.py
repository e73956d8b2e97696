"""Names of people that a letter carries and brings back: in the link that ends letters of its kind, and in the address
to which it returns if it cannot be delivered.

Each says whom it is about and what for, and is signed, so nobody can make one for someone else. It has no end: a letter
may lie in a mailbox for years. Keys that were retired meanwhile still count (`accounts/encryption/site_keys.py`).
"""

import base64
import hashlib
import hmac

from django.conf import settings

from accounts.encryption.emails import decrypt_email, normalize_email
from accounts.encryption.site_keys import LETTERS, secrets_for
from accounts.mail.choices import Regular
from accounts.models import Credentials
from socialsite.data_keys import current_key
from socialsite.table import access_pattern, fetch, ids, keys, row

CODES = {Regular.DIGEST: "d", Regular.UNREAD: "u", Regular.STAFF: "s"}
RETURN = "r"
SIGNED = 10  # bytes; the name before the @ of an address has room for 64 letters in all
LETTERS_OF_MAC = 16


class BadSignature(ValueError):
    """It was altered, or never made by this site."""


def unsubscribe_token(letter: Regular, user_id: str) -> str:
    """Returns what the link says that ends this letter for this person."""
    return _sign(CODES[letter], user_id)


def read_unsubscribe_token(token: str) -> tuple[Regular, str]:
    """Returns letter and person of a link. Raises `BadSignature`. 1 read unit if no key of the settings made it."""
    code, user_id = _read(token)
    for letter, its_code in CODES.items():
        if code == its_code:
            return letter, user_id
    raise BadSignature(token)


def return_address(user_id: str, address: str) -> str:
    """Returns the address to which a letter comes back that went to this address of a person, empty where the site has
    none (`MAIL_RETURN`)."""
    return (
        _returned_to(current_key().secret(LETTERS), user_id, address)
        if settings.MAIL_RETURN
        else ""
    )


def person_of_return_address(address: str) -> str:
    """Returns whom a return address names, empty if it names nobody."""
    local = address.strip().strip("<>").rpartition("@")[0]
    user_id = local.rpartition("+")[2][: ids.LENGTH].upper()
    return user_id if ids.is_id(user_id) else ""


@access_pattern
def is_return_address_of(user_id: str, address: str) -> bool:
    """Whether this site made the return address, for this person and the address that they have now. Those of letters
    to an earlier one are not. Mail servers may have changed the case.

    One consistent BatchGetItem of Credentials, 1 read unit, 0.5 for the person's key, and 1 for retired keys.
    """
    key = keys.credentials(user_id)
    own = row(Credentials, fetch([key], consistent=True).get(key, {}))
    if not own.email:
        return False
    at_hand = decrypt_email(own.email, user_id=user_id)
    sent_to = address.strip().strip("<>").lower().encode()
    return any(
        hmac.compare_digest(sent_to, _returned_to(secret, user_id, at_hand).encode())
        for secret in secrets_for(LETTERS)
    )


def _returned_to(secret: bytes, user_id: str, address: str) -> str:
    local, _, domain = settings.MAIL_RETURN.rpartition("@")
    mac = _mac(secret, f"{RETURN}{normalize_email(address)}", user_id)
    return f"{local}+{user_id}{mac}@{domain}".lower()


def _sign(code: str, user_id: str) -> str:
    return f"{code}{user_id}{_mac(current_key().secret(LETTERS), code, user_id)}"


def _read(token: str) -> tuple[str, str]:
    code, user_id, mac = token[:1], token[1 : 1 + ids.LENGTH], token[1 + ids.LENGTH :]
    is_shaped = token.isascii() and ids.is_id(user_id) and len(mac) == LETTERS_OF_MAC
    if is_shaped and any(
        hmac.compare_digest(mac, _mac(secret, code, user_id)) for secret in secrets_for(LETTERS)
    ):
        return code, user_id
    raise BadSignature(token)


def _mac(secret: bytes, code: str, user_id: str) -> str:
    """Returns a signature of capital letters and digits: some mail servers write addresses in lower case."""
    made = hmac.new(secret, f"{code}|{user_id}".encode(), hashlib.sha256).digest()
    return base64.b32encode(made[:SIGNED]).rstrip(b"=").decode()
