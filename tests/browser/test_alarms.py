"""An admin sees an alarm, follows it, and sees it end; a member reads what works while timelines are late."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from operations.alarms.looking import look
from socialsite.clock import utc_now
from socialsite.due.clock import Beats
from socialsite.due.work import do_due
from socialsite.process_state import reset_process_state
from socialsite.streams.models import Lease
from socialsite.streams.worker import Worker
from socialsite.table import change, keys
from tests.operations.alarms.test_runbook import certificate

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


@pytest.fixture
def well(table) -> Worker:
    """Worker and clock have been at work."""
    worker = Worker()
    worker.step()
    do_due(beat=Beats())
    return worker


def the_clock_looks(*, minutes: int) -> None:
    """Each minute, and does what is due."""
    for minute in range(minutes):
        moment = utc_now() + timedelta(minutes=minute)
        reset_process_state()
        look(moment)
        do_due(moment + timedelta(seconds=5))


def test_an_admin_sees_an_alarm_follows_it_and_it_ends(
    signed_in, admin, well, tmp_path, monkeypatch
):
    file = tmp_path / "fullchain.pem"
    monkeypatch.setenv("TLS_CERTIFICATE", str(file))
    file.write_bytes(certificate(5))
    the_clock_looks(minutes=12)

    page = signed_in(admin)
    page.goto("/")
    page.get_by_role("link", name="Notifications").first.click()
    expect(page.get_by_text("1 alarm of the site began")).to_be_visible()
    page.get_by_role("link", name="See what to do").click()  # the second click
    expect(page.get_by_text("1 alarm is on.")).to_be_visible()
    alarm = page.locator("#certificateends")
    expect(alarm).to_contain_text("The certificate of the site ends in less than 14 days")
    expect(alarm).to_contain_text("Renew the file that TLS_CERTIFICATE names")

    file.write_bytes(certificate(90))
    monkeypatch.setattr("tests.browser.test_alarms.utc_now", _later(utc_now()))
    the_clock_looks(minutes=12)
    page.reload()
    expect(page.get_by_text("No alarm is on.")).to_be_visible()
    page.goto("/notifications")
    expect(page.get_by_text("1 alarm of the site ended")).to_be_visible()


def _later(now):
    """Returns a clock that shows twelve minutes later."""
    return lambda: now + timedelta(minutes=12)


def test_a_member_reads_what_works_while_timelines_are_late(signed_in, alice, well):
    before = (utc_now() - timedelta(minutes=8)).isoformat(timespec="seconds")
    change(Lease, keys.lease(well.shards[0].shard_id), [Lease.beaten_at.set(before)])
    reset_process_state()
    page = signed_in(alice)
    page.goto("/about")
    page.get_by_role("link", name="What works now").click()  # one click
    expect(page.get_by_role("heading", name="Some things are late")).to_be_visible()
    late = page.get_by_role("listitem").filter(has_text="Timelines")
    expect(late).to_contain_text("late (since")
    expect(page.get_by_role("listitem").filter(has_text="Reading")).to_contain_text("works")
    page.get_by_role("link", name="Go to the home page").click()
    expect(page).to_have_url(page.url.split("/status")[0])
