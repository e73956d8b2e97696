"""Passkeys in a real browser, with an authenticator that Chromium plays: nothing here is signed by the tests."""

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.credentials.passkeys import get_keyring
from accounts.security.writes import remove_passkey
from tests.accounts.codes import with_second_factor
from tests.browser import steps
from tests.browser.devices import Device, device_of
from tests.browser.screens import SIZES
from tests.conftest import PASSWORD

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

NOT_OFFERED = "PublicKeyCredential.isConditionalMediationAvailable = async () => false"


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
    password, field = page.get_by_label("Your password"), page.get_by_label("Name")
    expect(password.or_(field)).to_be_visible()
    if password.is_visible():
        confirm(page)
    field.fill(name)
    page.get_by_role("button", name="Add a passkey").click()


def rows(page: Page) -> Locator:
    return page.locator(".passkey")


def nothing_happened(page: Page) -> Locator:
    return page.get_by_role("status").filter(has_text="Nothing happened")


@pytest.mark.parametrize("size", SIZES)
def test_one_is_added_renamed_and_removed(alice, signed_in, size, look):
    page = signed_in(alice, viewport=size)
    device = device_of(page, is_synced=True)
    add(page)
    expect(steps.toast(page)).to_contain_text("Passkey added.")
    expect(rows(page)).to_contain_text("Synced between your devices")
    assert len(device.keys()) == 1
    assert look(page) == []

    # A device that has one says so, and one that cannot verify says why.
    add(page, "Again")
    expect(page.get_by_role("status").filter(has_text="already has a passkey")).to_be_visible()
    assert look(page) == []
    device.send("clearCredentials")
    device.verifies(False)
    page.get_by_role("button", name="Add a passkey").click()
    expect(nothing_happened(page)).to_be_visible()

    page.goto("/settings/passkeys")
    expect(rows(page)).to_have_count(1)
    page.get_by_role("link", name="Rename").click()
    page.get_by_label("Name").fill("Blue laptop")
    page.get_by_role("button", name="Rename").click()
    expect(rows(page)).to_contain_text("Blue laptop")
    page.get_by_role("link", name="Remove").click()
    expect(page.get_by_role("button", name="Remove")).to_be_visible()
    assert look(page) == []
    page.get_by_role("button", name="Remove").click()
    expect(steps.toast(page)).to_contain_text("Passkey removed.")
    expect(rows(page)).to_have_count(0)


def sign_out(page: Page) -> None:
    page.goto("/")
    steps.sign_out(page)


def with_passkey(page: Page, *, is_synced: bool = False, is_offered: bool = False) -> Device:
    """Adds one in a browser in which someone is signed in, and signs them out. The device answers whatever asks it, so
    the sign-in page is kept from offering the passkey by itself, unless it `is_offered`."""
    device = device_of(page, is_synced=is_synced)
    add(page)
    expect(rows(page)).to_have_count(1)
    if not is_offered:
        page.add_init_script(NOT_OFFERED)
    sign_out(page)
    return device


def press(page: Page) -> None:
    page.get_by_role("button", name="Sign in with a passkey").click()


@pytest.mark.parametrize("size", SIZES)
def test_one_signs_in_without_a_password_until_it_is_removed(alice, signed_in, size, look, watch):
    page = signed_in(alice, viewport=size)
    device = with_passkey(page)
    page.goto("/login?next=/local")
    expect(page.get_by_role("button", name="Sign in with a passkey")).to_be_visible()
    assert look(page) == []
    # Cancelling, or a device that does not know its owner, leaves the page as it was.
    device.verifies(False)
    page.get_by_label("Handle or email").fill("alice")
    press(page)
    expect(nothing_happened(page)).to_be_visible()
    expect(page.get_by_label("Handle or email")).to_have_value("alice")

    device.verifies(True)
    press(page)
    page.wait_for_url("/local")
    page.goto("/settings/passkeys")
    expect(rows(page)).to_contain_text("Last used on")

    watch.expect("422")
    sign_out(page)
    (passkey,) = get_keyring(alice.user_id).passkeys
    remove_passkey(by=alice, credential_hash=passkey.credential_hash)
    page.goto("/login")
    press(page)
    expect(page.get_by_role("alert")).to_contain_text("That passkey didn’t work.")
    assert look(page) == []


def test_the_field_of_the_account_offers_the_passkey(alice, signed_in):
    page = signed_in(alice)
    with_passkey(page, is_offered=True)
    page.goto("/login")  # nothing is pressed
    expect(steps.composer(page)).to_be_visible()


def test_as_the_second_factor(alice, signed_in, look):
    page = signed_in(alice)
    device = with_passkey(page)
    with_second_factor(alice)
    steps.sign_in(page, "alice")
    expect(page.get_by_role("heading", name="One more step")).to_be_visible()
    assert look(page) == []
    device.verifies(False)  # a touch is enough after the password
    page.get_by_role("button", name="Use a passkey instead").click()
    expect(steps.composer(page)).to_be_visible()


def test_it_confirms_who_is_there(alice, signed_in, look):
    page = signed_in(alice)
    with_passkey(page)
    page.goto("/login?next=/confirm")
    press(page)
    expect(steps.title(page)).to_have_text("Confirm it’s you")
    assert look(page) == []
    page.goto("/confirm?next=/local&passkey=1")
    assert look(page) == []
    page.goto("/confirm?next=/local")
    page.get_by_role("button", name="Use a passkey instead").click()
    page.wait_for_url("/local")
