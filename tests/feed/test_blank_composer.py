"""An empty composer is drawn once and kept: two people, two zones or two languages never share what is kept."""

from itertools import product

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from feed.composing.forms import BlankForm, PostForm
from feed.templatetags.composer import _draw, _draw_blank_once, composer_foot, composer_readers
from relations.friends.writes import create_circle
from socialsite.web.preferences import COOKIE, Preferences
from tests.conftest import HTMX
from tests.web.html import Html

BERLIN, TOKYO = "Europe/Berlin", "Asia/Tokyo"
PLACES = ({"has_bar": False}, {"has_bar": True}, {"has_bar": True, "in_dialog": True})


@pytest.fixture(autouse=True)
def nothing_is_kept() -> None:
    _draw_blank_once.cache_clear()


def prefer(browser: Client, **chosen: object) -> Client:
    browser.cookies[settings.PREFERENCES_COOKIE_NAME] = str(Preferences(**chosen))
    return browser


def zone_of(browser: Client) -> tuple[str, str, bool]:
    """What a fresh home says of the time zone: that of the field, the words, and whether the device may change it."""
    page = Html(browser.get("/"))
    (field,), (words,) = page.all("input", name="zone"), page.all("span", class_="zone-name")
    return field["value"], words.text, "data-device-zone" in field.attributes


def asks_to_describe(browser: Client) -> bool:
    return bool(Html(browser.get("/")).all("button", data_do="describe"))


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_what_is_kept_is_what_the_whole_form_would_be(place):
    ways = product(("en", "de", "zh-hans"), (BERLIN, TOKYO), ("", BERLIN), (True, False))
    for language, zone, chosen, reminds in [*ways] * 2:
        preferences = Preferences(time_zone=chosen, reminds_to_describe=reminds)
        form = PostForm(auto_id="id_%s")
        with override(language), timezone.override(zone):
            context = {"form": form, "preferences": preferences, **place}
            whole = _draw("feed/composing/_foot.html", **context)
            assert composer_foot(context, BlankForm()) == composer_foot(context, form) == whole
            assert composer_readers(BlankForm()) == _draw("feed/composing/_readers.html", form=form)
    assert _draw_blank_once.cache_info().hits > _draw_blank_once.cache_info().misses


def test_home_is_drawn_from_what_is_kept(alice, bob, log_in):
    for person in (alice, bob, alice):
        log_in(person).get("/")
    kept = _draw_blank_once.cache_info()
    assert (kept.misses, kept.hits) == (2, 4)  # the foot and the readers


def test_two_people_never_share_a_composer(alice, bob, log_in):
    create_circle(by=alice, name="Family of Alice")
    create_circle(by=bob, name="Choir of Bob")
    names = ["Family of Alice", "Choir of Bob"]
    for viewer, own, other in ((alice, *names), (bob, *names[::-1]), (alice, *names)):
        page = log_in(viewer).get("/")
        assert own in page.content.decode()
        assert other not in page.content.decode()
        (form,) = Html(page).all("form", id="composer")
        assert form["data-last"] == viewer.handle


def test_each_page_has_its_own_nonce_draft_and_token(alice, log_in):
    names = ("nonce", "draft", "csrfmiddlewaretoken")
    pages = [Html(log_in(alice).get("/")) for _ in range(3)]
    for name in names:
        assert len({page.all("input", name=name)[0]["value"] for page in pages}) == 3, name


def test_two_zones_never_share_a_composer(alice, bob, log_in):
    berlin, tokyo = log_in(alice), log_in(bob)
    berlin.cookies[COOKIE], tokyo.cookies[COOKIE] = BERLIN, TOKYO
    for _ in range(2):
        assert zone_of(berlin) == (BERLIN, "Berlin", True)
        assert zone_of(tokyo) == (TOKYO, "Tokyo", True)
    prefer(tokyo, time_zone=BERLIN)
    assert zone_of(tokyo) == (BERLIN, "Berlin", False)
    assert zone_of(berlin) == (BERLIN, "Berlin", True)


@pytest.mark.parametrize("zone", ["Etc/GMT+11", "Etc/GMT-12", "UTC"])
def test_a_device_without_summer_time_gets_its_composer_too(alice, log_in, zone):
    browser = log_in(alice)
    browser.cookies[COOKIE] = zone
    assert zone_of(browser)[0] == zone


def test_two_languages_never_share_a_composer(alice, bob, log_in):
    english, german = log_in(alice), prefer(log_in(bob), language="de")
    for _ in range(2):
        for browser, words, code in ((english, "Add a poll", "en"), (german, "Umfrage", "de")):
            page = Html(browser.get("/"))
            (details,) = page.all("details", class_="part-poll")
            assert words in details.text
            (code_of_post,) = page.all("span", class_="language-code")
            assert code_of_post.text == code


def test_only_people_who_want_it_are_asked_to_describe_photos(alice, bob, log_in):
    asked, spared = log_in(alice), prefer(log_in(bob), reminds_to_describe=False)
    assert [asks_to_describe(browser) for browser in (asked, spared) * 2] == [True, False] * 2


def test_what_was_typed_and_refused_stays_in_its_own_composer(alice, bob, log_in):
    typed = {
        "content": "",
        "nonce": "n" * 22,
        "warning": "Spiders of Alice",
        "poll_options": ["Tea of Alice"],
        "publish_at": "2020-01-01T00:00",
        "zone": TOKYO,
        "audience": "friends",
        "language": "sw",
    }
    refused = log_in(alice).post("/posts", typed, headers=HTMX)
    assert refused.status_code == 422
    assert "Spiders of Alice" in refused.content.decode()
    for viewer in (alice, bob):
        fresh = log_in(viewer).get("/")
        for text in ("of Alice", TOKYO, "2020-01-01"):
            assert text not in fresh.content.decode().replace("Alice Archer", ""), text
        selected = [
            option["value"]
            for option in Html(fresh).all("option")
            if "selected" in option.attributes
        ]
        assert "sw" not in selected
        assert "friends" not in selected
