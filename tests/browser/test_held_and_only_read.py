"""Two admins keep an account by law, and its person is told; and a post is being written when the site is only read."""

from dataclasses import dataclass
from datetime import timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from moderation.log.writes import OPERATOR
from moderation.maintenance.writes import end_read_only, plan_read_only
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


def test_a_post_that_is_being_written_stays_when_the_site_is_only_read(signed_in, watch, alice):
    watch.expect("503")
    page = signed_in(alice)
    page.goto("/")
    steps.composer(page).fill(WORDS)
    plan_read_only(by=OPERATOR, ends=utc_now() + timedelta(hours=1), message="We move.")
    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.get_by_text("nothing can be saved until").first).to_be_visible()
    expect(page.get_by_text("What you sent was not saved.")).to_be_visible()
    expect(steps.composer(page)).to_have_value(WORDS)
    end_read_only(by=OPERATOR)
    page.get_by_role("button", name="Post", exact=True).click()
    expect(steps.card(page, WORDS)).to_be_visible()


def test_without_scripts_it_can_be_sent_again_from_the_page_that_says_so(signed_in, watch, alice):
    watch.expect("503")
    press, page = Presses(), signed_in(alice, java_script_enabled=False)
    page.goto("/posts/new")
    steps.composer(page).fill(WORDS)
    plan_read_only(by=OPERATOR, ends=utc_now() + timedelta(hours=1))
    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.get_by_label("What you wrote")).to_have_value(WORDS)
    end_read_only(by=OPERATOR)
    press(page.get_by_role("button", name="Send it again"))
    expect(steps.card(page, WORDS)).to_be_visible()
    assert press.count == 1


def test_an_admin_lets_the_site_only_be_read_and_ends_it(signed_in, admin, alice):
    press, page, hers = Presses(), signed_in(admin), signed_in(alice)
    page.goto("/moderation/read-only")
    page.get_by_label("Message").fill("We move.")
    press(page.get_by_role("button", name="Make the site read-only"))
    press(page.get_by_role("button", name="Make the site read-only"))
    hers.goto("/")
    expect(hers.locator(".site-banner")).to_contain_text("We move.")
    press(page.get_by_role("button", name="End it now"))
    hers.goto("/")
    expect(hers.locator(".site-banner")).to_have_count(0)
    assert press.count == 3
