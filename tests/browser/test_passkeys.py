"""Passkeys in a real browser, with an authenticator that Chromium plays: nothing here is signed by the tests."""

from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.browser import steps
from tests.browser.screens import SIZES
from tests.conftest import PASSWORD

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


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

    def answers_by_itself(self, yes: bool) -> None:
        """Whether it answers as soon as a page asks, as if someone touched it all the time."""
        self.send("setAutomaticPresenceSimulation", enabled=yes)

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


@pytest.fixture(autouse=True)
def here(settings, live_server) -> None:
    settings.PASSKEY_ORIGINS = [live_server.url]


def confirm(page: Page) -> None:
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm", exact=True).click()


def add(page: Page, name: str = "Laptop") -> None:
    """From the page of security to the list, with a proof on the way."""
    page.goto("/settings/security")
    page.get_by_role("link", name="Manage passkeys").click()
    page.get_by_role("link", name="Add a passkey").click()
    if page.get_by_label("Your password").count():
        confirm(page)
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Add a passkey").click()


def rows(page: Page):
    return page.locator(".passkey")


@pytest.mark.parametrize("size", SIZES)
def test_added_renamed_and_removed(alice, signed_in, size, look):
    page = signed_in(alice, viewport=size)
    device = device_of(page, is_synced=True)
    add(page)
    expect(steps.toast(page)).to_contain_text("Passkey added.")
    expect(rows(page)).to_contain_text("Synced between your devices")
    assert len(device.keys()) == 1
    assert look(page) == []
    page.get_by_role("link", name="Rename").click()
    page.get_by_label("Name").fill("Blue laptop")
    page.get_by_role("button", name="Rename").click()
    expect(rows(page)).to_contain_text("Blue laptop")
    page.get_by_role("link", name="Remove").click()
    assert look(page) == []
    page.get_by_role("button", name="Remove").click()
    expect(steps.toast(page)).to_contain_text("Passkey removed.")
    expect(rows(page)).to_have_count(0)


def test_a_device_that_has_one_says_so_and_one_that_cannot_verify_says_why(alice, signed_in, look):
    page = signed_in(alice)
    device = device_of(page)
    add(page)
    expect(rows(page)).to_have_count(1)
    add(page, "Again")
    note = page.get_by_role("status").filter(has_text="already has a passkey")
    expect(note).to_be_visible()
    assert look(page) == []
    device.send("clearCredentials")
    device.verifies(False)
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("status").filter(has_text="Nothing happened")).to_be_visible()
    page.goto("/settings/passkeys")
    expect(rows(page)).to_have_count(1)


def test_without_scripts_there_is_no_form_that_could_not_work(alice, signed_in):
    page = signed_in(alice, java_script_enabled=False)
    page.goto("/settings/passkeys/add")
    confirm(page)
    # Playwright switches scripts off too late for <noscript> to be shown.
    assert "Passkeys need JavaScript." in page.content()
    expect(page.get_by_role("button", name="Add a passkey")).to_be_hidden()
