"""How the site looks and behaves, and in which language: in this browser, and in the next one."""

import pytest
from django.conf import settings
from django.test import Client
from django.utils.translation import gettext, override

from accounts.middleware import SESSION_USER
from accounts.models import UserSettings
from accounts.people.reads import find_user_by_handle
from socialsite.table import NotFound, change, get, keys
from socialsite.web.preferences import Preferences
from tests.conftest import HTMX, PASSWORD
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
        ("profile", "You", ["Profile", "Appearance", "Notifications", "App"]),
        ("notifications", "You", ["Profile", "Appearance", "Notifications", "App"]),
        ("privacy", "Privacy", ["Privacy", "Messages", "Blocks", "Muted words", "Reports"]),
        ("blocks", "Privacy", ["Privacy", "Messages", "Blocks", "Muted words", "Reports"]),
        ("muted-words", "Privacy", ["Privacy", "Messages", "Blocks", "Muted words", "Reports"]),
        ("reports", "Privacy", ["Privacy", "Messages", "Blocks", "Muted words", "Reports"]),
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
    assert marked == ([path.replace("-", " ").capitalize()] if pages else [])
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


# What someone chose in one browser is there in the next one that they sign in with.


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


# The small switch of languages: beside every page for members, and for visitors who could not read it otherwise.


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
