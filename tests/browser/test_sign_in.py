"""Passkeys, proofs and the second factor in a real browser."""

import re
from dataclasses import dataclass
from typing import Any

import pyotp
import pytest
from playwright.sync_api import CDPSession, Locator, Page, expect

from accounts.credentials.passkeys import get_keyring
from accounts.models import Credentials
from accounts.security.writes import remove_passkey
from socialsite.table import change, keys
from tests.accounts.scenes import App, proved_long_ago, with_second_factor
from tests.browser import steps
from tests.browser.screens import SIZES
from tests.conftest import PASSWORD
from tests.moderation.cases import about, report_by_each, strikes


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


# Passkeys in a real browser, with an authenticator that Chromium plays: nothing here is signed by the tests.

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

NOT_OFFERED = "PublicKeyCredential.isConditionalMediationAvailable = async () => false"


@pytest.fixture
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


@pytest.mark.usefixtures("here")
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


def with_passkey(page: Page) -> Device:
    """Adds one in a browser in which someone is signed in, and signs them out. The device answers whatever asks it."""
    device = device_of(page)
    add(page)
    expect(rows(page)).to_have_count(1)
    sign_out(page)
    return device


def press(page: Page) -> None:
    page.get_by_role("button", name="Sign in with a passkey").click()


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("size", SIZES)
def test_one_is_offered_signs_in_without_a_password_confirms_and_is_a_second_factor(
    alice, signed_in, size, look, watch
):
    page = signed_in(alice, viewport=size)
    device = with_passkey(page)
    page.goto("/login")  # nothing is pressed: the field of the account offers it
    expect(steps.composer(page)).to_be_visible()

    page.add_init_script(NOT_OFFERED)
    sign_out(page)
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

    # It confirms the person whose it is.
    sign_out(page)
    page.goto("/login?next=/confirm")
    press(page)
    expect(steps.title(page)).to_have_text("Confirm it’s you")
    page.goto("/confirm?next=/local&passkey=1")
    assert look(page) == []
    page.goto("/confirm?next=/local")
    page.get_by_role("button", name="Use a passkey instead").click()
    page.wait_for_url("/local")

    # As the second factor: a touch is enough after the password.
    sign_out(page)
    with_second_factor(alice)
    steps.sign_in(page, "alice")
    expect(page.get_by_role("heading", name="One more step")).to_be_visible()
    assert look(page) == []
    device.verifies(False)
    page.get_by_role("button", name="Use a passkey instead").click()
    expect(steps.composer(page)).to_be_visible()

    # Removed, it signs nobody in.
    watch.expect("422")
    device.verifies(True)
    sign_out(page)
    (passkey,) = get_keyring(alice.user_id).passkeys
    remove_passkey(by=alice, credential_hash=passkey.credential_hash)
    page.goto("/login")
    press(page)
    expect(page.get_by_role("alert")).to_contain_text("That passkey didn’t work.")
    assert look(page) == []


# A proof of identity that is too old costs no word: it is asked for above what was written, and then that goes
# on.


@pytest.fixture
def strict(settings, live_server, watch) -> None:
    settings.STAFF_SECOND_FACTOR = True
    settings.PASSKEY_ORIGINS = [live_server.url]
    watch.expect("401", "422")


@pytest.fixture
def app(mod) -> App:
    return with_second_factor(mod)


@pytest.fixture
def case(bob, carol):
    report_by_each(bob, by=[carol], text="Buy this")
    return about(bob)


def press_confirm(page: Page) -> None:
    page.locator("#modal").get_by_role("button", name="Confirm").click()


def prove(page: Page, *, code: str) -> None:
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_label("Code from your app").fill(code)
    page.get_by_role("button", name="Confirm", exact=True).last.click()


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("size", SIZES)
def test_a_decision_goes_on_with_its_words_and_a_passkey_with_what_was_sent(
    signed_in, mod, admin, app, bob, alice, carol, case, size, look
):
    page = signed_in(mod, viewport=size)
    proved_long_ago(mod)
    page.goto(case.url)
    page.get_by_role("button", name="Warn").click()
    words, proof = page.get_by_label("In your own words"), page.locator("#proof")
    words.fill("Please stop")
    # Who gives up the proof still has what was written.
    for give_up in (
        lambda: page.keyboard.press("Escape"),
        lambda: proof.get_by_role("button", name="Cancel").click(),
    ):
        press_confirm(page)
        expect(proof).to_be_visible()
        give_up()
        expect(proof).to_be_hidden()
        expect(words).to_have_value("Please stop")

    press_confirm(page)
    expect(page.get_by_role("heading", name="Confirm it’s you")).to_be_visible()
    assert look(page) == []
    expect(page.get_by_label("Your password")).to_be_focused()
    prove(page, code=app.wrong_code())
    expect(page.get_by_text("That code is wrong").last).to_be_visible()
    prove(page, code=app.code())
    expect(page.locator(".done-strip")).to_contain_text("Warned: @bob")
    assert strikes(bob)[0].text.endswith("Please stop")

    # A passkey goes on with what was sent.
    report_by_each(alice, by=[carol])
    other = about(alice)
    page = signed_in(admin)
    device_of(page)
    add(page)
    expect(steps.toast(page)).to_contain_text("Passkey added.")
    proved_long_ago(admin)
    page.goto(other.url)
    page.get_by_label("Note for other moderators").fill("Seen before")
    page.get_by_role("button", name="Add note").click()
    page.locator("#proof").get_by_role("button", name="Use your passkey").click()
    expect(page.locator("#notes li")).to_contain_text("Seen before")

    # A form without htmx leads to a page that asks.
    proved_long_ago(admin)
    page.goto(other.url)
    page.get_by_role("button", name="Assign to me").click()
    page.get_by_role("button", name="Use your passkey").click()
    expect(steps.toast(page)).to_contain_text("Case assigned to you.")


# The second factor as people meet it: set up, signed out, signed in with it.

CODES = re.compile(r"[2-9a-z]{5}-[2-9a-z]{5}")


def begin(page: Page) -> str:
    """Goes as far as the secret, and reads it."""
    page.goto("/settings/profile")
    page.get_by_role("link", name="Security").click()
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Set up").click()
    expect(steps.title(page)).to_have_text("Set up two-step verification")
    return page.locator("code.secret").inner_text().replace(" ", "")


def let_time_pass(viewer) -> None:
    """As if the half minute of the last code were over."""
    change(Credentials, keys.credentials(viewer.user_id), [Credentials.totp_step.set(0)])


def press_sign_in(page: Page) -> None:
    page.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()


@pytest.mark.parametrize("size", SIZES)
def test_it_is_set_up_signs_in_by_code_and_by_recovery_code_and_its_pages_break_no_rule(
    alice, signed_in, size, look, watch
):
    watch.expect("422")
    page = signed_in(alice, viewport=size)
    app = pyotp.TOTP(begin(page))
    page.get_by_role("button", name="Turn on").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert look(page) == []
    page.get_by_label("Code from your app").fill(app.now())
    page.get_by_role("button", name="Turn on").click()
    expect(
        page.get_by_role("status").filter(has_text="Two-step verification is on.")
    ).to_be_visible()
    codes = CODES.findall(page.locator(".codes").inner_text())
    assert len(codes) == 10
    assert look(page) == []
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").split() == codes
    page.evaluate("self.print = () => { self.printed = true; }")
    page.get_by_role("button", name="Print").click()
    assert page.evaluate("self.printed")
    page.get_by_role("link", name="I’ve saved them").click()
    expect(page.get_by_text("10 recovery codes left.")).to_be_visible()

    page.goto("/")
    steps.sign_out(page)
    steps.sign_in(page, "alice")
    expect(page.get_by_role("heading", name="One more step")).to_be_visible()
    assert look(page) == []
    let_time_pass(alice)
    page.get_by_label("Code from your app").fill(app.now())
    press_sign_in(page)
    expect(steps.composer(page)).to_be_visible()

    steps.sign_out(page)
    steps.sign_in(page, "alice")
    page.get_by_role("link", name="Use a recovery code instead").click()
    page.get_by_label("Recovery code").fill(codes[4])
    press_sign_in(page)
    expect(steps.composer(page)).to_be_visible()
    page.goto("/settings/security")
    expect(page.get_by_text("9 recovery codes left.")).to_be_visible()

    # The pages that change it.
    security = "/settings/security"
    problems = []
    for path in (
        f"{security}/recovery", f"{security}/replace", f"{security}/replace?recovery",
        f"{security}/turn-off", f"{security}/turn-off?recovery", "/confirm?next=/local&again=1",
    ):  # fmt: skip
        page.goto(path)
        steps.same_place(page, path)
        problems += look(page)
    assert problems == []
