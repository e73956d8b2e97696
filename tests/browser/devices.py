"""An authenticator that Chromium plays, with its passkeys."""

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import CDPSession, Page


@dataclass
class Device:
    """The authenticator of one browser."""

    session: CDPSession
    number: str

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self.session.send(
            f"WebAuthn.{method}", {"authenticatorId": self.number} | parameters
        )

    def verifies(self, yes: bool) -> None:
        self.send("setUserVerified", isUserVerified=yes)

    def keys(self) -> list[dict[str, Any]]:
        return list(self.send("getCredentials")["credentials"])


def device_of(page: Page, *, is_synced: bool = False) -> Device:
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable", {"enableUI": False})
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
        "defaultBackupEligibility": is_synced,
        "defaultBackupState": is_synced,
    }
    made = session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return Device(session, made["authenticatorId"])
