"""A device is told as long as the sign-in lasts in which it was turned on, and its person is there. The pusher looks at
the sign-in before each push, so every end counts at once, whatever ended it; the worker then deletes the device."""

from datetime import timedelta

import pytest

from accounts.models import Bell, SignIn, UserInfo
from accounts.security.writes import change_password
from accounts.sessions import end_other_sign_ins, end_sign_in, sign_out
from notifications.checks import NotificationInvariants
from notifications.models import PushSubscription
from notifications.push.reads import get_push_state
from notifications.push.sender import give_up_sending
from notifications.push.site_key import open_site_key, replace_site_key
from notifications.push.writes import MOST_DEVICES, forget_device, remove_device
from relations.follows.writes import follow
from socialsite.clock import utc_now
from socialsite.table import Item, NotFound, change, keys, write_batch
from socialsite.table.reading import scan
from tests.chats.scenes import write
from tests.conftest import PASSWORD
from tests.notifications.push.conftest import (
    devices_of,
    named_in_bell,
    sign_in_of,
    signed_in,
    waiting_work,
)
from tests.notifications.push.services import Browser, new_pusher


def set_info(person, **values):
    actions = [getattr(UserInfo, name).set(value) for name, value in values.items()]
    change(UserInfo, keys.user_info(person.user_id), actions)


def by_signing_out(alice, here):
    sign_out(by=here)


def in_the_list_of_sign_ins(alice, here):
    end_sign_in(by=signed_in(alice), secret_hash=here.secret_hash)


def everywhere_else(alice, here):
    end_other_sign_ins(by=signed_in(alice))


def by_another_password(alice, here):
    change_password(
        by=signed_in(alice),
        password=PASSWORD,
        new_password="another-calm-password-2",
        browser="tests",
    )


def by_its_ttl(alice, here):
    ended = [SignIn.ttl.set(utc_now() - timedelta(minutes=1))]
    change(SignIn, keys.sign_in(alice.user_id, here.secret_hash), ended)


ENDS = [
    by_signing_out,
    in_the_list_of_sign_ins,
    everywhere_else,
    by_another_password,
    by_its_ttl,
]


@pytest.mark.parametrize("end", ENDS)
def test_nothing_is_sent_once_the_sign_in_has_ended(
    alice, alice_here, bob, device, service, pusher, drain_stream, end
):
    """Also where the push was planned before, and the worker has not heard of the end."""
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    assert len(waiting_work()) == 1
    end(alice, alice_here)
    pusher.look(utc_now() + timedelta(minutes=1))
    pusher.finish()
    assert service.got == []
    assert devices_of(alice) == []
    assert waiting_work() == []


@pytest.mark.parametrize("end", ENDS[:-1])
def test_the_worker_deletes_the_device_of_a_sign_in_that_ended(
    alice, alice_here, device, drain_stream, end
):
    assert named_in_bell(alice) == [device.device]
    end(alice, alice_here)
    drain_stream()
    assert (devices_of(alice), named_in_bell(alice)) == ([], [])


@pytest.mark.parametrize(
    "state",
    [
        {"suspended_until": "9999-12-31T00:00:00+00:00"},
        {"closing": "2020-01-01T00:00:00+00:00"},
        {"waiting": "yes"},
        {"paused": "2020-01-01T00:00:00+00:00"},
    ],
    ids=lambda state: next(iter(state)),
)
def test_whoever_is_locked_out_meanwhile_is_not_told(
    alice, bob, device, service, push, drain_stream, state
):
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    set_info(alice, **state)
    push()
    assert service.got == []
    assert devices_of(alice) == [device.device]  # for afterwards


def test_two_people_on_one_device(alice, alice_here, bob, device, service, push, log_in):
    """Bob signs in where Alice forgot to sign out of: her sign-in lasts, so her device does, until his visit ends what
    the browser gave (`push_visit.js`), which asks whose it is."""
    browser = log_in(bob)
    answer = browser.get("/settings/notifications/push/state").json()
    assert answer["device"] == ""
    assert answer["key"]


def test_a_visitor_is_told_that_a_subscription_is_nobodys(client, alice, device):
    assert client.get("/settings/notifications/push/state").json() == {
        "key": "",
        "device": "",
        "renews": False,
    }


def test_turning_on_again_renews_and_another_address_replaces(alice, alice_here, device, service):
    device.turn_on(alice_here)
    assert devices_of(alice) == [device.device]
    other = Browser(f"{service.origin}/ok/new")
    other.turn_on(alice_here)
    assert (devices_of(alice), named_in_bell(alice)) == ([other.device], [other.device])
    assert sign_in_of(alice_here).push_device == other.device


def test_there_are_ten_devices_at_most(alice, pusher, service):
    browsers = [Browser(f"{service.origin}/ok/{number}") for number in range(MOST_DEVICES + 2)]
    for browser in browsers:
        browser.turn_on(signed_in(alice))
    assert sorted(devices_of(alice)) == named_in_bell(alice)
    assert len(devices_of(alice)) == MOST_DEVICES
    assert browsers[-1].device in devices_of(alice)


def test_nobody_turns_on_in_a_sign_in_that_has_ended(alice, alice_here, pusher, service):
    sign_out(by=alice_here)
    with pytest.raises(NotFound):
        Browser(f"{service.origin}/ok/x").turn_on(alice_here)
    assert devices_of(alice) == []


def test_a_device_is_renewed_after_a_week_and_goes_after_sixty_days(alice, alice_here, device):
    state = get_push_state(alice_here)
    assert not state.must_renew
    assert timedelta(days=59) < state.here.until - utc_now() < timedelta(days=61)
    place = keys.push_subscription(alice.user_id, device.device)
    until = [PushSubscription.ttl.set(utc_now() + timedelta(days=52))]
    change(PushSubscription, place, until)
    assert get_push_state(alice_here).must_renew
    device.turn_on(alice_here)
    assert not get_push_state(alice_here).must_renew


def expire(person, device):
    """As DynamoDB does, after 60 days without a visit."""
    write_batch(deletes=[keys.push_subscription(person.user_id, device.device)])


def test_a_bell_forgets_a_device_that_expired_and_plans_nothing_for_it(
    alice, bob, carol, device, push, drain_stream, service
):
    expire(alice, device)
    follow(by=bob, user_id=alice.user_id)
    push()
    assert named_in_bell(alice) == []
    write(carol, alice, "Hello")
    drain_stream()
    assert waiting_work() == []
    assert service.got == []


def test_a_device_that_is_turned_on_again_meanwhile_is_not_forgotten(alice, device):
    forget_device(user_id=alice.user_id, device=device.device)
    assert devices_of(alice) == named_in_bell(alice) == [device.device]


def test_work_expires_where_no_pusher_runs(alice, bob, device, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    (work,) = waiting_work()
    assert timedelta(days=1) < work.ttl - utc_now() < timedelta(days=3)


def test_with_another_key_nothing_is_sent_until_the_browser_renews(
    alice, alice_here, bob, device, service, pusher, push, drain_stream
):
    replace_site_key()
    anew = new_pusher_after(pusher)
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    anew.look(utc_now() + timedelta(minutes=1))
    anew.finish()
    assert service.got == []
    assert devices_of(alice) == [device.device]
    state = get_push_state(alice_here)
    assert state.must_renew
    assert state.public == open_site_key().public
    device.turn_on(alice_here)
    follow(by=signed_in(bob), user_id=alice.user_id)
    assert not get_push_state(alice_here).must_renew


def new_pusher_after(pusher):
    give_up_sending(pusher.owner)
    return new_pusher()


def test_removing_twice_is_safe(alice, alice_here, device):
    for _ in range(2):
        remove_device(user_id=alice.user_id, device=device.device)
    assert (devices_of(alice), named_in_bell(alice)) == ([], [])


def test_a_device_that_its_bell_does_not_name_is_found_by_the_audit(alice, device):
    def found() -> list[str]:
        looks = NotificationInvariants()
        for raw in scan():
            looks.add(Item.from_raw_data(raw))
        return [place for wrong in looks.results().values() for place in wrong]

    assert found() == []
    write_batch(puts=[Bell.new(user_id=alice.user_id, unseen={}, asking=(), changes=0)])
    assert found() == [f"{alice.user_id} {device.device}"]
