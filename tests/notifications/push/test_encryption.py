"""What is sent is encrypted as RFC 8291 says, and signed as RFC 8292 says: its own example, and a second
implementation."""

import base64
import json
import time

import http_ece
import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from notifications.push.encryption import (
    CURVE,
    BadKeys,
    BrowserKeys,
    decoded,
    encoded,
    encrypt_for,
    point_of,
)
from notifications.push.services import service_of
from notifications.push.site_key import SiteKey
from tests.notifications.push.services import Browser

# RFC 8291, appendix A
WORDS = "When I grow up, I want to be a watermelon"
THEIR_PUBLIC = (
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
)
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
OUR_PRIVATE = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
BODY = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"  # noqa: E501


def number(text: str) -> int:
    return int.from_bytes(decoded(text))


def test_the_example_of_the_standard_comes_out():
    body = encrypt_for(
        BrowserKeys.from_text(THEIR_PUBLIC, AUTH),
        WORDS.encode(),
        own=ec.derive_private_key(number(OUR_PRIVATE), CURVE),
        salt=decoded(SALT),
    )
    assert encoded(body) == BODY


def test_another_implementation_reads_it():
    browser = Browser("https://updates.push.services.mozilla.com/x")
    keys = BrowserKeys.from_text(browser.p256dh, encoded(browser.auth))
    assert browser.read(encrypt_for(keys, '{"title": "Grüße 陈"}'.encode())) == {
        "title": "Grüße 陈"
    }


def test_no_two_are_alike_and_an_altered_one_is_not_read():
    browser = Browser("https://updates.push.services.mozilla.com/x")
    keys = BrowserKeys.from_text(browser.p256dh, encoded(browser.auth))
    one, other = encrypt_for(keys, b"{}"), encrypt_for(keys, b"{}")
    assert one != other
    with pytest.raises((InvalidTag, http_ece.ECEException)):
        browser.read(one[:-1] + bytes([one[-1] ^ 1]))


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [
        ("", AUTH),
        (THEIR_PUBLIC, ""),
        (THEIR_PUBLIC, THEIR_PUBLIC),
        (encoded(b"\x04" + b"\x01" * 64), AUTH),  # no point of the curve
        (encoded(b"\x02" + decoded(THEIR_PUBLIC)[1:33]), AUTH),  # a compressed one
        ("no base64!", AUTH),
        ("ü" * 87, AUTH),
    ],
)
def test_what_are_no_keys_of_a_browser_are_refused(p256dh, auth):
    with pytest.raises(BadKeys):
        BrowserKeys.from_text(p256dh, auth)


def token_in(header: str) -> tuple[dict[str, object], bool]:
    """The claims of a header, and whether its own key signed them."""
    assert header.startswith("vapid t=")
    token, public = header.removeprefix("vapid t=").split(",k=")
    signed, _, signature = token.rpartition(".")
    raw = decoded(signature)
    point = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decoded(public))
    r, s = int.from_bytes(raw[:32]), int.from_bytes(raw[32:])
    point.verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(hashes.SHA256()))
    head, claims = (json.loads(decoded(part)) for part in signed.split("."))
    assert head == {"typ": "JWT", "alg": "ES256"}
    return claims, len(raw) == 64


def test_a_push_service_can_tell_who_sends(settings):
    settings.SITE_URL = "https://social.example"
    key = SiteKey(ec.generate_private_key(CURVE))
    claims, has_length = token_in(key.header(service_of("https://web.push.apple.com/abc")))
    assert has_length
    assert claims["aud"] == "https://web.push.apple.com"
    assert claims["sub"] == "https://social.example"
    assert 12 * 3600 < int(str(claims["exp"])) - time.time() < 24 * 3600
    assert base64.urlsafe_b64decode(key.public + "=") == point_of(key.private.public_key())


def test_a_token_serves_twelve_hours_for_one_service(monkeypatch):
    key, now = SiteKey(ec.generate_private_key(CURVE)), [time.time()]
    monkeypatch.setattr("notifications.push.site_key.time.time", lambda: now[0])
    mozilla = service_of("https://updates.push.services.mozilla.com/a")
    first = key.header(mozilla)
    assert key.header(service_of("https://updates.push.services.mozilla.com/b")) == first
    assert key.header(service_of("https://fcm.googleapis.com/b")) != first
    now[0] += 12 * 3600 - 1
    assert key.header(mozilla) == first
    now[0] += 2
    assert key.header(mozilla) != first
