"""Signing out: ended in the browser and in the table, for this browser alone."""

import pytest
from django.conf import settings
from django.test import Client

from socialsite.table import keys, query
from tests.conftest import HTMX
from tests.web.html import Html


def is_signed_in(browser: Client) -> bool:
    return bool(Html(browser.get("/about")).all("button", formaction="/logout"))


def test_signing_out_ends_the_sign_in_in_the_table(alice, log_in):
    browser = log_in(alice)
    assert is_signed_in(browser)
    response = browser.post("/logout")
    assert (response.status_code, response["Location"]) == (302, "/")
    assert not list(query(keys.sign_ins(alice.user_id), consistent=True))
    assert not is_signed_in(browser)


def test_signing_out_over_htmx_does_the_same(alice, log_in):
    browser = log_in(alice)
    assert browser.post("/logout", headers=HTMX).status_code == 302
    assert not is_signed_in(browser)


def test_a_copy_of_the_cookie_is_worth_nothing_after_signing_out(alice, log_in):
    browser, thief = log_in(alice), Client()
    name = settings.SESSION_COOKIE_NAME
    thief.cookies[name] = browser.cookies[name].value
    assert is_signed_in(thief)
    browser.post("/logout")
    assert not is_signed_in(thief)


def test_other_browsers_stay_signed_in(alice, log_in):
    here, there = log_in(alice), log_in(alice)
    here.post("/logout")
    assert is_signed_in(there)


def test_signing_out_twice_is_harmless(alice, log_in):
    browser = log_in(alice)
    name = settings.SESSION_COOKIE_NAME
    cookie = browser.cookies[name].value
    browser.post("/logout")
    browser.cookies[name] = cookie
    assert browser.post("/logout").status_code == 302


@pytest.mark.usefixtures("table")
def test_a_visitor_who_signs_out_is_sent_home():
    response = Client().post("/logout")
    assert (response.status_code, response["Location"]) == (302, "/")


def test_the_browser_is_told_to_forget_what_it_kept(alice, log_in):
    cleared = log_in(alice).post("/logout")["Clear-Site-Data"]
    assert cleared == '"cache", "storage"'


@pytest.mark.parametrize(
    "path", ["/", "/local", "/@bob", "/settings/profile", "/about", "/not/there"]
)
def test_signing_out_is_one_press_away_on_every_page(alice, bob, log_in, path):
    assert Html(log_in(alice).get(path)).all("button", formaction="/logout")
