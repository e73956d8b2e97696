"""The small switch of languages: beside every page for members, and for visitors who could not read it otherwise."""

import pytest
from django.conf import settings
from django.test import Client

from accounts.middleware import SESSION_USER
from accounts.models import UserSettings
from accounts.people.reads import find_user_by_handle
from socialsite.table import NotFound, get, keys
from socialsite.web.preferences import Preferences
from tests.conftest import HTMX, PASSWORD
from tests.web.html import Html

pytestmark = pytest.mark.usefixtures("table")

PAGE = "/settings/appearance"
NAME = settings.PREFERENCES_COOKIE_NAME


def in_browser(browser: Client) -> str | None:
    cookie = browser.cookies.get(NAME)
    return cookie.value if cookie else None


def kept(viewer) -> str | None:
    return get(UserSettings, keys.user_settings(viewer.user_id)).preferences


def language(browser: Client, wanted: str = "de", **extra):
    return browser.post("/settings/language?next=/about", {"language": wanted}, **extra)


def test_a_visitor_changes_the_language_and_sees_the_same_page_in_it():
    browser = Client()
    browser.post(PAGE, {"theme": "dark", "scroll": "on", "language": ""})
    response = language(browser)
    assert (response.status_code, response["Location"]) == (302, "/about")
    assert in_browser(browser) == str(
        Preferences("dark", "de", True, False, reminds_to_describe=False)
    )
    assert Html(browser.get("/about")).one("html")["lang"] == "de"


@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
def test_a_member_changes_the_language_of_the_account_too(alice, log_in, extra):
    browser = log_in(alice)
    for _ in range(2):
        assert language(browser, **extra).status_code == 302
    assert in_browser(browser) == kept(alice) == str(Preferences(language="de"))


@pytest.mark.parametrize("wanted", ["", "tlh", "DE", "de\n", "../de"])
def test_a_language_that_the_site_does_not_speak_is_refused(alice, log_in, wanted):
    browser = log_in(alice)
    assert language(browser, wanted).status_code == 400
    assert (in_browser(browser), kept(alice)) == (None, None)


def test_the_switch_leads_nowhere_else():
    response = Client().post("/settings/language?next=//evil.example", {"language": "de"})
    assert response["Location"] == "/"


@pytest.mark.parametrize("path", ["/", "/about", "/local"])
def test_visitors_find_the_switch_and_come_back_to_the_page(path):
    page = Html(Client().get(path))
    forms = page.all("form", class_="languages")
    assert forms
    browser = Client()
    response = browser.post(forms[0]["action"], {"language": "de"})
    assert response["Location"] == path
    assert {button["lang"] for button in page.all("button", name="language")} == set(
        dict(settings.LANGUAGES)
    )


TYPED = {
    "handle": "Dora D",
    "name": "<Dora>",
    "email": "dora@",
    "asked": "",
    "password": "a secret",
}


def test_the_sign_up_form_comes_back_in_the_language_with_what_was_typed():
    browser = Client()
    browser.post(PAGE, {"theme": "dark", "scroll": "on", "language": ""})
    response = browser.post("/signup", TYPED | {"next": "/local", "language": "de"})
    page = Html(response)
    assert (response.status_code, response["Content-Language"]) == (200, "de")
    assert page.one("html")["lang"] == "de"
    assert {name: page.value(name) for name in ("handle", "name", "email", "next")} == {
        "handle": "Dora D",
        "name": "<Dora>",
        "email": "dora@",
        "next": "/local",
    }
    assert "a secret" not in response.content.decode()
    assert not page.all("p", class_="field-error")
    assert in_browser(browser) == str(
        Preferences("dark", "de", True, False, reminds_to_describe=False)
    )
    assert Html(browser.get("/signup")).one("html")["lang"] == "de"


def test_nobody_signs_up_or_in_by_changing_the_language(alice):
    browser = Client()
    form = {"handle": "dora", "name": "Dora", "email": "d@example.org", "password": PASSWORD}
    assert browser.post("/signup", form | {"language": "de"}).status_code == 200
    with pytest.raises(NotFound):
        find_user_by_handle("dora")
    sign_in = {"account": "alice", "password": PASSWORD, "language": "de"}
    page = Html(browser.post("/login", sign_in))
    assert page.one("html")["lang"] == "de"
    assert page.value("account") == "alice"
    assert SESSION_USER not in browser.session


def test_an_invitation_stays_when_the_language_is_changed(table):
    form = TYPED | {"invite": "a-code", "language": "de"}
    assert Html(Client().post("/signup", form)).value("invite") == "a-code"


@pytest.mark.parametrize("path", ["/signup", "/login"])
@pytest.mark.parametrize("wanted", ["", "tlh", "de\n"])
def test_a_form_in_a_language_that_the_site_does_not_speak_is_refused(path, wanted):
    browser = Client()
    assert browser.post(path, TYPED | {"language": wanted}).status_code == 400
    assert in_browser(browser) is None


@pytest.mark.parametrize(("path", "form_id"), [("/signup", "sign-up"), ("/login", "sign-in")])
def test_every_switch_on_a_page_with_a_form_sends_that_form(path, form_id):
    page = Html(Client().get(path))
    assert page.one("form", id=form_id)["action"] == path
    assert {button["form"] for button in page.all("button", name="language")} == {form_id}


def test_a_member_is_not_sent_to_an_address_that_answers_to_forms_only(alice, log_in):
    browser = log_in(alice)
    refused = Html(browser.post("/posts", {"content": ""}))
    action = refused.all("form", class_="languages")[0]["action"]
    assert browser.post(action, {"language": "de"})["Location"] == "/"
