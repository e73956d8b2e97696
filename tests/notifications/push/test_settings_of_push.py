"""Push in the settings: what is pushed, when not, on which devices; and what it costs."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command

from notifications.push.choices import PushChoices, read_choices
from notifications.push.reads import get_push_state
from notifications.push.sender import Pusher
from notifications.push.site_key import NoKeyFits, open_site_key, place_of_site, reencrypt_site_keys
from notifications.push.writes import choose_push
from relations.follows.writes import follow
from socialsite.clock import utc_now
from socialsite.table import keys, query
from tests.conftest import PASSWORD
from tests.notifications.push.conftest import devices_of, named_in_bell, signed_in, waiting_work
from tests.notifications.push.services import Browser
from tests.web.html import Html

PAGE = "/settings/notifications"
PUSH = f"{PAGE}/push"


def given(browser: Browser) -> dict[str, str]:
    return browser.given() | {"key": open_site_key().public}


def test_a_site_without_a_pusher_says_so(alice, log_in):
    page = Html(log_in(alice).get(PAGE))
    assert "This site sends no push at the moment." in page.one("body").text
    assert page.all("form", action=f"{PUSH}/devices") == []


def test_push_is_turned_on_with_a_form_and_listed(alice, pusher, service, log_in):
    browser = log_in(alice)
    page = Html(browser.get(PAGE))
    form = page.one("form", id="push")
    assert form["data-key"] == pusher.key.public
    assert "Turning push on needs JavaScript" in page.one("body").text
    answer = browser.post(f"{PUSH}/devices", given(Browser(f"{service.origin}/ok/x")), follow=True)
    page = Html(answer)
    assert "Push is on in this browser." in page.one("body").text
    assert "This browser" in page.one("body").text
    assert "Send a test" in page.one("body").text


def test_the_page_of_a_refused_choice_of_letters_offers_push_as_before(alice, pusher, log_in):
    answer = log_in(alice).post(f"{PAGE}/letters", {"digest": "daily", "hour": "99"})
    assert answer.status_code == 422
    assert Html(answer).one("form", id="push")["data-key"] == pusher.key.public


def test_a_test_and_the_end_are_a_press_each(alice, pusher, service, log_in, push):
    browser, mine = log_in(alice), Browser(f"{service.origin}/ok/x")
    browser.post(f"{PUSH}/devices", given(mine))
    browser.post(f"{PUSH}/test", {"device": mine.device})
    push()
    assert mine.read(service.got[0].body)["title"] == "Push works on this device."
    answer = browser.post(f"{PUSH}/remove", {"device": mine.device}, follow=True)
    assert "We push nothing to this device any more." in Html(answer).one("body").text
    assert devices_of(alice) == []


def test_a_browser_whose_person_proved_who_they_are_brings_its_subscription_again(
    alice, pusher, service, log_in, drain_stream
):
    """The proof is a new sign-in, and the device ended with the one before. Signing out ends it for good."""
    browser, mine = log_in(alice), Browser(f"{service.origin}/ok/x")
    browser.post(f"{PUSH}/devices", given(mine))
    assert browser.get(f"{PUSH}/state").json()["renews"] is False
    assert browser.post("/confirm", {"password": PASSWORD, "next": "/"}).status_code == 302
    drain_stream()
    assert devices_of(alice) == []
    answer = browser.get(f"{PUSH}/state").json()
    assert (answer["device"], answer["renews"]) == (mine.device, True)
    again = browser.post(f"{PUSH}/devices", given(mine) | {"renews": "on"})
    assert again.status_code == 204
    assert devices_of(alice) == [mine.device]
    browser.post("/logout")
    drain_stream()
    assert browser.get(f"{PUSH}/state").json()["device"] == ""
    assert devices_of(alice) == []


def test_a_device_that_was_removed_elsewhere_does_not_come_back(alice, pusher, service, log_in):
    tablet, phone = log_in(alice), log_in(alice)
    theirs = Browser(f"{service.origin}/ok/tablet")
    tablet.post(f"{PUSH}/devices", given(theirs))
    assert tablet.get(f"{PUSH}/state").json()["device"] == theirs.device
    phone.post(f"{PUSH}/remove", {"device": theirs.device})
    for _ in range(2):
        answer = tablet.get(f"{PUSH}/state").json()
        assert (answer["device"], answer["renews"]) == ("", False)
    tablet.post(f"{PUSH}/devices", given(theirs))  # it may be turned on anew
    assert tablet.get(f"{PUSH}/state").json()["device"] == theirs.device


def test_a_device_of_a_newer_sign_in_outlasts_the_end_of_the_one_before(
    alice, pusher, service, log_in, drain_stream
):
    """The browser may bring it again before the worker hears of the end."""
    browser, mine = log_in(alice), Browser(f"{service.origin}/ok/x")
    browser.post(f"{PUSH}/devices", given(mine))
    before = Html(browser.get(PAGE)).one("form", id="act")["data-s"]
    browser.post("/confirm", {"password": PASSWORD, "next": "/"})
    browser.post(f"{PUSH}/devices", given(mine) | {"renews": "on"})
    drain_stream()
    assert devices_of(alice) == named_in_bell(alice) == [mine.device]
    # By this `push_visit.js` knows that it has to look again.
    assert Html(browser.get(PAGE)).one("form", id="act")["data-s"] not in ("", before)


def test_a_test_is_to_ones_own_devices_alone(alice, bob, device, service, log_in, push):
    log_in(bob).post(f"{PUSH}/test", {"device": device.device})
    push()
    assert service.got == []
    log_in(bob).post(f"{PUSH}/remove", {"device": device.device})
    assert devices_of(alice) == [device.device]


def test_a_browser_of_another_service_is_told_so(alice, pusher, log_in):
    mine = Browser("https://push.evil.example/x")
    answer = log_in(alice).post(f"{PUSH}/devices", given(mine), follow=True)
    assert "We don’t send to the push service of this browser." in Html(answer).one("body").text
    assert devices_of(alice) == []


@pytest.mark.parametrize(
    "change",
    [
        {"endpoint": ""},
        {"endpoint": "x" * 2_000},
        {"p256dh": "x"},
        {"auth": "ü"},
        {"auth": "A" * 41},
        {"key": ""},
        {"endpoint": "\x00"},
    ],
)
def test_what_no_browser_gives_is_bad_input(alice, pusher, service, log_in, change):
    sent = given(Browser(f"{service.origin}/ok/x")) | change
    answer = log_in(alice).post(f"{PUSH}/devices", sent)
    assert answer.status_code == 302 or answer.status_code == 400
    assert devices_of(alice) == []


@pytest.mark.parametrize("device", ["", "x", "0" * 19, "0" * 21, "../../etc"])
def test_what_is_no_device_is_bad_input(alice, log_in, device):
    for action in ("remove", "test"):
        answer = log_in(alice).post(f"{PUSH}/{action}", {"device": device})
        assert answer.status_code == 400


def test_choices_are_saved_with_ones_own_zone(alice, pusher, log_in):
    browser = log_in(alice)
    browser.cookies["time_zone"] = "Europe/Berlin"
    form = {"push-messages": "on", "push-likes": "on", "push-quiet": "on", "push-hide_names": "on"}
    form |= {"push-quiet_from": "23", "push-quiet_to": "6"}
    page = Html(browser.post(PUSH, form, follow=True))
    assert "Settings saved." in page.one("body").text
    chosen = get_push_state(alice).choices
    assert chosen.wants("messages")
    assert chosen.wants("likes")
    assert not chosen.wants("replies")
    assert (chosen.quiet_from, chosen.quiet_to, chosen.zone) == (23, 6, "Europe/Berlin")
    assert not chosen.names


@pytest.mark.parametrize("hour", ["", "24", "-1", "x"])
def test_no_hour_of_the_list_is_bad_input(alice, pusher, log_in, hour):
    form = {"push-quiet_from": hour, "push-quiet_to": "6"}
    assert log_in(alice).post(PUSH, form).status_code == 400


def test_only_staff_choose_about_cases(alice, mod, pusher, log_in):
    assert Html(log_in(alice).get(PAGE)).all("input", name="push-cases") == []
    assert len(Html(log_in(mod).get(PAGE)).all("input", name="push-cases")) == 1


@pytest.mark.parametrize(
    "choices",
    [
        PushChoices(),
        PushChoices(frozenset()),
        PushChoices(frozenset({"messages", "likes"}), False, 22, 7, "America/Argentina/Salta"),
    ],
)
def test_choices_are_read_as_they_were_written(choices):
    assert read_choices(str(choices)) == choices


@pytest.mark.parametrize(
    "text", ["", "off", "off:x.names:on.quiet:99-7.zone:No/Where", "off:.names:maybe"]
)
def test_any_other_text_is_no_choice(text):
    assert read_choices(text).has_quiet is False


# What is kept, and with which key.


def test_the_table_holds_no_address_of_a_device_in_clear(alice, device):
    (raw,) = query(keys.push_subscriptions(alice.user_id), consistent=True)
    assert "/ok/alice" not in str(raw)
    assert device.p256dh not in str(raw)
    assert len(str(raw)) < 2_000


def test_a_copy_of_the_table_has_another_key_and_sends_nothing(
    alice, bob, device, service, drain_stream, settings
):
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    here = place_of_site()
    settings.SITE_URL = "https://copy.example"
    assert place_of_site() != here
    copy = Pusher(open_site_key())
    copy.look(utc_now() + timedelta(minutes=1))
    copy.finish()
    assert service.got == []
    assert devices_of(alice) == [device.device]


def test_the_key_moves_to_another_data_key(pusher, settings):
    before = open_site_key().public
    old, settings.DATA_KEY = settings.DATA_KEY, "another data key that is long enough as well"
    settings.DATA_KEY_FALLBACKS = [old]
    reencrypt_site_keys()
    reencrypt_site_keys()
    settings.DATA_KEY_FALLBACKS = []
    assert open_site_key().public == before


def test_a_key_that_no_data_key_opens_stays_until_it_is_replaced(pusher, settings, monkeypatch):
    monkeypatch.setattr("signal.signal", lambda *_: None)  # those of this process stay
    before, right = open_site_key().public, settings.DATA_KEY
    settings.DATA_KEY = "another data key that is long enough as well"
    with pytest.raises(NoKeyFits):
        open_site_key()
    with pytest.raises(CommandError, match="--new-key"):
        call_command("run_pusher")
    settings.DATA_KEY = right
    assert open_site_key().public == before
    settings.DATA_KEY = "another data key that is long enough as well"
    call_command("run_pusher", new_key=True)
    assert open_site_key().public != before


# Units


def units_of_stream(drain_stream, measure) -> float:
    with measure() as spent:
        drain_stream()
    return spent.write_units


def test_a_push_costs_two_write_units_which_is_half_of_a_notification(
    alice, bob, carol, alice_here, pusher, service, drain_stream, measure
):
    """Today's notification is the line and the bell, 2 units each. The plan of a push costs 1, its end 1."""
    drain_stream()
    follow(by=bob, user_id=carol.user_id)
    without = units_of_stream(drain_stream, measure)
    Browser(f"{service.origin}/ok/x").turn_on(alice_here)
    drain_stream()
    follow(by=bob, user_id=alice.user_id)
    with_push = units_of_stream(drain_stream, measure)
    (work,) = waiting_work()
    assert with_push - without == 1
    with measure() as spent:
        requests = pusher._requests(work)
        pusher._take_up(work)
        pusher.finish()
    assert len(requests) == 1
    today = 4.0
    assert today + (with_push - without) + 1 <= 1.5 * today
    assert spent.read_units <= 2 * 20


def test_a_bell_without_devices_makes_no_work_and_no_call(
    alice, bob, drain_stream, measure, pusher
):
    choose_push(by=signed_in(alice), choices=PushChoices(frozenset()))
    drain_stream()
    follow(by=bob, user_id=alice.user_id)
    with measure() as spent:
        drain_stream()
    assert "plan_pushes" not in {call.access_pattern for call in spent.calls}
    assert waiting_work() == []
