"""The key by which push services know this site (VAPID, RFC 8292), made at the first start of the pusher.

It is for this place alone: this table, at this address. A copy of the table under another name or address finds no key
of its own, makes one, and sends to nobody, as each subscription says for which key it was made. Browsers compare the
public half at each visit and renew what is for an earlier one (`static/js/push_visit.js`).
"""

import hashlib
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import parseaddr

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings

from accounts.encryption.site_keys import decrypt, encrypt, is_current
from notifications.models import PushKey
from notifications.push.encryption import (
    CURVE,
    authorization,
    encoded,
    point_of,
    signed_token,
)
from notifications.push.services import Service
from socialsite.table import (
    AlreadyExists,
    Key,
    NotFound,
    access_pattern,
    as_model,
    change,
    create,
    get,
    keys,
    query,
    write_batch,
)
from socialsite.table.connection import table_name

PURPOSE = "push"
ATTRIBUTE = "private"
PLACE = KEY_ID = 16  # hexadecimal digits
MOST_TOKENS = 1_000
TOKEN_SECONDS = 12 * 3600  # that a token is used
EXPIRES_AFTER = 18 * 3600  # push services take 24 hours at most


class NoKeyFits(Exception):
    """The site's key is there, and none of the settings opens it."""


@dataclass(slots=True)
class SiteKey:
    """The key, open. Tokens are kept for 12 hours, one for each origin."""

    private: ec.EllipticCurvePrivateKey = field(repr=False)
    public: str = ""
    _tokens: dict[str, tuple[float, str]] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def __post_init__(self) -> None:
        self.public = encoded(point_of(self.private.public_key()))

    @property
    def key_id(self) -> str:
        return key_id_of(self.public)

    def header(self, service: Service) -> str:
        """Returns the header `Authorization` for a push service."""
        now, origin = time.time(), service.origin
        with self._lock:
            until, token = self._tokens.get(origin, (0.0, ""))
            if until <= now:
                if len(self._tokens) >= MOST_TOKENS:  # hosts that a stranger made up
                    self._tokens.clear()
                expires = int(now) + EXPIRES_AFTER
                token = signed_token(
                    self.private, audience=origin, expires=expires, contact=_contact()
                )
                self._tokens[origin] = now + TOKEN_SECONDS, token
        return authorization(token, self.public)


def key_id_of(public: str) -> str:
    """Returns what a subscription says of the key that it was made for."""
    return hashlib.sha256(public.encode()).hexdigest()[:KEY_ID]


def place_of_site() -> str:
    """Returns the place for which a key is: this table at this address."""
    return hashlib.sha256(f"{table_name()} {settings.SITE_URL}".encode()).hexdigest()[:PLACE]


def _contact() -> str:
    """Push services take an address of letters or https. Apple's takes no other."""
    address = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    return settings.SITE_URL if settings.SITE_URL.startswith("https:") else f"mailto:{address}"


@access_pattern
def open_site_key() -> SiteKey:
    """Returns the site's key, and makes it at the first start. Raises `NoKeyFits` where no `DATA_KEY` of the settings
    opens it.

    One consistent GetItem, 1 read unit; 1 write unit for a new one.
    """
    key = keys.push_key(place_of_site())
    with suppress(NotFound):
        return _opened(get(PushKey, key, consistent=True))
    with suppress(AlreadyExists):  # another process was quicker
        create(_new_key())
    return _opened(get(PushKey, key, consistent=True))


@access_pattern
def replace_site_key() -> None:
    """Makes another key for this place. What is subscribed for the earlier one gets no more, until each browser renews
    it at its next visit. One BatchWriteItem, 1 write unit."""
    write_batch(puts=[_new_key()])


@access_pattern
def reencrypt_site_keys() -> None:
    """Encrypts the keys of all places with the current `DATA_KEY`. Safe to repeat. One consistent Query, 1 read unit,
    and 1 write unit for each that was encrypted with an earlier one. A key that nothing opens stays."""
    for raw in query(keys.push_keys(), consistent=True):
        stored = as_model(PushKey, raw)
        if not is_current(stored.private):
            with suppress(InvalidTag, NotFound):
                sealed = PushKey.private.set(_sealed(_text_of(stored), stored.key))
                unchanged = PushKey.private == stored.private
                change(PushKey, stored.key, [sealed], condition=unchanged)


def _new_key() -> PushKey:
    place = place_of_site()
    number = ec.generate_private_key(CURVE).private_numbers().private_value
    return PushKey.new(place=place, private=_sealed(f"{number:x}", keys.push_key(place)))


def _opened(stored: PushKey) -> SiteKey:
    """Opens a key. One that does not open stays: the `DATA_KEY` may be the wrong one, and a new key of the site ends
    what all browsers gave."""
    try:
        number = int(_text_of(stored), 16)
    except InvalidTag as error:
        raise NoKeyFits(
            "No DATA_KEY of the settings opens the key that signs pushes. Set the one it was made with, "
            "or run `manage.py run_pusher --new-key`: then browsers renew what they gave at their next visit."
        ) from error
    return SiteKey(ec.derive_private_key(number, CURVE))


def _text_of(stored: PushKey) -> str:
    return decrypt(stored.private, purpose=PURPOSE, key=stored.key, attribute=ATTRIBUTE)


def _sealed(text: str, key: Key) -> str:
    return encrypt(text, purpose=PURPOSE, key=key, attribute=ATTRIBUTE)
