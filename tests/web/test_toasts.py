"""Messages after a redirect: they wait for the page that shows them."""

from django.urls import reverse

from tests.accounts.authenticator import prove
from tests.conftest import HTMX
from tests.web.html import Html


def test_a_fragment_that_loads_meanwhile_leaves_the_message_to_the_page(alice, log_in):
    browser = prove(log_in(alice))
    browser.post(reverse("accounts:end_other_sign_ins"))
    browser.get("/people-to-follow", headers=HTMX)
    page = Html(browser.get("/settings/security"))
    assert "Signed out of" in page.one(id="toasts").text


def test_a_fragment_with_nothing_to_say_removes_no_cookie(alice, log_in):
    answer = log_in(alice).get("/people-to-follow", headers=HTMX)
    assert "messages" not in answer.cookies
