"""Whatever a push service answers, or does not, nobody else waits for it, and nothing is sent for ever."""

import socket
import time
from datetime import UTC, datetime, timedelta

import pytest

from notifications.push import asking
from notifications.push.asking import NO_ADDRESS, Answer, Connections, Outcome
from notifications.push.sender import FAILURES, TRIES, _plan_again
from notifications.push.services import service_of
from notifications.push.site_key import MOST_TOKENS
from relations.follows.writes import follow
from socialsite.table import Unavailable
from tests.conftest import person
from tests.notifications.push.conftest import devices_of, named_in_bell, signed_in, waiting_work
from tests.notifications.push.services import Browser, running_service


def ask(service, path):
    return Connections().post(service_of(f"{service.origin}{path}"), b"x", {"TTL": "1"})


def now() -> datetime:
    return datetime.now(UTC)


def later(**how) -> datetime:
    return now() + timedelta(**how)


@pytest.mark.parametrize(
    ("path", "outcome"),
    [
        ("/ok", Outcome.SENT),
        ("/expired", Outcome.GONE),
        ("/busy", Outcome.LATER),
        ("/broken", Outcome.LATER),
        ("/refused", Outcome.REFUSED),
        ("/elsewhere", Outcome.REFUSED),
    ],
)
def test_an_answer_means_one_thing(service, path, outcome):
    assert ask(service, path).outcome == outcome


def test_no_redirect_is_followed(service):
    ask(service, "/elsewhere/x")
    assert service.paths() == ["/elsewhere/x"]


def test_of_a_long_answer_four_kilobytes_are_read(service):
    began = time.monotonic()
    assert ask(service, "/big").outcome == Outcome.SENT
    assert time.monotonic() - began < 1.5
    assert service.sent < 8 * 1024 * 1024  # the rest of what the system itself takes in advance


@pytest.mark.parametrize("path", ["/hang", "/slow"])
def test_nobody_waits_longer_than_two_seconds(service, path):
    began = time.monotonic()
    answer = ask(service, path)
    assert (answer.outcome, answer.status) == (Outcome.LATER, 0)
    assert time.monotonic() - began < asking.SECONDS + 1


def test_an_environment_names_no_proxy(service, monkeypatch):
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert ask(service, "/ok").outcome == Outcome.SENT


def test_a_connection_serves_again_and_one_that_ended_is_replaced():
    with running_service() as service:
        connections, place = Connections(), service_of(f"{service.origin}/ok")
        for _ in range(3):
            assert connections.post(place, b"x", {}).outcome == Outcome.SENT
        ((_, line),) = connections.idle[place.host, place.port]
        line.shutdown(socket.SHUT_RDWR)
        assert connections.post(place, b"x", {}).outcome == Outcome.SENT


def test_a_dead_subscription_goes(alice, alice_here, bob, pusher, service, push):
    Browser(f"{service.origin}/expired/x").turn_on(alice_here)
    assert len(devices_of(alice)) == 1
    follow(by=bob, user_id=alice.user_id)
    push()
    assert (devices_of(alice), named_in_bell(alice), waiting_work()) == ([], [], [])


def test_a_busy_service_is_asked_again_when_it_says(alice, alice_here, bob, pusher, service, push):
    browser, other = Browser(f"{service.origin}/busy/x"), Browser(f"{service.origin}/ok/x")
    browser.turn_on(alice_here)
    other.turn_on(signed_in(alice))
    follow(by=bob, user_id=alice.user_id)
    push()
    (work,) = waiting_work()
    assert (work.device, work.tries) == (browser.device, 1)
    assert later(seconds=110) < datetime.fromisoformat(work.moment) < later(seconds=130)
    service.is_busy = False
    push(at=later(seconds=100))
    assert len(service.got) == 2
    push(at=later(seconds=130))
    assert sorted(service.paths()) == ["/busy/x", "/busy/x", "/ok/x"]
    assert browser.read(service.got[-1].body)["title"] == "Bob Brandt followed you"
    assert waiting_work() == []


def test_a_service_that_stays_broken_is_given_up_after_five_tries(
    alice, alice_here, bob, pusher, service, push
):
    Browser(f"{service.origin}/broken/x").turn_on(alice_here)
    follow(by=bob, user_id=alice.user_id)
    for hours in range(1, TRIES + 3):
        push(at=later(hours=hours))
    assert len(service.got) == TRIES
    assert waiting_work() == []
    assert len(devices_of(alice)) == 1


def test_a_push_that_is_refused_is_not_tried_again(alice, alice_here, bob, pusher, service, push):
    Browser(f"{service.origin}/refused/x").turn_on(alice_here)
    follow(by=bob, user_id=alice.user_id)
    push()
    assert len(service.got) == 1
    assert waiting_work() == []
    assert len(devices_of(alice)) == 1


def test_a_service_that_hangs_delays_nobody_elses_push(
    alice, alice_here, bob, pusher, service, drain_stream
):
    with running_service() as hanging:
        people = [person(f"hung{number}", f"Hung {number}") for number in range(12)]
        for number, one in enumerate(people):
            Browser(f"{hanging.origin}/hang/{number}").turn_on(signed_in(one))
            follow(by=bob, user_id=one.user_id)
        Browser(f"{service.origin}/ok/alice").turn_on(alice_here)
        follow(by=bob, user_id=alice.user_id)
        drain_stream()
        began = time.monotonic()
        pusher.look(later(minutes=1))
        while not service.got:
            assert time.monotonic() - began < 5
            time.sleep(0.01)
        told_after = time.monotonic() - began
        pusher.finish()
        all_after = time.monotonic() - began
    assert told_after < asking.SECONDS
    assert all_after < 3 * asking.SECONDS  # after some failures it is left alone
    assert len(hanging.got) < len(people)
    assert len(waiting_work()) == len(people)  # for later


def test_what_is_a_day_late_is_not_sent_any_more(
    alice, bob, device, service, push, drain_stream, monkeypatch
):
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    in_two_days = later(days=2)
    monkeypatch.setattr("notifications.push.sender.utc_now", lambda: in_two_days)
    push(at=in_two_days)
    assert service.got == []
    assert waiting_work() == []


APPLE = "web.push.apple.com"


@pytest.fixture
def asked(monkeypatch) -> list[str]:
    """Apple's push service without the network: the hosts that were asked, of which one has an address."""
    hosts: list[str] = []

    def post(self, service, body, headers):
        hosts.append(service.host)
        return Answer(Outcome.SENT, 201) if service.host == APPLE else NO_ADDRESS

    monkeypatch.setattr(Connections, "post", post)
    return hosts


def test_made_up_hosts_of_a_service_stop_nobody_elses_pushes(
    alice, bob, carol, pusher, push, asked
):
    for number in range(FAILURES + 1):
        Browser(f"https://no{number}.push.apple.com/x").turn_on(signed_in(bob))
    follow(by=carol, user_id=bob.user_id)
    push()
    assert len(asked) == FAILURES + 1
    Browser(f"https://{APPLE}/x").turn_on(signed_in(alice))
    follow(by=carol, user_id=alice.user_id)
    push(at=now())
    push(at=later(seconds=30))
    assert asked.count(APPLE) == 1
    assert {one.user_id for one in waiting_work()} == {bob.user_id}


def test_a_host_that_is_left_alone_was_not_tried(alice, bob, pusher, push, asked):
    Browser("https://no.push.apple.com/x").turn_on(signed_in(alice))
    follow(by=bob, user_id=alice.user_id)
    for hours in range(1, FAILURES + 3):
        push(at=later(hours=hours))
    assert len(asked) == FAILURES
    (work,) = waiting_work()
    assert work.tries == FAILURES


@pytest.mark.parametrize("others_answer", [True, False])
def test_a_device_whose_host_has_no_address_goes_with_its_last_try(
    alice, bob, pusher, push, asked, monkeypatch, others_answer
):
    """Unless no host at all answered: then it is this machine that finds none."""
    monkeypatch.setattr("notifications.push.sender.FAILURES", TRIES + 1)
    one = Browser("https://no.push.apple.com/x")
    one.turn_on(signed_in(alice))
    if others_answer:
        Browser(f"https://{APPLE}/x").turn_on(signed_in(alice))
    follow(by=bob, user_id=alice.user_id)
    for hours in range(1, TRIES + 1):
        assert one.device in devices_of(alice)
        push(at=later(hours=hours))
    assert asked.count("no.push.apple.com") == TRIES
    assert (one.device in devices_of(alice)) is not others_answer
    assert waiting_work() == []


def test_a_host_without_an_address_is_told_from_one_that_does_not_answer(service, monkeypatch):
    def unknown(*_, **__):
        raise socket.gaierror(socket.EAI_NONAME, "no such host")

    connections = Connections()
    place = service_of("https://no.push.apple.com/x")
    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    assert connections.post(place, b"x", {}) == NO_ADDRESS
    assert connections.idle == {}


def test_tokens_of_made_up_hosts_are_not_kept_for_ever(pusher):
    for number in range(MOST_TOKENS + 2):
        pusher.key.header(service_of(f"https://no{number}.push.apple.com/x"))
    assert len(pusher.key._tokens) <= MOST_TOKENS


def test_what_is_never_tried_ends_after_a_day(alice, bob, pusher, push, drain_stream, asked):
    Browser("https://no.push.apple.com/x").turn_on(signed_in(alice))
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    (work,) = waiting_work()
    late = later(days=2)
    _plan_again(work, moment=late, device="", tries=0)
    pusher.look(later(minutes=1))
    pusher.finish()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("notifications.push.sender.utc_now", lambda: late)
        push(at=late)
    assert len(asked) == 1


def test_all_addresses_of_a_host_share_two_seconds(monkeypatch):
    """Addresses that take no connection: a listener with a full line."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        lines = [socket.create_connection(full.getsockname()) for _ in range(1)]
        address = (socket.AF_INET, socket.SOCK_STREAM, 6, "", full.getsockname())
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [address] * 3)
        began = time.monotonic()
        answer = Connections().post(service_of(f"https://{APPLE}/x"), b"x", {})
        assert time.monotonic() - began < asking.SECONDS + 1
        assert answer.status == 0
        for line in lines:
            line.close()


def test_work_whose_reads_are_refused_comes_up_later_and_not_for_ever(
    alice, bob, device, service, push, monkeypatch
):
    def refused(*_, **__):
        raise Unavailable("no policy")

    asked = []
    monkeypatch.setattr(
        "notifications.push.sender.read_addressee",
        lambda *args, **how: asked.append(args) or refused(),
    )
    follow(by=bob, user_id=alice.user_id)
    push()
    (work,) = waiting_work()
    assert work.tries == 1
    assert later(seconds=50) < datetime.fromisoformat(work.moment) < later(seconds=70)
    for hours in range(1, TRIES + 3):
        push(at=later(hours=hours))
    assert len(asked) == TRIES
    assert waiting_work() == []
