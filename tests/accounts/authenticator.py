"""A device with passkeys, in software: what a phone or a security key answers, and what it would never answer."""

import hashlib
import json
import secrets
import struct
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from django.http import HttpResponse
from django.test import Client
from webauthn.helpers import bytes_to_base64url

from accounts.models import Passkey
from accounts.people.viewer import Viewer
from socialsite.table import get, keys
from tests.conftest import PASSWORD
from tests.looks import broken_invariants
from tests.web.html import Html

PAGE, ADD = "/settings/passkeys", "/settings/passkeys/add"
PRESENT, VERIFIED, SYNCABLE, SYNCED, HAS_KEY = 0x01, 0x04, 0x08, 0x10, 0x40


@dataclass
class Key:
    """One passkey on the device."""

    private: ec.EllipticCurvePrivateKey
    credential_id: bytes
    user_handle: str = ""
    count: int = 0

    @property
    def credential_hash(self) -> str:
        return hashlib.sha256(self.credential_id).hexdigest()


@dataclass
class Authenticator:
    """Answers what a page asks. `step` is what each use adds to the counter: 0 as synced passkeys do."""

    origin: str = "http://localhost"
    domain: str = "localhost"
    verifies: bool = True
    step: int = 1
    is_synced: bool = False
    keys: list[Key] = field(default_factory=list)

    def make(self, options: dict[str, Any], **differing: Any) -> str:
        """A new passkey, as the form sends it."""
        number = secrets.token_bytes(20)
        key = Key(ec.generate_private_key(ec.SECP256R1()), number, options["user"]["id"])
        self.keys.append(key)
        point = key.private.public_key().public_numbers()
        x, y = (part.to_bytes(32, "big") for part in (point.x, point.y))
        public = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})
        made = bytes(16) + struct.pack(">H", len(number)) + number + public
        data = self._data(key, extra=made, **differing)
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        said = self._said("webauthn.create", options["challenge"], **differing)
        response = {
            "clientDataJSON": bytes_to_base64url(said),
            "attestationObject": bytes_to_base64url(attestation),
            "transports": ["internal", "made-up"],
        }
        return _as_json(key, response)

    def use(self, options: dict[str, Any], key: Key | None = None, **differing: Any) -> str:
        """The answer of a passkey, the newest unless one is given."""
        key = key or self.keys[-1]
        key.count += self.step
        data = self._data(key, **differing)
        said = self._said("webauthn.get", options["challenge"], **differing)
        signed = data + hashlib.sha256(said).digest()
        response = {
            "clientDataJSON": bytes_to_base64url(said),
            "authenticatorData": bytes_to_base64url(data),
            "signature": bytes_to_base64url(key.private.sign(signed, ec.ECDSA(hashes.SHA256()))),
            "userHandle": differing.get("user_handle", key.user_handle),
        }
        return _as_json(key, response)

    def _data(self, key: Key, extra: bytes = b"", **differing: Any) -> bytes:
        flags = PRESENT | (HAS_KEY if extra else 0)
        flags |= VERIFIED if differing.get("verifies", self.verifies) else 0
        flags |= SYNCABLE | SYNCED if self.is_synced else 0
        domain = differing.get("domain", self.domain)
        counted = struct.pack(">BI", flags, key.count)
        return hashlib.sha256(domain.encode()).digest() + counted + extra

    def _said(self, kind: str, challenge: str, **differing: Any) -> bytes:
        origin = differing.get("origin", self.origin)
        return json.dumps(
            {"type": kind, "challenge": challenge, "origin": origin, "crossOrigin": False}
        ).encode()


def _as_json(key: Key, response: dict[str, Any]) -> str:
    number = bytes_to_base64url(key.credential_id)
    return json.dumps(
        {
            "id": number,
            "rawId": number,
            "type": "public-key",
            "response": response,
            "clientExtensionResults": {},
        }
    )


def asked(answer: Any) -> dict[str, Any]:
    """What a page asks the browser for."""
    form = Html(answer).one("form", id="passkey")
    return dict(json.loads(form["data-options"]))


def prove(browser: Client) -> Client:
    """The browser, in which its person has just confirmed who they are."""
    assert browser.post("/confirm", {"password": PASSWORD}).status_code == 302
    return browser


def add_passkey(browser: Client, device: Authenticator, name: str = "Phone") -> Key:
    """Adds one of the device's passkeys in a browser that has a fresh proof."""
    form = {"name": name, "credential": device.make(asked(browser.get(ADD)))}
    assert browser.post(ADD, form)["Location"] == "/settings/passkeys"
    return device.keys[-1]


def add_to(viewer: Viewer, device: Authenticator, browser: Client) -> Key:
    """The same for a browser in which the person is signed in, and then signs out."""
    key = add_passkey(prove(browser), device)
    browser.post("/logout")
    return key


def sign_in(device: Authenticator, browser: Client | None = None, **differing: Any) -> Any:
    """What the sign-in page answers to the device's newest passkey."""
    browser = browser or Client()
    answer = device.use(asked(browser.get("/login")), **differing)
    return browser.post("/login/passkey", {"credential": answer})


def kept(viewer: Viewer, key: Key) -> Passkey:
    """The item of a passkey."""
    return get(Passkey, keys.passkey(viewer.user_id, key.credential_hash), consistent=True)


def names(browser: Client) -> list[str]:
    """The passkeys that the page lists."""
    rows = Html(browser.get(PAGE)).all("li", class_="passkey")
    return [row.text.partition(" Added on")[0] for row in rows]


def remove(browser: Client, key: Key) -> HttpResponse:
    return browser.post(f"{PAGE}/remove?passkey={key.credential_hash}")


def broken() -> set[str]:
    """The rules about passkeys that the table breaks."""
    return {rule for rule in broken_invariants() if "passkey" in rule}
