"""Dismissing a suggestion: the person is not suggested any more, until it is taken back or three months have passed."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from relations.follows.writes import follow
from relations.models import Dismissal
from relations.own_choices.writes import dismiss_suggestion
from socialsite.table import change, fetch, get, keys
from tests.conftest import HTMX
from tests.relations.nearby import look_anew, reasons
from tests.web.html import Html

PATH = "/people-to-follow/carol/dismiss"
ON, OFF = {"on": "1"}, {"on": "0"}


@pytest.fixture(autouse=True)
def suggested(alice, bob, carol) -> None:
    """Carol is suggested to Alice."""
    follow(by=alice, user_id=bob.user_id)
    follow(by=bob, user_id=carol.user_id)
    assert list(reasons(alice)) == ["carol"]


def is_dismissed(alice, carol) -> bool:
    return bool(fetch([keys.dismissal(alice.user_id, carol.user_id)]))


def test_a_row_says_why_and_offers_to_follow_and_to_dismiss(alice, carol, log_in):
    page = Html(log_in(alice).get("/explore"))
    row = page.one("article", id="suggestion-carol")
    assert "Followed by Bob Brandt" in row.text
    assert page.one("h2", id="known-title").text == "People you may know"
    assert page.one("button", id=f"follow-{carol.user_id}")["formaction"].endswith("next=/explore")
    button = page.one("button", formaction=PATH)
    assert (button["name"], button["value"], button["hx-post"]) == ("on", "1", PATH)
    assert button.text == "Don’t suggest Carol 陈"


def test_without_htmx_one_is_back_on_explore_and_can_undo_it(alice, carol, log_in):
    browser = log_in(alice)
    response = browser.post(PATH, ON)
    assert (response.status_code, response["Location"]) == (302, "/explore?dismissed=carol")
    assert is_dismissed(alice, carol)
    page = Html(browser.get(response["Location"]))
    assert "carol" not in page.handles()
    undo = page.one("button", formaction=PATH)
    assert (undo.text, undo["value"]) == ("Undo", "0")
    assert browser.post(PATH, OFF)["Location"] == "/explore"
    assert not is_dismissed(alice, carol)
    assert Html(browser.get("/explore")).handles() == ["carol"]


def test_htmx_gets_a_line_in_place_of_the_row_and_the_row_back(alice, carol, log_in):
    browser = log_in(alice)
    line = Html(browser.post(PATH, ON, headers=HTMX))
    assert line.elements[0]["id"] == "suggestion-carol"
    assert "We won’t suggest @carol any more." in line.elements[0].text
    assert "autofocus" in line.elements[0].attributes
    assert line.one("button")["value"] == "0"
    row = Html(browser.post(PATH, OFF, headers=HTMX))
    assert (row.elements[0].tag, row.elements[0]["id"]) == ("article", "suggestion-carol")
    assert "Followed by Bob Brandt" in row.elements[0].text
    assert "autofocus" in row.elements[0].attributes


def test_undoing_what_is_no_longer_in_the_list_says_so(alice, carol, log_in):
    browser = log_in(alice)
    browser.post(PATH, ON, headers=HTMX)
    look_anew(alice)
    line = Html(browser.post(PATH, OFF, headers=HTMX)).elements[0]
    assert line.text == "We may suggest @carol again."
    assert line["id"] == "suggestion-carol"


@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
@pytest.mark.parametrize(("form", "held"), [(ON, True), (OFF, False)], ids=["on", "off"])
def test_pressing_again_changes_nothing(alice, carol, log_in, form, held, extra):
    browser = log_in(alice)
    for _ in range(3):
        assert browser.post(PATH, form, **extra).status_code in (200, 302)
        assert is_dismissed(alice, carol) == held


def test_it_holds_for_three_months_and_is_not_prolonged(alice, carol):
    key = keys.dismissal(alice.user_id, carol.user_id)
    dismiss_suggestion(by=alice, user_id=carol.user_id)
    ends = get(Dismissal, key).ttl
    assert timedelta(days=89) < ends - datetime.now(UTC) <= timedelta(days=90)
    sooner = ends - timedelta(days=10)
    change(Dismissal, key, [Dismissal.ttl.set(sooner)])
    dismiss_suggestion(by=alice, user_id=carol.user_id)
    assert get(Dismissal, key).ttl == sooner


def test_after_that_the_person_is_suggested_and_can_be_dismissed_again(alice, carol):
    key = keys.dismissal(alice.user_id, carol.user_id)
    dismiss_suggestion(by=alice, user_id=carol.user_id)
    past = datetime.now(UTC) - timedelta(minutes=1)
    change(Dismissal, key, [Dismissal.ttl.set(past)])
    assert list(reasons(alice)) == ["carol"]
    dismiss_suggestion(by=alice, user_id=carol.user_id)
    assert reasons(alice) == {}


def test_it_is_ones_own(alice, bob, carol, mod, log_in):
    follow(by=mod, user_id=bob.user_id)
    log_in(alice).post(PATH, ON)
    assert reasons(alice) == {}
    assert list(reasons(mod)) == ["carol"]


@pytest.mark.parametrize("said", ["<b>x</b>", "a b", "x" * 31, "", "ｂｏｂ"])
def test_the_address_makes_no_line_of_what_is_no_handle(alice, log_in, said):
    page = Html(log_in(alice).get("/explore", {"dismissed": said}))
    assert not page.all("p", class_="dismissed")


def test_a_visitor_has_nothing_to_undo(carol):
    assert not Html(Client().get("/explore?dismissed=carol")).all("p", class_="dismissed")


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_it_is_one_transaction_and_one_read(alice, log_in, measure):
    browser = log_in(alice)
    with measure() as meter:
        browser.post(PATH, ON, headers=HTMX)
    assert [call.operation for call in meter.calls] == ["BatchGetItem", "TransactWriteItems"]
    assert meter.write_units == 2
