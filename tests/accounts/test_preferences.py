"""Choosing how the site looks and behaves: in this browser, and with the account for the next one."""

import pytest
from django.conf import settings
from django.test import Client
from django.utils.translation import gettext, override

from accounts.models import UserSettings
from socialsite.table import get, keys
from socialsite.web.preferences import Preferences
from tests.conftest import HTMX
from tests.web.html import Html

pytestmark = pytest.mark.usefixtures("table")

GROUPS = {"You": "profile", "Privacy": "privacy", "Security": "security", "Data": "data"}
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


def test_a_visitor_chooses_for_this_browser():
    browser = Client()
    response = browser.post(PAGE, FORM)
    assert (response.status_code, response["Location"]) == (302, PAGE)
    assert in_browser(browser) == str(CHOSEN)
    page = Html(browser.get(PAGE))
    assert (page.one("html")["lang"], page.one("html")["data-theme"]) == ("de", "dark")


def test_the_cookie_is_one_that_only_this_site_reads():
    cookie = Client().post(PAGE, FORM).cookies[NAME]
    assert (cookie["samesite"], cookie["httponly"], cookie["path"]) == ("Lax", True, "/")
    assert cookie["max-age"] == 365 * 86_400
    assert not cookie["secure"]


def test_the_cookie_is_for_https_alone_outside_of_debug_mode(settings):
    settings.PREFERENCES_COOKIE_SECURE = True
    assert Client().post(PAGE, FORM).cookies[NAME]["secure"]


def test_a_member_chooses_for_the_account_too(alice, log_in):
    browser = log_in(alice)
    assert browser.post(PAGE, FORM).status_code == 302
    assert in_browser(browser) == kept(alice) == str(CHOSEN)


def test_choosing_over_htmx_does_the_same(alice, log_in):
    assert log_in(alice).post(PAGE, FORM, headers=HTMX).status_code == 302
    assert kept(alice) == str(CHOSEN)


def test_choosing_twice_changes_nothing_more(alice, log_in):
    browser = log_in(alice)
    for _ in range(2):
        assert browser.post(PAGE, FORM).status_code == 302
    assert in_browser(browser) == kept(alice) == str(CHOSEN)


def test_one_chooses_for_nobody_but_oneself(alice, bob, log_in):
    log_in(alice).post(PAGE, FORM | {"user_id": bob.user_id})
    assert kept(bob) is None


def test_it_is_said_in_the_language_that_was_chosen(alice, log_in):
    browser = log_in(alice)
    browser.post(PAGE, FORM)
    with override("de"):
        said = gettext("Settings saved.")
    assert said in Html(browser.get(PAGE)).one(id="toasts").text


def test_the_page_shows_what_this_browser_follows(alice, log_in):
    browser = log_in(alice)
    page = Html(browser.get(PAGE))
    assert [e["value"] for e in page.all("input", name="theme", checked="")] == ["auto"]
    assert len(page.all("input", role="switch", checked="")) == 3
    browser.post(PAGE, FORM)
    page = Html(browser.get(PAGE))
    assert [e["value"] for e in page.all("input", name="theme", checked="")] == ["dark"]
    assert [e["value"] for e in page.all("option", selected="")] == ["de", ""]
    assert page.all("input", role="switch", checked="") == []


@pytest.mark.parametrize(
    ("field", "typed"), [("theme", "purple"), ("theme", ""), ("language", "tlh")]
)
def test_what_cannot_be_is_said_beside_its_field_and_changes_nothing(alice, log_in, field, typed):
    browser = log_in(alice)
    response = browser.post(PAGE, FORM | {field: typed})
    page = Html(response)
    assert response.status_code == 422
    assert page.error(field)
    assert page.one("a", href=f"#id_{field}")
    assert page.one(id=f"id_{field}")
    assert (in_browser(browser), kept(alice)) == (None, None)


def test_an_empty_form_is_refused():
    assert Client().post(PAGE).status_code == 422


def test_the_page_is_never_kept_by_a_cache():
    for response in (Client().get(PAGE), Client().post(PAGE)):
        assert response["Cache-Control"] == "no-store"


def test_the_settings_have_a_tab_each_and_visitors_one(alice, log_in):
    def tabs(browser: Client, path: str) -> dict[str, bool]:
        links = Html(browser.get(path)).all("a")
        return {a["href"]: "aria-current" in a.attributes for a in links if is_tab(a)}

    def is_tab(link) -> bool:
        return link["href"].startswith("/settings/") and link.text in ("Profile", "Appearance")

    member = log_in(alice)
    assert tabs(member, "/settings/profile") == {"/settings/profile": True, PAGE: False}
    assert set(tabs(member, PAGE)) == {"/settings/profile", PAGE}
    assert set(tabs(Client(), PAGE)) == {PAGE}


@pytest.mark.parametrize(
    ("path", "group", "pages"),
    [
        ("profile", "You", ["Profile", "Appearance", "Notifications"]),
        ("notifications", "You", ["Profile", "Appearance", "Notifications"]),
        ("privacy", "Privacy", ["Privacy", "Blocks", "Reports"]),
        ("blocks", "Privacy", ["Privacy", "Blocks", "Reports"]),
        ("reports", "Privacy", ["Privacy", "Blocks", "Reports"]),
        ("security", "Security", []),
        ("data", "Data", []),
    ],
)
def test_the_settings_are_in_four_groups(alice, log_in, path, group, pages):
    html = Html(log_in(alice).get(f"/settings/{path}"))
    nav = html.one("nav", class_="settings-nav")
    assert nav.text == " ".join(["You Privacy Security Data", *pages])
    marked = [
        link.text for link in html.all("a", class_="chip") if "aria-current" in link.attributes
    ]
    assert marked == ([path.title()] if pages else [])
    (here,) = [a for a in html.all("a", href=f"/settings/{GROUPS[group]}") if a.text == group][:1]
    assert here["aria-current"] == ("true" if pages else "page")


def test_the_settings_begin_with_the_profile(alice, log_in):
    assert log_in(alice).get("/settings")["Location"] == "/settings/profile"


def test_a_visitors_choice_asks_nothing_of_the_table(measure):
    with measure() as meter:
        Client().get(PAGE)
        Client().post(PAGE, FORM)
        Client().post("/settings/language", {"language": "de"})
    assert meter.calls == []


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_a_members_choice_is_one_write_unit(alice, log_in, measure):
    browser = log_in(alice)
    with measure() as meter:
        browser.post(PAGE, FORM)
    assert [call.operation for call in meter.calls] == ["BatchGetItem", "UpdateItem"]
    assert meter.write_units == 1


def test_the_worker_does_nothing_about_it(alice, log_in, drain_stream, measure):
    drain_stream()
    log_in(alice).post(PAGE, FORM)
    with measure() as meter:
        drain_stream()
    assert {call.operation for call in meter.calls} <= {"GetItem", "UpdateItem"}  # its lease
