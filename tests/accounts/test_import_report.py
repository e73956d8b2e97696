"""The page that takes lists, and the report of each."""

import pytest
from django.test import Client

from accounts.csv_files import MOST_ROWS, write_row
from accounts.imports import LINES_A_PAGE, list_imports
from accounts.services.import_relations import ROWS_AN_ITEM
from socialsite.models import JobKind
from socialsite.web.limits import IMPORTS
from tests.accounts.conftest import results
from tests.conftest import HTMX, person
from tests.streams.crowd import jobs
from tests.web.html import Html

DATA = "/settings/data"


def test_the_page_offers_files_a_form_and_ones_imports(alice, bob, send_list, log_in):
    send_list(alice, "following_accounts", "bob")
    page = Html(log_in(alice).get(DATA))
    assert len(page.all("a", download="")) == 4
    assert page.one("form", action=DATA)["enctype"] == "multipart/form-data"
    (found,) = list_imports(alice)
    assert page.one("a", href=found.url).text == "Import of follows"
    assert not Html(log_in(bob).get(DATA)).all("a", href=found.url)


def test_a_report_that_waits_asks_again_and_has_a_link_for_it(alice, bob, send_list, log_in):
    address = send_list(alice, "following_accounts", "bob\nzed")["Location"]
    page = Html(log_in(alice).get(address))
    assert page.one(id="import-report")["hx-trigger"] == "every 2s"
    assert page.one("progress")["max"] == "2"
    assert page.all("a", href=address, class_="button")
    fragment = Html(log_in(alice).get(address, headers=HTMX))
    assert not fragment.all("html")
    assert fragment.one(id="import-report")["hx-get"] == address


def test_the_last_answer_brings_the_report_and_says_so(alice, bob, send_list, log_in, drain_stream):
    address = send_list(alice, "following_accounts", "bob\nzed")["Location"]
    drain_stream()
    response = log_in(alice).get(address, headers=HTMX)
    assert "hx-trigger" not in Html(response).one(id="import-report").attributes
    assert "The import is finished." in response["HX-Trigger"]
    assert "1 done, 1 with a problem" in Html(response).one(class_="banner").text


def test_problems_can_be_looked_at_alone(alice, bob, send_list, log_in, drain_stream):
    address = send_list(alice, "following_accounts", "bob\nzed")["Location"]
    drain_stream()
    page = log_in(alice).get(f"{address}?show=problems")
    assert results(page) == ["Nobody here has this handle"]


@pytest.mark.parametrize("show", ["", "?show=problems"])
def test_a_long_report_goes_on_page_by_page(alice, send_list, log_in, drain_stream, show):
    text = "".join(f"nobody_{number}\n" for number in range(250))
    address = send_list(alice, "following_accounts", text)["Location"]
    drain_stream()
    browser, seen = log_in(alice), 0
    following: str | None = f"{address}{show}"
    while following:
        page = Html(browser.get(following))
        rows = len(page.all(class_="report-line"))
        assert rows <= LINES_A_PAGE + ROWS_AN_ITEM
        seen += rows
        following = page.link("next")
    assert seen == 250


def test_the_report_is_a_file_too(alice, bob, send_list, log_in, drain_stream):
    address = send_list(alice, "following_accounts", "bob\n=1+1\n")["Location"]
    drain_stream()
    browser = log_in(alice)
    response = browser.get(f"{address}.csv", headers={"Accept-Language": "en"})
    assert response.getvalue().decode().splitlines() == [
        "Row,Account,Circle,Result",
        "1,bob,,Followed",
        "2,'=1+1,,Not the address of an account",
    ]


@pytest.mark.parametrize("ending", ["", ".csv", "?show=problems"])
def test_a_report_is_for_who_brought_the_list(alice, bob, send_list, log_in, ending):
    address = send_list(alice, "following_accounts", "bob")["Location"] + ending
    assert log_in(bob).get(address).status_code == 404
    assert Client().get(address)["Location"].startswith("/login")
    assert log_in(alice).post(address).status_code == 405


@pytest.mark.parametrize("address", [DATA, f"{DATA}/imports/{'0' * 26}"])
def test_visitors_are_sent_to_sign_in(table, address):
    assert Client().get(address)["Location"].startswith("/login")


def test_a_visitor_brings_nothing(table):
    assert Client().post(DATA, {"kind": "lists"})["Location"].startswith("/login")


def test_pages_are_kept_by_nobody(alice, send_list, log_in):
    address = send_list(alice, "following_accounts", "bob")["Location"]
    for path in (DATA, address):
        assert log_in(alice).get(path)["Cache-Control"] == "no-store"


def test_imports_are_rate_limited(alice, send_list):
    for _ in range(IMPORTS.hits):
        assert send_list(alice, "following_accounts", "bob").status_code == 302
    assert send_list(alice, "following_accounts", "bob").status_code == 429


def test_refused_files_count_too(alice, send_list):
    for _ in range(IMPORTS.hits):
        assert send_list(alice, "following_accounts", "\0").status_code == 422
    assert send_list(alice, "following_accounts", "bob").status_code == 429


def test_what_somebody_types_is_shown_and_never_run(alice, send_list, log_in, drain_stream):
    address = send_list(alice, "following_accounts", "<script>alert(1)</script>")["Location"]
    drain_stream()
    page = log_in(alice).get(address).content.decode()
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert(1)" not in page


def test_the_largest_file_is_kept_in_few_calls(alice, send_list, log_in, measure):
    text = "".join(write_row([f"nobody_{number}@testserver"]) for number in range(MOST_ROWS))
    with measure() as meter:
        assert send_list(alice, "following_accounts", text).status_code == 302
    batches = [call for call in meter.calls if call.operation == "BatchWriteItem"]
    assert len(batches) == MOST_ROWS / 20 / 25
    assert sum(call.units for call in batches) <= 750
    (job,) = jobs(JobKind.IMPORT)
    assert int(job.total) == MOST_ROWS


def test_an_account_that_is_new_has_no_reports(table, log_in):
    assert not Html(log_in(person("dora")).get(DATA)).all(class_="records")
