"""How the site is set up: who may change it, what each change brings, the banner, and the copy in each process."""

import threading
from datetime import timedelta

import pytest
from django.test import Client

from socialsite.clock import utc_now
from socialsite.site_settings import site_rules as site_settings
from socialsite.site_settings.site_rules import (
    forget_site_rules,
    read_site_rules,
    rule_of,
    site_rules,
)
from socialsite.site_settings.site_setup import DEFAULT_RULES, SignUp, SiteRules
from socialsite.site_settings.word_filters import Effect
from socialsite.table import Unavailable
from tests.moderation.site import logged, set_up, word_rule
from tests.web.conftest import NOBODY_LISTENS, table_at
from tests.web.html import Html

PAGES = ("site", "rules", "words", "blocks", "presets", "invites")
FORM = {"sign_up": "open", "sign_ups_a_day": "0", "hold_first_posts": "0"}


@pytest.mark.parametrize("name", PAGES)
def test_the_pages_are_there_for_who_may_change_the_site(alice, mod, admin, log_in, name):
    address = f"/moderation/{name}"
    assert Client().get(address).status_code == 404
    assert log_in(alice).get(address).status_code == 404
    assert log_in(mod).get(address).status_code == (200 if name == "invites" else 404)
    shown = Html(log_in(admin).get(address))
    (here,) = [link for link in shown.all("a", aria_current="page") if link["href"] == address]
    assert here.text
    assert shown.all("p", class_="lead")


def test_one_sees_the_way_to_the_pages_that_one_may_open(mod, admin, log_in):
    def ways(viewer):
        page = Html(log_in(viewer).get("/moderation/invites"))
        nav = page.one("nav", aria_label="Moderation")
        return nav.text

    assert "Filters" in ways(admin)
    assert "Filters" not in ways(mod)
    assert "Invitations" in ways(mod)


def test_saving_keeps_every_setting_and_shows_it_again(admin, log_in):
    browser, year = log_in(admin), utc_now().year
    form = {
        "sign_up": "approval",
        "sign_ups_a_day": "30",
        "hold_first_posts": "2",
        "banner": "Tea at four.",
        "banner_until": f"{year}-12-31",
        "public_log": "on",
        "log_shows_names": "on",
    }
    assert browser.post("/moderation/site", form)["Location"] == "/moderation/site"
    site = read_site_rules()
    assert (site.sign_up, site.sign_ups_a_day, site.hold_first_posts) == ("approval", 30, 2)
    assert (site.banner, site.banner_until) == ("Tea at four.", f"{year + 1}-01-01T00:00:00+00:00")
    assert site.public_log
    assert site.log_shows_names
    page = Html(browser.get("/moderation/site"))
    for name in ("sign_ups_a_day", "hold_first_posts", "banner", "banner_until"):
        assert page.value(name) == form[name]
    assert "checked" in page.one("input", name="sign_up", value="approval").attributes
    assert browser.post("/moderation/site", FORM).status_code == 302
    assert read_site_rules() == SiteRules()


def test_what_was_changed_is_logged_once(admin, log_in):
    browser = log_in(admin)
    for _ in range(2):
        browser.post("/moderation/site", FORM | {"sign_up": "closed", "banner": "Shut"})
    changed = {"sign_up": ["open", "closed"], "banner": ["", "Shut"]}
    assert logged() == [(admin.user_id, "change settings", changed)]


@pytest.mark.parametrize(
    "wrong",
    [
        {"sign_up": "sometimes"},
        {"sign_ups_a_day": "-1"},
        {"sign_ups_a_day": "many"},
        {"hold_first_posts": "51"},
        {"banner": "x" * 501},
        {"banner": "a" + "\u0300" * 9},
        {"banner_until": "tomorrow"},
        {"banner_until": "9999-12-31"},
    ],
)
def test_what_cannot_be_is_said_beside_its_field(admin, log_in, wrong):
    response = log_in(admin).post("/moderation/site", FORM | wrong)
    assert response.status_code == 422
    assert Html(response).error(*wrong)
    assert read_site_rules() == SiteRules()


def test_the_banner_stands_on_every_page_for_everybody_until_its_end(admin, alice, log_in):
    def banners(browser: Client, path: str) -> list[str]:
        page = Html(browser.get(path))
        return [banner.text for banner in page.all("p", class_="site-banner")]

    text = "Back <soon> & well"
    soon = utc_now() + timedelta(hours=1)
    set_up(admin, banner=text, banner_until=soon.isoformat())
    for browser in (Client(), log_in(alice)):
        for path in ("/", "/about", "/local", "/@alice", "/nowhere"):
            assert banners(browser, path) == [text]
    set_up(admin, banner_until=(soon - timedelta(hours=2)).isoformat())
    assert banners(Client(), "/about") == []
    set_up(admin, banner_until="")
    assert banners(Client(), "/about") == [text]


def test_a_process_keeps_its_copy_for_a_while(admin, requests_of, settings):
    settings.SITE_RULES_SECONDS = 3600
    set_up(admin, banner="first")
    with requests_of() as requests:
        for _ in range(3):
            assert site_rules().banner == "first"
    assert requests.operations == ["Query"]
    settings.SITE_RULES_SECONDS = 0
    forget_site_rules()
    with requests_of() as requests:
        site_rules(), site_rules()
    assert requests.operations == ["Query", "Query"]


def test_what_changes_elsewhere_is_seen_when_the_copy_is_old(admin, settings):
    settings.SITE_RULES_SECONDS = 0
    forget_site_rules()
    assert site_rules().banner == ""
    settings.SITE_RULES_SECONDS = 3600
    before = site_settings._kept.copy
    set_up(admin, banner="elsewhere")
    site_settings._kept.copy = before  # as in a process that has not heard of the change
    assert site_rules().banner == "elsewhere"


def test_while_the_table_cannot_be_read_the_copy_holds(admin, settings):
    set_up(admin, sign_up=SignUp.CLOSED)
    settings.SITE_RULES_SECONDS = 0
    assert site_rules().sign_up == SignUp.CLOSED
    with table_at(NOBODY_LISTENS):
        assert site_rules().sign_up == SignUp.CLOSED
        forget_site_rules()
        with pytest.raises(Unavailable):
            site_rules()
        assert Client().get("/about").status_code == 200


def test_many_threads_read_an_old_copy_anew_once(admin, requests_of, settings):
    set_up(admin, banner="new")
    barrier = threading.Barrier(8)
    found = []

    def ask() -> None:
        barrier.wait()
        found.append(site_rules().banner)

    with requests_of() as requests:
        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == ["new"] * 8
    assert requests.operations == ["Query"]


def test_a_site_of_which_nothing_is_stored_has_six_rules(table):
    assert read_site_rules() == SiteRules()
    assert len(DEFAULT_RULES) == 6
    assert rule_of("spam").title == "No spam"
    assert rule_of("").title == rule_of("gone").title == "Something else"


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_all_of_it_is_read_by_one_query(admin, measure):
    for number in range(20):
        word_rule(admin, f"word {number}", Effect.FLAG)
    with measure() as meter:
        read_site_rules()
    assert [(call.operation, call.units) for call in meter.calls] == [("Query", 1)]
