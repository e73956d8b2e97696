"""What someone chose in one browser is there in the next one that they sign in with."""

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import UserSettings
from socialsite.table import change, get, keys
from socialsite.web.preferences import Preferences
from tests.conftest import PASSWORD
from tests.web.html import Html

pytestmark = pytest.mark.usefixtures("table")

PAGE = "/settings/appearance"
NAME = settings.PREFERENCES_COOKIE_NAME
CHOSEN = Preferences(
    theme="dark", language="de", scroll=False, shortcuts=False, reminds_to_describe=False
)
FORM = {"theme": "dark", "language": "de"}  # what is switched off is not sent


def in_browser(browser: Client) -> str | None:
    cookie = browser.cookies.get(NAME)
    return cookie.value if cookie else None


def kept(viewer) -> str | None:
    return get(UserSettings, keys.user_settings(viewer.user_id)).preferences


def sign_in(browser: Client):
    return browser.post("/login", {"account": "alice", "password": PASSWORD})


def test_signing_in_elsewhere_brings_what_was_chosen(alice, log_in):
    log_in(alice).post(PAGE, FORM)
    browser = Client()
    assert sign_in(browser).cookies[NAME].value == str(CHOSEN)
    root = Html(browser.get("/")).one("html")
    assert (root["lang"], root["data-theme"]) == ("de", "dark")


def test_an_account_that_chose_nothing_leaves_the_browser_as_it_is(alice):
    browser = Client()
    browser.post(PAGE, FORM)
    assert sign_in(browser).status_code == 302
    assert in_browser(browser) == str(CHOSEN)
    assert kept(alice) is None


def test_a_language_chosen_before_signing_in_stays_if_the_account_has_none(alice, log_in):
    log_in(alice).post(PAGE, FORM | {"language": ""})
    browser = Client()
    browser.post("/settings/language", {"language": "zh-hans"})
    sign_in(browser)
    assert in_browser(browser) == str(
        Preferences("dark", "zh-hans", False, False, reminds_to_describe=False)
    )


def test_a_refused_sign_in_brings_nothing(alice, log_in):
    log_in(alice).post(PAGE, FORM)
    browser = Client()
    browser.post("/login", {"account": "alice", "password": "not her password"})
    assert in_browser(browser) is None


def test_what_a_visitor_chose_is_the_new_accounts():
    browser = Client()
    browser.post(PAGE, FORM)
    form = {"handle": "alice", "name": "Al", "email": "a@example.org", "password": PASSWORD}
    assert browser.post("/signup", form).status_code == 302
    assert in_browser(browser) == str(CHOSEN)
    other = Client()
    sign_in(other)
    assert in_browser(other) == str(CHOSEN)


@pytest.mark.parametrize(
    "text", ["", "theme:purple", "theme:dark.language:xx.scroll:on.shortcuts:on"]
)
def test_what_an_account_kept_and_nobody_understands_any_more_does_no_harm(alice, text):
    change(UserSettings, keys.user_settings(alice.user_id), [UserSettings.preferences.set(text)])
    browser = Client()
    assert sign_in(browser).status_code == 302
    assert in_browser(browser) is None


def test_a_sign_in_stays_at_six_calls(alice, measure):
    """Two of them count the try for the account and the address."""
    with measure() as meter:
        sign_in(Client())
    operations = [call.operation for call in meter.calls]
    assert len(operations) == 6
    assert set(operations) == {"GetItem", "BatchGetItem", "TransactWriteItems"}


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_a_sign_in_costs_what_its_counted_tries_cost(alice, measure):
    with measure() as meter:
        sign_in(Client())
    assert (meter.read_units, meter.write_units) == (4.5, 16 + 2 + 8)
