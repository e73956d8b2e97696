"""Two admins keep an account by law, and its person is told; and a post is being written when the site is only read."""

from dataclasses import dataclass
from datetime import timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from privacy.erasure.writes import close_account
from privacy.holds.writes import get_hold
from socialsite.clock import utc_now
from socialsite.table import NotFound
from tests.browser import steps
from tests.browser.screens import SIZES, sideways
from tests.conftest import person

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

WHY = "Prosecutor of Ghent, 4 Js 12/26"
WORDS = "What I wrote on a long evening"


@dataclass
class Presses:
    """What someone has pressed so far."""

    count: int = 0

    def __call__(self, what: Locator) -> None:
        what.click()
        self.count += 1


def fill_in(page: Page, last_day: str) -> None:
    page.get_by_label("Account or case").fill("@alice")
    page.get_by_label("Until").fill(last_day)
    page.get_by_label("Reason and reference").fill(WHY)


def test_two_admins_keep_an_account_and_its_person_is_told(signed_in, alice, admin):
    press, last_day = Presses(), (utc_now() + timedelta(days=30)).date().isoformat()
    one, other = signed_in(admin), signed_in(person("second", role="admin"))
    one.goto("/moderation/holds")
    fill_in(one, last_day)
    press(one.get_by_role("button", name="Ask for it"))
    expect(one.get_by_text("Waits for another person")).to_be_visible()
    other.goto("/moderation/holds")
    expect(other.get_by_text(WHY)).to_be_visible()
    press(other.get_by_role("button", name="Confirm"))
    expect(other.get_by_text("Kept until")).to_be_visible()
    assert press.count == 2
    for size in SIZES:
        other.set_viewport_size(size)
        assert sideways(other) <= 0, size
    hers = signed_in(alice)
    hers.goto("/settings/close")
    expect(hers.get_by_text("The law asks us to keep parts of your account")).to_be_visible()
    expect(hers.get_by_text(WHY)).to_have_count(0)
    receipt_id = close_account(by=alice)
    hers.goto(f"/erased/{receipt_id}")
    expect(hers.get_by_text("The law asks us to keep parts of it")).to_be_visible()
    one.goto("/moderation/holds")
    press(one.get_by_role("button", name="Release"))
    expect(one.get_by_text("None.")).to_be_visible()
    with pytest.raises(NotFound):
        get_hold("account", alice.user_id)


def test_an_admin_lets_the_site_only_be_read_and_a_post_in_the_middle_of_writing_stays(
    signed_in, watch, admin, alice
):
    watch.expect("503")
    press, page, hers = Presses(), signed_in(admin), signed_in(alice)
    hers.goto("/")
    steps.composer(hers).fill(WORDS)
    page.goto("/moderation/read-only")
    page.get_by_label("Message").fill("We move.")
    press(page.get_by_role("button", name="Make the site read-only"))
    press(page.get_by_role("button", name="Make the site read-only"))
    expect(page.get_by_role("button", name="End it now")).to_be_visible()
    hers.get_by_role("button", name="Post", exact=True).click()
    expect(hers.get_by_text("nothing can be saved until").first).to_be_visible()
    expect(hers.get_by_text("What you sent was not saved.")).to_be_visible()
    expect(steps.composer(hers)).to_have_value(WORDS)
    other = hers.context.new_page()
    other.goto("/")
    expect(other.locator(".site-banner")).to_contain_text("We move.")

    press(page.get_by_role("button", name="End it now"))
    other.goto("/")
    expect(other.locator(".site-banner")).to_have_count(0)
    assert press.count == 3
    hers.get_by_role("button", name="Post", exact=True).click()
    expect(steps.card(hers, WORDS)).to_be_visible()
