"""Sign-up is open to everyone, by invitation, with approval or closed, and limited to a number a day."""

from concurrent.futures import ThreadPoolExecutor
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.people.reads import find_user_by_handle, get_user_info
from socialsite.site_settings.site_setup import SignUp
from socialsite.site_settings.word_filters import Effect
from tests.conftest import HTMX, PASSWORD
from tests.moderation.joining import asked, is_here, join, waits
from tests.moderation.site import set_up, word_rule
from tests.web.html import Html


def test_where_everybody_may_nobody_is_asked_for_more(table):
    page = Html(Client().get("/signup"))
    assert not page.all(name="invite")
    assert not page.all(name="asked")
    assert "our rules" in [link.text for link in page.all("a", href="/rules")]
    assert join(asked="Because").status_code == 302
    assert (waits(), asked()) == (False, None)


def test_where_nobody_may_the_page_says_so(admin):
    set_up(admin, sign_up=SignUp.CLOSED)
    page = Client().get("/signup")
    assert page.status_code == 200
    assert "We’re not taking new accounts" in page.content.decode()
    assert not Html(page).all("form", action="/signup")
    refused = join()
    assert refused.status_code == 403
    assert "We’re not taking new accounts" in refused.content.decode()
    assert not is_here()


def test_where_one_is_approved_the_account_waits_with_the_reason(admin):
    set_up(admin, sign_up=SignUp.APPROVAL)
    assert Html(Client().get("/signup")).one("textarea", name="asked")
    browser = Client()
    response = join(browser, asked="I like\nbread.")
    assert (response.status_code, response["Location"]) == (302, "/standing")
    assert (waits(), asked()) == (True, "I like\nbread.")
    assert get_user_info(find_user_by_handle("dora")).is_locked_out
    assert browser.get("/posts/new").status_code == 302


def test_the_reason_is_optional_and_short(admin):
    set_up(admin, sign_up=SignUp.APPROVAL)
    refused = join(asked="x" * 501)
    assert refused.status_code == 422
    assert Html(refused).error("asked")
    assert Html(refused).value("asked") == "x" * 501
    assert not is_here()
    assert join().status_code == 302
    assert (waits(), asked()) == (True, None)


@pytest.mark.parametrize("extra", [{}, HTMX], ids=["page", "htmx"])
def test_sending_the_form_twice_makes_one_account_that_waits(admin, extra):
    set_up(admin, sign_up=SignUp.APPROVAL)
    browser = Client(headers=extra)
    join(browser)
    assert join(browser).status_code in (302, 422)
    assert waits()


def test_above_the_days_number_one_waits(admin):
    set_up(admin, sign_ups_a_day=2)
    for handle in ("dora", "emil", "finn"):
        assert join(handle=handle).status_code == 302
    assert [waits(handle) for handle in ("dora", "emil", "finn")] == [False, False, True]


@pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto does not hold transactions apart from each other"
)
def test_of_many_at_once_no_more_than_the_days_number_come_in(admin):
    set_up(admin, sign_ups_a_day=3)
    handles = [f"dora{number}" for number in range(6)]
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda handle: join(handle=handle), handles))
    assert [answer.status_code for answer in answers] == [302] * 6
    assert sum(not waits(handle) for handle in handles) == 3


def test_who_is_refused_does_not_count_for_the_day(admin, alice):
    set_up(admin, sign_ups_a_day=1)
    assert join(handle="alice").status_code == 422
    assert join().status_code == 302
    assert not waits()


@pytest.mark.parametrize(
    "closed", [{"sign_up": SignUp.CLOSED}, {"sign_up": SignUp.APPROVAL}, {"sign_ups_a_day": 1}]
)
def test_createadmin_is_held_by_none_of_it(admin, monkeypatch, closed):
    set_up(admin, **closed)
    join(handle="first")
    word_rule(admin, "boss", Effect.REFUSE)
    monkeypatch.setattr("sys.stdin", StringIO(f"{PASSWORD}\n"))
    arguments = ["dora", "--email=dora@example.org", "--name=The boss", "--password-stdin"]
    call_command("createadmin", *arguments, stdout=StringIO())
    assert not waits()
    assert get_user_info(find_user_by_handle("dora")).role == "admin"


def test_a_refused_word_cannot_stand_in_a_new_name(admin):
    word_rule(admin, "casino", Effect.REFUSE)
    word_rule(admin, "bonus", Effect.HOLD)
    refused = join(name="The Casino")
    assert refused.status_code == 422
    assert "No spam" in Html(refused).error("name")
    assert not is_here()
    assert join(name="Bonus").status_code == 302


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_signing_up_costs_where_a_day_has_a_limit(admin, measure):
    set_up(admin, sign_ups_a_day=5)
    Client().get("/signup")  # the copy of the rules is read anew
    with measure() as meter:
        join()
    units = [(call.access_pattern, call.units) for call in meter.calls]
    assert ("sign_up", 16) in units
