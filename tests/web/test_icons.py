"""Icons are in two files: what home draws, and the others, which a first visit does not fetch."""

import re
from xml.dom import minidom

import pytest
from django.conf import settings

from relations.follows.writes import follow
from socialsite.web.templatetags.site import IN_ROOMS
from tests.conftest import post

STATIC = settings.BASE_DIR / "static" / "icons"
NAMED = re.compile(r'\{% icon "([\w-]+)"|(?:image|drawing)="([\w-]+)"')


def names_in(sprite: str) -> list[str]:
    return re.findall(r'<symbol id="([^"]+)"', (STATIC / sprite).read_text())


def test_every_icon_is_in_one_of_the_files():
    ours, others = names_in("sprite.svg"), names_in("rooms.svg")
    assert len({*ours, *others}) == len(ours) + len(others)
    assert set(others) == IN_ROOMS
    sources = [file.read_text() for file in (settings.BASE_DIR / "templates").rglob("*.html")]
    wanted = {one or other for text in sources for one, other in NAMED.findall(text)}
    assert len(wanted) > 50
    assert wanted <= {*ours, *others}


@pytest.mark.parametrize("name", ["sprite.svg", "rooms.svg", "logo.svg"])
def test_every_drawing_is_well_formed_as_some_browsers_draw_nothing_else(name):
    minidom.parse(str(STATIC / name))


@pytest.mark.parametrize("has_posts", [True, False])
def test_home_draws_icons_of_one_file_alone(alice, bob, log_in, drain_stream, has_posts):
    if has_posts:
        follow(by=alice, user_id=bob.user_id)
        post(bob), post(alice)
        drain_stream()
    page = log_in(alice).get("/").content.decode()
    assert len(re.findall(r"icons/sprite\.svg#", page)) > 20
    assert "icons/rooms.svg#" not in page


def test_other_pages_draw_icons_of_both(alice, log_in):
    page = log_in(alice).get("/@alice").content.decode()
    assert "icons/sprite.svg#" in page
    assert "icons/rooms.svg#rss" in page
