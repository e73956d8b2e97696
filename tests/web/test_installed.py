"""The site as an app: the manifest of each language, what the service worker may keep, the offline page, how to
install it, and what another app shares into the composer."""

import json
import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client

from accounts.models import Bell
from socialsite.table import write_batch
from socialsite.web import installed
from tests.conftest import post
from tests.feed.scenes import texts_of
from tests.web.html import Html
from tests.web.test_assets import picture

LANGUAGES = dict(settings.LANGUAGES)


def manifest(address: str = "/app.webmanifest", **headers: str) -> dict[str, Any]:
    response = Client(headers=headers).get(address)
    assert response["Content-Type"] == "application/manifest+json"
    return response.json()


# The manifest


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_manifest_speaks_the_language_of_the_address_and_is_of_one_app(language):
    found = manifest(f"/app.webmanifest?l={language}", accept_language="de")
    assert found["lang"] == language
    assert (found["start_url"], found["scope"], found["id"]) == ("/", "/", "/")
    assert (found["name"], found["display"]) == ("socialsite", "standalone")
    assert (found["description"] == "A small, calm place to talk") == (language == "en")
    assert len({one["name"] for one in found["shortcuts"]}) == 3


def test_without_a_language_it_speaks_that_of_the_person():
    assert manifest(accept_language="de")["lang"] == "de"
    for odd in ("xx", "de%00", "<script>", "l" * 5000):
        assert manifest(f"/app.webmanifest?l={odd}")["lang"] == "en"
    browser = Client()
    browser.post("/settings/language", {"language": "zh-hans"})
    assert browser.get("/app.webmanifest").json()["lang"] == "zh-hans"
    page = Html(browser.get("/about"))
    assert page.one("link", rel="manifest")["href"] == "/app.webmanifest?l=zh-hans"


def test_every_icon_is_there_in_the_size_it_names():
    icons = manifest()["icons"]
    for icon in icons:
        found = picture(icon["src"])
        assert "{}x{}".format(*found.size) == icon["sizes"]
        assert found.format == "PNG"
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in icons}
    (icon,) = [icon for icon in icons if icon["purpose"] == "maskable"]
    assert picture(icon["src"]).convert("RGBA").getpixel((0, 0))[3] == 255  # it may be cut


def test_shortcuts_and_shares_lead_to_pages(alice, log_in):
    found = manifest()
    browser = log_in(alice)
    addresses = [one["url"] for one in found["shortcuts"]]
    assert addresses == ["/posts/new", "/messages", "/notifications"]
    target = found["share_target"]
    assert target["method"] == "GET"  # a form of an app has no token
    shared = urlencode(dict.fromkeys(target["params"].values(), "x"))
    for address in (*addresses, f"{target['action']}?{shared}"):
        assert browser.get(address).status_code == 200


def test_what_machines_ask_for_asks_nothing_of_the_table(alice, log_in, measure):
    browser = log_in(alice)
    with measure() as meter:
        for address in ("/app.webmanifest", "/sw.js", "/offline", "/favicon.ico"):
            assert browser.get(address).status_code in (200, 302)
    assert meter.calls == []


def test_the_manifest_may_be_kept_but_not_for_readers_of_another_language():
    response = Client().get("/app.webmanifest")
    assert response["Cache-Control"] == "private, max-age=86400"
    assert {"Accept-Language", "Cookie"} <= set(response["Vary"].split(", "))


# The worker keeps the offline page with its styles and icon, and is looked at once an hour.


def script(address: str = "/sw.js", browser: Client | None = None) -> str:
    response = (browser or Client()).get(address)
    assert response["Content-Type"].startswith("text/javascript")
    assert response["Cache-Control"] == "private, max-age=3600"  # else each page is two requests
    return str(response.content.decode())


def kept(address: str = "/sw.js", browser: Client | None = None) -> dict[str, Any]:
    found = re.search(r"self\.kept = (\{.*\});", script(address, browser))
    assert found
    return dict(json.loads(found[1]))


def test_it_may_keep_the_offline_page_and_files_that_are_everyones(alice, log_in):
    found = kept("/sw.js?l=de&t=dark", log_in(alice))
    assert found["page"] == "/offline?l=de&t=dark"
    assert found["files"]
    for address in found["files"]:
        assert address.startswith("/static/"), address
        assert finders.find(address.removeprefix("/static/"))
    page = Html(Client().get(found["page"]))
    drawn = [link["href"] for link in page.all("link")] + [img["src"] for img in page.all("img")]
    assert set(drawn) <= set(found["files"])
    assert not page.all("script")


def test_it_is_the_same_for_everybody_and_another_one_for_what_is_kept_otherwise(alice, log_in):
    assert script(browser=log_in(alice)) == script()
    looks = product(LANGUAGES, ("auto", "dark"))
    names = [kept(f"/sw.js?l={language}&t={theme}")["name"] for language, theme in looks]
    assert len(set(names)) == len(names)
    assert kept("/sw.js?t=%27%22;alert(1)&l=%27")["page"] == "/offline?l=en&t=auto"


@pytest.fixture
def forget_scripts() -> Iterator[Callable[[], None]]:
    """What each process keeps for all who ask, as a new version begins without it."""
    yield installed._script.cache_clear
    installed._script.cache_clear()


def test_a_new_version_of_the_site_brings_a_new_worker(monkeypatch, forget_scripts):
    before = kept()["name"]
    assert kept()["name"] == before
    forget_scripts()
    monkeypatch.setattr("socialsite.web.installed.STYLE", "css/rooms.css")
    assert kept()["name"] != before


def test_in_debug_mode_it_keeps_the_parts_of_the_style_sheet_too(settings):
    settings.DEBUG = True
    assert "/static/css/base.css" in kept()["files"]


def test_it_may_do_no_more_than_pages():
    policy = Client().get("/sw.js")["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "connect-src 'self'" in policy
    assert "default-src 'none'" in policy


# The offline page


def test_the_offline_page_has_nothing_of_the_person_who_asks(alice, log_in):
    browser = log_in(alice)
    browser.post("/settings/appearance", {"theme": "dark", "language": "de"})
    mine, everyones = browser.get("/offline?l=en&t=light"), Client().get("/offline?l=en&t=light")
    assert mine.content == everyones.content
    assert mine["Cache-Control"] == "no-cache"
    assert 'data-theme="light"' in mine.content.decode()
    assert "csrfmiddlewaretoken" not in mine.content.decode()


def test_trying_again_loads_the_address_that_could_not_be_had():
    again = "Try again"
    (kept_copy,) = [a for a in Html(Client().get("/offline?l=en")).all("a") if a.text == again]
    (opened,) = [a for a in Html(Client().get("/offline")).all("a") if a.text == again]
    assert (kept_copy["href"], opened["href"]) == ("", "/")


# How to install it


@pytest.mark.parametrize("system", ["Android", "iPhone and iPad", "Computer"])
def test_settings_say_how_to_install_it_on_each_system(alice, log_in, system):
    for browser in (log_in(alice), Client()):
        page = Html(browser.get("/settings/app"))
        assert system in [heading.text.strip() for heading in page.all("h3")]
        assert "hidden" in page.one("p", class_="buttons").attributes  # until a browser offers it
        assert page.one("a", href="/settings/app")["aria-current"] == "page"


# What another app shares stands in the composer as text, and nothing is posted.

HOSTILE = "</textarea><script>alert(1)</script>\x00\u202e"


def shared(browser: Client, **given: str) -> str:
    return Html(browser.get("/posts/new", given)).value("content").strip()


def test_a_share_is_the_text_of_a_new_post(alice, log_in):
    browser = log_in(alice)
    url = "https://example.org/a?b=c&d"
    assert shared(browser, title="Herons", text="Look!", url=url) == f"Herons\nLook!\n{url}"
    assert shared(browser, title="Herons", text=f"Herons {url}", url=url) == f"Herons {url}"
    assert shared(browser, title="x", text="x", url="x") == "x"
    assert shared(browser, text=" \n\t ") == shared(browser) == ""
    assert texts_of(alice) == []


def test_hostile_shares_are_text(alice, log_in):
    browser = log_in(alice)
    found = shared(browser, title=HOSTILE, url="javascript:alert(1)")
    assert found == "</textarea><script>alert(1)</script>\njavascript:alert(1)"
    assert len(shared(browser, text="x" * 30_000)) == 10_000
    assert browser.get("/posts/new?text=%ff%fe%00&title[]=x&url=%F0%9F").status_code == 200


def test_each_share_is_a_text_of_its_own_and_the_same_one_goes_on(alice, log_in):
    browser = log_in(alice)
    names = [
        Html(browser.get("/posts/new", {"text": text})).one("textarea", id="id_content")[
            "data-draft"
        ]
        for text in ("one", "two", "one", "")
    ]
    assert names[0] == names[2] != names[1]
    assert names[3] == "alice"
    page = Html(browser.get("/posts/new", {"text": "one"}))
    assert "New post" in page.one("h1").text
    assert page.value("draft") != Html(browser.get("/posts/new?text=one")).value("draft")


def test_a_refused_share_keeps_its_name(alice, log_in):
    browser = log_in(alice)
    page = Html(browser.get("/posts/new", {"text": "one"}))
    form = {
        "content": "x" * 4000,
        "nonce": page.value("nonce"),
        "continues": page.value("continues"),
    }
    refused = Html(browser.post("/posts", form))
    name = refused.one("textarea", id="id_content")["data-draft"]
    assert name == page.one("textarea", id="id_content")["data-draft"]


def test_visitors_come_back_to_their_share_after_signing_in():
    response = Client().get("/posts/new", {"text": "Herons & co"})
    assert response["Location"].startswith("/login?next=")
    assert "Herons" in response["Location"]


# One unread number: that of the title is what bell and messages say, on every kind of page.


@pytest.mark.parametrize(
    ("bells", "chats", "title", "shown"),
    [(0, 0, "", ["", ""]), (2, 1, "(3) ", ["2", "1"]), (98, 2, "(99+) ", ["98", "2"])],
)
def test_every_kind_of_page_says_the_same_number(alice, bob, log_in, bells, chats, title, shown):
    unseen = {f"group{number}": f"place.{number}" for number in range(bells)}
    bell = Bell.new(user_id=alice.user_id, unseen=unseen, asking=(), changes=bells)
    bell.chats = {f"chat{number}" for number in range(chats)} or None
    write_batch(puts=[bell])
    mine = post(alice)
    browser = log_in(alice)
    for address in (
        *("/", "/local", "/explore", "/search?q=b", "/posts/new", "/drafts", "/saved", "/friends"),
        *("/@alice", "/@bob", "/@bob/followers", f"/@alice/posts/{mine}", "/tags/cats", "/tags"),
        *("/messages", "/messages/bob", "/settings/profile", "/settings/app", "/about", "/rules"),
        *("/nowhere", f"/@alice/posts/{mine}/delete", "/@bob/report", "/standing", "/votes"),
    ):
        page = Html(browser.get(address))
        assert page.one("title").text.startswith(title or page.one("title").text), address
        assert title or not page.one("title").text.startswith("("), address
        badges = [page.one(id=f"{name}-badge").text.split(" ")[0] for name in ("bell", "messages")]
        assert badges == shown, address
        assert page.one(id="pulse")["data-count"] == title.strip("() "), address
