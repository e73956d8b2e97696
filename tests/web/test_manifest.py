"""A browser can put the site on a home screen: names, colours, and icons of the sizes that are promised."""

import io
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from PIL import Image

from tests.web.html import Html

APPLE = 180  # pixels, as iOS asks
HEAVIEST = 8 * 1024  # bytes of an icon


@pytest.fixture
def manifest() -> dict[str, Any]:
    response = Client().get("/manifest.webmanifest")
    assert response["Content-Type"] == "application/manifest+json"
    return response.json()


def picture(address: str) -> Image.Image:
    """The file behind an address of `static`, opened."""
    path = finders.find(address.removeprefix("/static/"))
    assert path, address
    with open(path, "rb") as file:
        content = file.read()
    assert len(content) <= HEAVIEST, address
    return Image.open(io.BytesIO(content))


def test_it_says_what_the_site_is_and_where_it_starts(manifest):
    assert manifest["name"] == "socialsite"
    assert manifest["description"] == "A small, calm place to talk"
    assert (manifest["start_url"], manifest["scope"], manifest["id"]) == ("/", "/", "/")
    assert manifest["display"] == "standalone"
    assert manifest["lang"] == "en"


def test_every_icon_is_there_in_the_size_it_names(manifest):
    for icon in manifest["icons"]:
        found = picture(icon["src"])
        assert "{}x{}".format(*found.size) == icon["sizes"]
        assert found.format == "PNG"
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}


def test_an_icon_that_may_be_cut_to_any_shape_has_no_transparent_corner(manifest):
    (icon,) = [icon for icon in manifest["icons"] if icon["purpose"] == "maskable"]
    assert picture(icon["src"]).convert("RGBA").getpixel((0, 0))[3] == 255


def test_every_shortcut_leads_to_a_page(manifest, table):
    for shortcut in manifest["shortcuts"]:
        assert Client().get(shortcut["url"]).status_code in (200, 302)


def test_pages_name_the_manifest_and_the_icons(table):
    page = Html(Client().get("/about"))
    assert page.one("link", rel="manifest")["href"] == "/manifest.webmanifest"
    apple = picture(page.one("link", rel="apple-touch-icon")["href"])
    assert apple.size == (APPLE, APPLE)
    assert apple.convert("RGBA").getpixel((0, 0))[3] == 255
    assert finders.find(page.one("link", rel="icon")["href"].removeprefix("/static/"))


def test_who_asks_for_favicon_ico_unread_finds_one():
    response = Client().get("/favicon.ico")
    assert response.status_code == 302
    assert picture(response["Location"]).format == "ICO"


def test_it_asks_nothing_of_the_table(alice, log_in, measure):
    browser = log_in(alice)
    with measure() as meter:
        browser.get("/manifest.webmanifest")
        browser.get("/favicon.ico")
    assert meter.calls == []


def test_it_may_be_kept_but_not_for_readers_of_another_language():
    response = Client().get("/manifest.webmanifest")
    assert response["Cache-Control"] == "private, max-age=86400"
    assert "Accept-Language" in response["Vary"]
