"""Preferences: one small cookie decides theme, language and comforts of all that is rendered, and costs nothing."""

import pytest
from django.conf import settings
from django.test import Client, RequestFactory

from accounts.models import SignIn
from feed.home import views
from socialsite.table import change, key_of, keys, query
from socialsite.web.preferences import Preferences, parse, preferences_of
from tests.conftest import HTMX, post
from tests.web.html import Html

pytestmark = pytest.mark.usefixtures("table")

NAME = settings.PREFERENCES_COOKIE_NAME
DARK_GERMAN = Preferences(theme="dark", language="de", scroll=False, shortcuts=False)


def with_preferences(browser: Client, preferences: Preferences | str) -> Client:
    browser.cookies[NAME] = str(preferences)
    return browser


@pytest.fixture
def visitor() -> Client:
    return Client(raise_request_exception=False)


@pytest.mark.parametrize(
    "preferences",
    [
        Preferences(),
        DARK_GERMAN,
        Preferences("light", "zh-hans"),
        Preferences(reminds_to_describe=False),
    ],
)
def test_what_is_written_is_what_is_read(preferences):
    assert parse(str(preferences)) == preferences


def test_the_cookie_is_small():
    assert len(str(Preferences("light", "zh-hans", False, False))) < 80


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "theme:purple.language:de.scroll:on.shortcuts:on",
        "theme:dark.language:tlh.scroll:on.shortcuts:on",
        "theme:dark.language:DE.scroll:on.shortcuts:on",
        "theme:dark.language:../../etc.scroll:on.shortcuts:on",
        "theme:dark.language:de.scroll:1.shortcuts:on",
        "theme:dark.language:de.scroll:on",
        " theme:dark.language:de.scroll:on.shortcuts:on",
        "theme:dark.language:de.scroll:on.shortcuts:on\n",
        "theme:dark.language:de.scroll:on.shortcuts:on.more:on",
        "theme:dark.language:" + "-" * 4000 + ".scroll:on.shortcuts:on",
        '"><script>alert(1)</script>',
        "\xe9\xff",
        "\x00",
    ],
)
def test_a_strange_cookie_means_nothing_was_chosen(visitor, text):
    request = RequestFactory().get("/")
    request.COOKIES[NAME] = text
    assert preferences_of(request) == Preferences()
    page = Html(with_preferences(visitor, text).get("/about"))
    assert (page.one("html")["lang"], page.one("html")["data-theme"]) == ("en", "auto")


def test_pages_show_what_was_chosen_from_their_first_bytes_on(visitor):
    response = with_preferences(visitor, DARK_GERMAN).get("/about")
    assert b'data-theme="dark"' in response.content.split(b"<head>")[0]
    body = Html(response).one("body")
    assert (body["data-scroll"], body["data-shortcuts"]) == ("off", "off")


def test_who_chose_nothing_gets_what_their_device_says(visitor):
    page = Html(visitor.get("/about"))
    assert page.one("html")["data-theme"] == "auto"
    assert page.one("meta", name="color-scheme")["content"] == "light dark"
    body = page.one("body")
    assert (body["data-scroll"], body["data-shortcuts"]) == ("on", "on")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_chosen_theme_colours_the_browsers_own_parts_too(visitor, theme):
    page = Html(with_preferences(visitor, Preferences(theme=theme)).get("/about"))
    assert page.one("meta", name="color-scheme")["content"] == theme
    assert len({meta["content"] for meta in page.all("meta", name="theme-color")}) == 1


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-AT,en;q=0.5", "de"),
        ("zh-CN,zh;q=0.9", "zh-hans"),
        ("zh-TW", "zh-hans"),
        ("tlh,fr;q=0.9,de;q=0.1", "de"),
        ("fr", "en"),
        ("é;q=x,,;", "en"),
        ("de;q=0.5," * 2000, "de"),
    ],
)
def test_the_browser_says_the_language_if_nobody_chose_one(visitor, asked, language):
    response = visitor.get("/about", headers={"Accept-Language": asked})
    assert response["Content-Language"] == Html(response).one("html")["lang"] == language


def test_a_chosen_language_goes_before_the_browsers(visitor):
    browser = with_preferences(visitor, Preferences(language="zh-hans"))
    response = browser.get("/about", headers={"Accept-Language": "de"})
    assert response["Content-Language"] == Html(response).one("html")["lang"] == "zh-hans"


def test_one_answers_language_is_not_the_nexts(visitor):
    with_preferences(visitor, DARK_GERMAN).get("/about")
    assert Client().get("/about")["Content-Language"] == "en"


def test_caches_learn_what_a_page_depends_on(visitor):
    vary = {part.strip() for part in visitor.get("/about")["Vary"].split(",")}
    assert {"Accept-Language", "Cookie"} <= vary
    assert "Content-Language" not in visitor.get("/healthz")


@pytest.mark.parametrize("path", ["/not/there", "/@nobody_here", "/local?page=x", "/logout"])
def test_refusals_follow_the_preferences(visitor, path):
    response = with_preferences(visitor, DARK_GERMAN).get(path)
    assert response.status_code >= 400
    assert response["Content-Language"] == "de"
    if response.content:
        root = Html(response).one("html")
        assert (root["lang"], root["data-theme"]) == ("de", "dark")


def test_a_refused_form_follows_the_preferences():
    browser = with_preferences(Client(enforce_csrf_checks=True), DARK_GERMAN)
    root = Html(browser.post("/login")).one("html")
    assert (root["lang"], root["data-theme"]) == ("de", "dark")


def test_a_fault_follows_the_preferences(visitor, monkeypatch):
    def fault(**_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(views, "list_public", fault)
    response = with_preferences(visitor, DARK_GERMAN).get("/local")
    root = Html(response).one("html")
    assert (response.status_code, root["lang"], root["data-theme"]) == (500, "de", "dark")


def test_a_page_follows_them_while_the_engine_is_down(visitor, engine_down):
    response = with_preferences(visitor, DARK_GERMAN).get("/local")
    page = Html(response)
    root = page.one("html")
    assert (response.status_code, root["lang"], root["data-theme"]) == (503, "de", "dark")
    assert page.one("meta", name="color-scheme")["content"] == "dark"


def test_following_them_asks_nothing_of_the_table(visitor, measure):
    with measure() as meter:
        with_preferences(visitor, DARK_GERMAN).get("/about")
    assert meter.calls == []


@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "fragment"])
@pytest.mark.parametrize("scroll", [True, False])
def test_older_posts_come_by_themselves_or_by_the_link_alone(visitor, alice, scroll, extra):
    for number in range(41):
        post(alice, f"{number}")
    browser = with_preferences(visitor, Preferences(scroll=scroll))
    page = Html(browser.get("/@alice"))
    if extra:
        page = Html(browser.get(page.link("next"), **extra))
    more, link = page.one("div", class_="more"), page.one("a", rel="next")
    assert more.attributes.get("hx-trigger") == ("intersect once" if scroll else None)
    assert ("hx-get" in more.attributes) is scroll
    assert link["hx-get"] == link["href"]


def test_the_cookie_lives_a_year_anew_while_one_stays_signed_in(alice, log_in):
    browser = with_preferences(log_in(alice), DARK_GERMAN)
    assert NAME not in browser.get("/about").cookies
    (raw,) = query(keys.sign_ins(alice.user_id))
    change(SignIn, key_of(raw), [SignIn.seen.set("2020-01-01")])
    response = browser.get("/about")
    assert settings.SESSION_COOKIE_NAME in response.cookies
    assert response.cookies[NAME].value == str(DARK_GERMAN)
    assert response.cookies[NAME]["max-age"] == 365 * 86_400
