"""Preferences and time zones of all that is rendered."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.test import Client, RequestFactory
from django.utils import timezone
from django.utils.formats import date_format

from accounts.models import SignIn, UserSettings
from accounts.people.reads import get_user_info
from accounts.people.restrictions import Restriction
from accounts.profile.writes import save_preferences
from feed.home import views
from moderation.audit_log.reads import list_audit_entries, list_public_entries
from moderation.log.writes import record
from relations.blocks.writes import mute
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.table import change, get, ids, key_of, keys, query
from socialsite.web.preferences import (
    COOKIE,
    Preferences,
    ago,
    full_date,
    known_zones,
    parse,
    preferences_of,
    zone_choices,
)
from tests.conftest import HTMX, PASSWORD, post
from tests.moderation.cases import restrict
from tests.moderation.staff import set_up
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
    response = visitor.get("/about")
    page = Html(response)
    assert page.one("html")["data-theme"] == "auto"
    assert page.one("meta", name="color-scheme")["content"] == "light dark"
    assert b"data-scroll" not in response.content
    assert b"data-shortcuts" not in response.content


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


# Times are in the person's own zone: the chosen one, else the device's, else UTC, which is named.

BERLIN, TOKYO, KATHMANDU = "Europe/Berlin", "Asia/Tokyo", "Asia/Kathmandu"
PAGE = "/settings/appearance"
FORM = {"theme": "auto", "scroll": "on", "shortcuts": "on", "reminds_to_describe": "on"}


def on_device(browser: Client, zone: str) -> Client:
    browser.cookies[COOKIE] = zone
    return browser


def in_words(moment: datetime, zone: str) -> str:
    return date_format(moment.astimezone(ZoneInfo(zone)), "DATETIME_FORMAT")


def kept(viewer) -> str:
    return parse(get(UserSettings, keys.user_settings(viewer.user_id)).preferences).time_zone


@pytest.fixture
def when(alice):
    """`when(browser)`: what Alice's post says about its time."""
    post_id = post(alice, "Hello")

    def look(browser: Client, **extra) -> str:
        page = Html(browser.get(f"/@alice/posts/{post_id}", **extra))
        said = page.one("p", class_="post-when").text
        return said.removesuffix("Copy link").strip()

    look.created = ids.time_of(post_id)
    return look


def test_without_a_script_times_are_utc_and_say_so(when):
    assert when(Client()) == f"{in_words(when.created, 'UTC')} UTC"


@pytest.mark.parametrize("zone", [BERLIN, TOKYO, KATHMANDU, "Asia/Calcutta"])
def test_a_device_says_its_zone(when, zone):
    assert when(on_device(Client(), zone)) == in_words(when.created, zone)


def test_over_https_the_zone_counts_only_under_a_name_that_this_host_alone_can_set(when):
    browser = on_device(Client(), TOKYO)
    assert "UTC" in when(browser, secure=True)
    browser.cookies[f"__Host-{COOKIE}"] = TOKYO
    assert when(browser, secure=True) == in_words(when.created, TOKYO)


def test_one_devices_zone_is_not_the_nexts(when):
    assert when(on_device(Client(), TOKYO)) == in_words(when.created, TOKYO)
    assert when(Client()).endswith("UTC")


@pytest.mark.parametrize(
    "zone",
    ["", "Nowhere/City", "../../etc/passwd", "europe/berlin", "<script>", "x" * 5000, "\x00", "é"],
)
def test_a_strange_cookie_is_not_believed(when, zone):
    assert when(on_device(Client(), zone)) == f"{in_words(when.created, 'UTC')} UTC"


def test_a_chosen_zone_goes_before_the_devices(alice, log_in, when):
    browser = on_device(log_in(alice), BERLIN)
    browser.post(PAGE, FORM | {"time_zone": TOKYO})
    assert when(browser) == in_words(when.created, TOKYO)
    assert kept(alice) == TOKYO
    browser.post(PAGE, FORM | {"time_zone": ""})
    assert when(browser) == in_words(when.created, BERLIN)
    assert kept(alice) == ""


def test_somebody_may_choose_utc(when):
    browser = on_device(Client(), BERLIN)
    browser.post(PAGE, FORM | {"time_zone": "UTC"})
    assert when(browser) == f"{in_words(when.created, 'UTC')} UTC"


@pytest.mark.parametrize("zone", ["Nowhere/City", "../../etc/passwd", "Etc/GMT+3"])
def test_a_zone_that_is_not_offered_is_refused_beside_its_field(alice, log_in, zone):
    response = log_in(alice).post(PAGE, FORM | {"time_zone": zone})
    assert response.status_code == 422
    assert Html(response).error("time_zone")


def test_the_device_is_the_choice_of_who_never_chose(alice, log_in):
    page = Html(log_in(alice).get(PAGE))
    assert page.one("select", name="time_zone").text.strip().startswith("As my device says")
    assert [option["value"] for option in page.all("option", selected="")] == ["", ""]


def test_signing_in_on_a_second_device_brings_the_chosen_zone(alice, when):
    save_preferences(by=alice, preferences=Preferences(time_zone=TOKYO))
    browser = on_device(Client(), BERLIN)
    browser.post("/login", {"account": "alice", "password": PASSWORD})
    assert when(browser) == in_words(when.created, TOKYO)


def test_a_second_device_says_its_own_zone_if_nobody_chose(alice, bob, when):
    save_preferences(by=alice, preferences=Preferences(theme="dark"))
    browser = on_device(Client(), BERLIN)
    browser.post(PAGE, FORM | {"time_zone": TOKYO})  # someone else, before her
    browser.post("/login", {"account": "alice", "password": PASSWORD})
    assert when(browser) == in_words(when.created, BERLIN)


def test_a_language_chosen_by_the_small_switch_leaves_the_zone(when):
    browser = Client()
    browser.post(PAGE, FORM | {"time_zone": TOKYO})
    browser.post("/settings/language", {"language": "de"})
    assert parse(browser.cookies[settings.PREFERENCES_COOKIE_NAME].value) == Preferences(
        language="de", time_zone=TOKYO
    )


def test_preferences_from_before_there_were_zones_are_still_understood():
    old = "theme:dark.language:de.scroll:off.shortcuts:on"
    assert parse(old) == Preferences("dark", "de", scroll=False)
    assert str(parse(old)) == old


@pytest.mark.parametrize("zone", ["Europe/Paris.zone:UTC", "Mars/Base", "../etc", "é", "UTC\n"])
def test_preferences_with_a_strange_zone_mean_nothing_was_chosen(zone):
    assert parse(f"theme:dark.language:de.scroll:off.shortcuts:on.zone:{zone}") is None


def test_every_offered_zone_can_be_kept():
    for zone, label in zone_choices():
        assert parse(str(Preferences(time_zone=zone))) == Preferences(time_zone=zone)
        assert label
    labels = [label for _, label in zone_choices()]
    assert len(labels) == len(set(labels)) > 400
    assert "Germany: Berlin" in labels


def test_summer_and_winter_have_their_own_hours():
    with timezone.override(BERLIN):
        assert full_date(datetime(2026, 3, 29, 0, 59, tzinfo=UTC)) == "March 29, 2026, 1:59 a.m."
        assert full_date(datetime(2026, 3, 29, 1, 0, tzinfo=UTC)) == "March 29, 2026, 3 a.m."
        assert full_date(datetime(2026, 10, 25, 0, 30, tzinfo=UTC)) == "Oct. 25, 2026, 2:30 a.m."
        assert full_date(datetime(2026, 10, 25, 1, 30, tzinfo=UTC)) == "Oct. 25, 2026, 2:30 a.m."


def test_a_day_begins_at_the_persons_own_midnight():
    moment = datetime(2024, 12, 31, 20, 0, tzinfo=UTC)
    with timezone.override(BERLIN):
        assert ago(moment) == "Dec 31, 2024"
    with timezone.override(TOKYO):
        assert ago(moment) == "Jan 1, 2025"


def test_relative_times_are_the_same_everywhere(when):
    for zone in ("UTC", TOKYO):
        with timezone.override(zone):
            assert ago(datetime.now(UTC) - timedelta(hours=3)) == "3h"


def test_a_card_that_htmx_fetches_is_in_the_same_zone(alice, when):
    page = Html(on_device(Client(), TOKYO).get("/@alice", headers=HTMX))
    assert in_words(when.created, TOKYO) in [time["title"] for time in page.all("time")]


def test_the_end_of_a_mute_is_in_the_persons_zone(alice, bob, log_in):
    until = datetime.now(UTC) + timedelta(days=1)
    mute(by=alice, user_id=bob.user_id, until=until)
    for path in ("/@bob", "/settings/blocks"):
        assert in_words(until, TOKYO) in on_device(log_in(alice), TOKYO).get(path).text


def test_the_end_of_a_restriction_is_in_the_persons_zone(alice, log_in):
    restrict(alice, Restriction.FROZEN)
    until = datetime.fromisoformat(get_user_info(alice.user_id).frozen_until)
    browser = log_in(alice)
    assert f"{in_words(until, 'UTC')} UTC" in browser.get("/").text
    assert in_words(until, KATHMANDU) in on_device(browser, KATHMANDU).get("/").text


def test_the_log_of_the_staff_has_exact_times_in_their_zone(mod, log_in):
    record(by=mod.user_id, action="warn")
    record(
        by=mod.user_id,
        action="change settings",
        detail={"banner_until": ["", "2026-07-01T22:00:00+00:00"]},
    )
    page = on_device(log_in(mod), BERLIN).get("/moderation/log")
    entries = list_audit_entries(f"{datetime.now(UTC):%Y-%m}").items
    for entry in entries:
        assert f'title="{in_words(datetime.fromisoformat(entry.iso), BERLIN)}"' in page.text
    assert len(entries) == 2
    assert "July 2, 2026, midnight" in page.text


def test_the_public_log_has_the_same_days_in_every_zone(alice, mod):
    record(by=mod.user_id, action="warn", person_id=alice.user_id)
    days = set()
    for zone in ("Pacific/Kiritimati", "UTC", "Pacific/Pago_Pago"):
        with timezone.override(zone):
            days |= {entry.day for entry in list_public_entries(f"{datetime.now(UTC):%Y-%m}").items}
    assert len(days) == 1


def test_the_last_day_of_the_banner_ends_where_the_person_is(admin, log_in):
    day = f"{datetime.now(UTC).year}-07-01"
    form = {
        "sign_up": "open",
        "sign_ups_a_day": "0",
        "hold_first_posts": "0",
        "looks_before_pause": "20",
        "banner": "Tea",
    }
    browser = on_device(log_in(admin), BERLIN)
    browser.post("/moderation/site", form | {"banner_until": day})
    until = read_site_rules().banner_until
    assert until == f"{day}T22:00:00+00:00"
    assert Html(browser.get("/moderation/site")).value("banner_until") == day

    elsewhere = on_device(log_in(admin), "UTC")
    assert Html(elsewhere.get("/moderation/site")).value("banner_until") == day
    elsewhere.post("/moderation/site", form | {"banner": "Cake", "banner_until": day})
    assert read_site_rules().banner_until == until
    set_up(admin, banner_until="")


def test_the_zones_of_common_devices_are_known():
    assert {"UTC", BERLIN, TOKYO, "Asia/Calcutta", "Asia/Kolkata", "US/Pacific"} <= known_zones()
