"""A proof of identity that is too old costs no word: it is asked for above what was written, and then that goes on."""

import pytest
from playwright.sync_api import Page, expect

from tests.accounts.codes import App, proved_long_ago, with_second_factor
from tests.browser import steps
from tests.browser.devices import device_of
from tests.browser.screens import SIZES
from tests.browser.test_passkeys import add
from tests.conftest import PASSWORD
from tests.moderation.cases import about, strikes
from tests.moderation.queues import report

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


@pytest.fixture(autouse=True)
def strict(settings, live_server, watch) -> None:
    settings.STAFF_SECOND_FACTOR = True
    settings.PASSKEY_ORIGINS = [live_server.url]
    watch.expect("401", "422")


@pytest.fixture
def app(mod) -> App:
    return with_second_factor(mod)


@pytest.fixture
def case(bob, carol):
    report(bob, by=[carol], text="Buy this")
    return about(bob)


def confirm(page: Page) -> None:
    page.locator("#modal").get_by_role("button", name="Confirm").click()


def prove(page: Page, *, code: str) -> None:
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_label("Code from your app").fill(code)
    page.get_by_role("button", name="Confirm", exact=True).last.click()


@pytest.mark.parametrize("size", SIZES)
def test_a_decision_goes_on_with_its_words(signed_in, mod, app, bob, case, size, look):
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
        confirm(page)
        expect(proof).to_be_visible()
        give_up()
        expect(proof).to_be_hidden()
        expect(words).to_have_value("Please stop")

    confirm(page)
    expect(page.get_by_role("heading", name="Confirm it’s you")).to_be_visible()
    assert look(page) == []
    expect(page.get_by_label("Your password")).to_be_focused()
    prove(page, code=app.wrong_code())
    expect(page.get_by_text("That code is wrong").last).to_be_visible()
    prove(page, code=app.code())
    expect(page.locator(".done-strip")).to_contain_text("Warned: @bob")
    assert strikes(bob)[0].text.endswith("Please stop")


def test_a_passkey_goes_on_with_what_was_sent(signed_in, admin, case):
    page = signed_in(admin)
    device_of(page)
    add(page)
    expect(steps.toast(page)).to_contain_text("Passkey added.")
    proved_long_ago(admin)
    page.goto(case.url)
    page.get_by_label("Note for other moderators").fill("Seen before")
    page.get_by_role("button", name="Add note").click()
    page.locator("#proof").get_by_role("button", name="Use your passkey").click()
    expect(page.locator("#notes li")).to_contain_text("Seen before")

    # A form without htmx leads to a page that asks.
    proved_long_ago(admin)
    page.goto(case.url)
    page.get_by_role("button", name="Assign to me").click()
    page.get_by_role("button", name="Use your passkey").click()
    expect(steps.toast(page)).to_contain_text("Case assigned to you.")
