"""Lists taken along and brought in, with scripts and without; the report comes by itself, or when one asks."""

import pytest
from playwright.sync_api import Page, expect

from accounts.relation_lists import get_bond
from accounts.services.follow import follow
from tests.browser import steps
from tests.browser.conftest import PHONE

ROWS = "Account address,Show boosts\nbob,true\nnobody_here,true\ncarol@elsewhere.example,true\n"


def bring(page: Page, text: str) -> None:
    page.goto("/settings/data")
    page.get_by_label("Follows", exact=True).check()
    file = {"name": "follows.csv", "mimeType": "text/csv", "buffer": text.encode()}
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Import").click()
    expect(steps.title(page)).to_have_text("Import of follows")


def expect_report(page: Page) -> None:
    expect(page.locator(".banner")).to_contain_text("1 done, 2 with problems")
    expect(page.locator(".report-line")).to_have_count(3)
    page.get_by_role("link", name="Problems").click()
    expect(page.locator(".report-line")).to_have_count(2)
    expect(page.get_by_text("Nobody here has this handle")).to_be_visible()


def test_the_report_comes_by_itself_and_is_told(alice, bob, signed_in, worker, axe):
    page = signed_in(alice)
    bring(page, ROWS)
    expect(page.locator(".banner")).to_be_visible()
    expect(steps.toast(page)).to_contain_text("The import is finished.")
    assert axe(page) == []
    expect_report(page)
    assert get_bond(alice, bob.user_id).follows


def test_without_javascript_one_looks_again(alice, bob, signed_in, drain_stream, axe):
    page = signed_in(alice, java_script_enabled=False)
    bring(page, ROWS)
    expect(page.get_by_text("0 of 3 rows")).to_be_visible()
    drain_stream()
    page.get_by_role("link", name="Look again").click()
    expect_report(page)


def test_a_report_that_waits_is_accessible_and_goes_on_after_leaving(
    alice, bob, signed_in, drain_stream, axe
):
    page = signed_in(alice)
    bring(page, ROWS)
    expect(page.get_by_role("progressbar")).to_be_visible()
    assert axe(page) == []
    page.goto("/settings/data")
    drain_stream()
    page.reload()
    expect(page.get_by_text("1 done, 2 with problems")).to_be_visible()
    page.get_by_role("link", name="Import of follows").click()
    expect(page.locator(".banner")).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
def test_a_list_is_taken_along_and_what_comes_back_is_known(
    alice, bob, signed_in, drain_stream, scripts
):
    follow(by=alice, user_id=bob.user_id)
    page = signed_in(alice, java_script_enabled=scripts)
    page.goto("/settings/data")
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Follows").click()
    assert waiting.value.suggested_filename == "following_accounts.csv"
    text = waiting.value.path().read_text()
    bring(page, text)
    drain_stream()
    page.reload()
    expect(page.get_by_text("Followed or asked already")).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
def test_a_file_that_cannot_be_used_is_said_beside_its_field(alice, signed_in, watch, axe, scripts):
    watch.expect("422")
    page = signed_in(alice, java_script_enabled=scripts, viewport=PHONE)
    page.goto("/settings/data")
    page.get_by_label("Mutes", exact=True).check()
    file = {"name": "list.zip", "mimeType": "application/zip", "buffer": b"PK\x03\x04\x00"}
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("alert")).to_contain_text("This is not a CSV file in UTF-8.")
    expect(page.get_by_label("Mutes", exact=True)).to_be_checked()
    if scripts:
        assert axe(page) == []
