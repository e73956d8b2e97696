"""Names of people that a letter carries and brings back: in the link that ends letters of its kind, and in the address
to which it returns if it cannot be delivered.

Each says whom it is about and what for, and is signed, so nobody can make one for someone else. It has no end: a letter
may lie in a mailbox for years. Keys that were retired meanwhile still count (`accounts/encryption/site_keys.py`).
"""

import base64
import hashlib
import hmac

from django.conf import settings

from accounts.encryption.site_keys import LETTERS, secrets_for
from accounts.mail.choices import Regular
from socialsite.data_keys import current_key
from socialsite.table import ids

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


def return_address(user_id: str) -> str:
    """Returns the address to which letters to this person come back, empty where the site has none (`MAIL_RETURN`)."""
    local, at, domain = settings.MAIL_RETURN.rpartition("@")
    return f"{local}+{_sign(RETURN, user_id).lower()}{at}{domain}" if at else ""


def read_return_address(address: str) -> str:
    """Returns the person to whom a letter went that came back to this address. Raises `BadSignature`."""
    local, _, domain = address.strip().strip("<>").rpartition("@")
    base, _, token = local.rpartition("+")
    ours, _, our_domain = settings.MAIL_RETURN.rpartition("@")
    if not our_domain or (base.lower(), domain.lower()) != (ours.lower(), our_domain.lower()):
        raise BadSignature(address)
    code, user_id = _read(token.lower()[:1] + token[1:].upper())  # as mail servers may change it
    if code != RETURN:
        raise BadSignature(address)
    return user_id


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
