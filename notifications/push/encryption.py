"""The words of a push, encrypted for one browser (RFC 8291), and the header by which a push service knows the site (RFC
8292). Pure functions: which key is used, `site_key.py` says."""

import base64
import binascii
import hmac
import json
import os
from dataclasses import dataclass

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
POINT = 65  # bytes of an uncompressed point
AUTH = 16  # bytes of a browser's secret
SALT = 16
RECORD = 4096  # bytes; there is one
LAST = b"\x02"  # the delimiter of the last record
MOST_WORDS = 3_000  # bytes: push services take 4,096 encrypted ones
COORDINATE = 32
TOPIC = 18  # bytes, which are 24 letters; push services take 32


class BadKeys(ValueError):
    """A browser's keys are none."""


@dataclass(frozen=True, slots=True)
class BrowserKeys:
    """What a browser gave to encrypt for it: its public key, a point, and its secret."""

    point: bytes
    auth: bytes

    @classmethod
    def from_text(cls, p256dh: str, auth: str) -> "BrowserKeys":
        """Reads both as `PushSubscription.toJSON()` writes them. Raises `BadKeys`."""
        keys = cls(decoded(p256dh), decoded(auth))
        if len(keys.point) != POINT or len(keys.auth) != AUTH:
            raise BadKeys("not as long as keys are")
        try:
            ec.EllipticCurvePublicKey.from_encoded_point(CURVE, keys.point)
        except ValueError as error:
            raise BadKeys("no point of the curve") from error
        return keys

    def name_for(self, topic: str) -> str:
        """Returns what a push service, which reads it in clear, is told in place of a topic: the same for the same one,
        and another for each device."""
        return encoded(hmac.digest(self.auth, topic.encode(), "sha256")[:TOPIC])


def encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def decoded(text: str) -> bytes:
    """Returns the bytes of base64url with or without its padding. Raises `BadKeys`."""
    bare = text.rstrip("=")
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error) as error:
        raise BadKeys("not base64url") from error


def point_of(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encrypt_for(
    browser: BrowserKeys,
    words: bytes,
    *,
    own: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes = b"",
) -> bytes:
    """Returns the body of a push: one record of `aes128gcm`. Key and salt are new each time, but where a test gives
    them."""
    own, salt = own or ec.generate_private_key(CURVE), salt or os.urandom(SALT)
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, browser.point)
    point = point_of(own.public_key())
    info = b"WebPush: info\0" + browser.point + point
    secret = _derived(own.exchange(ec.ECDH(), theirs), salt=browser.auth, info=info, length=32)
    key = _derived(secret, salt=salt, info=b"Content-Encoding: aes128gcm\0", length=16)
    nonce = _derived(secret, salt=salt, info=b"Content-Encoding: nonce\0", length=12)
    head = salt + RECORD.to_bytes(4) + bytes([len(point)]) + point
    return head + AESGCM(key).encrypt(nonce, words + LAST, None)


def _derived(secret: bytes, *, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length=length, salt=salt, info=info).derive(secret)


def signed_token(
    private: ec.EllipticCurvePrivateKey, *, audience: str, expires: int, contact: str
) -> str:
    """Returns a JWT with ES256 for one push service. `contact` is where its operator reaches the site's."""
    head = _json({"typ": "JWT", "alg": "ES256"})
    claims = _json({"aud": audience, "exp": expires, "sub": contact})
    signed = f"{encoded(head)}.{encoded(claims)}"
    r, s = decode_dss_signature(private.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    return f"{signed}.{encoded(r.to_bytes(COORDINATE) + s.to_bytes(COORDINATE))}"


def authorization(token: str, public: str) -> str:
    """Returns the header. Some readers refuse a blank behind the comma."""
    return f"vapid t={token},k={public}"


def _json(value: dict[str, object]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
