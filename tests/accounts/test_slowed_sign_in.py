"""Guesses at passwords and codes are slowed down, and never keep the owner out of a browser that the account knows."""

import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.conf import settings
from django.core.signing import TimestampSigner
from django.test import Client

from accounts import sign_in_lanes as lanes
from accounts.hashers import hash_password
from accounts.models import Credentials
from socialsite.table import keys
from socialsite.table.reading import scan
from socialsite.table.writing import change
from socialsite.web import slowdown
from socialsite.web.slowdown import Slowdown
from tests.accounts.codes import enter_password, with_second_factor
from tests.conftest import PASSWORD
from tests.web.html import Html

COOKIE = "device"


class Clock:
    """Stands in for `time` where pauses are measured."""

    def __init__(self) -> None:
        self.now = time.time()

    def time(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch) -> Clock:
    """Time stands still, so that no pause ends while a test runs."""
    clock = Clock()
    monkeypatch.setattr(slowdown, "time", clock)
    return clock


@pytest.fixture
def lane(monkeypatch) -> Callable[..., None]:
    """`lane("PASSWORD_BY_ACCOUNT", free=2)`: that lane, but so."""

    def set_lane(name: str, **changed: int) -> None:
        monkeypatch.setattr(lanes, name, replace(getattr(lanes, name), **changed))

    return set_lane


def sign_in(
    account: str = "alice",
    password: str = "wrong",
    address: str = "192.0.2.1",
    browser: Client | None = None,
):
    browser = browser or Client()
    form = {"account": account, "password": password}
    return browser.post("/login", form, REMOTE_ADDR=address)


def known_browser(account: str = "alice") -> Client:
    """A browser in which its owner signed in and out."""
    browser = Client()
    assert sign_in(account, PASSWORD, browser=browser).status_code == 302
    browser.post("/logout")
    return browser


def assert_slowed(response) -> int:
    assert response.status_code == 429
    assert "Too many tries" in response.content.decode()
    return int(response["Retry-After"])


def guess_until_slowed(account: str = "alice", addresses: int = 50) -> int:
    """Guesses from many addresses; returns how many guesses were taken."""
    for number in range(addresses):
        if sign_in(account, address=f"198.51.{number}.1").status_code == 429:
            return number
    raise AssertionError("nobody slowed the guesses")


# Pauses


def test_pauses_grow_twofold_up_to_the_longest():
    lane = Slowdown("x", free=3, longest=20, seconds=3600)
    assert [lane.pause_after(tries) for tries in range(1, 10)] == [0, 0, 1, 2, 4, 8, 16, 20, 20]


def test_how_many_tries_a_day_brings_is_bounded_and_known():
    assert lanes.PASSWORD_BY_ACCOUNT.most_tries() <= 175
    assert lanes.CODE_BY_ACCOUNT.most_tries() <= 65
    assert lanes.PASSWORD_BY_BROWSER.most_tries() <= 310
    assert lanes.CODE_BY_BROWSER.most_tries() <= 65


def test_after_some_wrong_passwords_the_next_waits_longer_each_time(alice, lane, clock):
    lane("PASSWORD_BY_BOTH", free=2)
    assert sign_in().status_code == sign_in().status_code == 422
    pauses = []
    for _ in range(4):
        pauses.append(assert_slowed(sign_in()))
        clock.now += pauses[-1]
        assert sign_in().status_code == 422
    assert pauses == [1, 2, 4, 8]


def test_a_try_that_comes_too_early_is_refused_even_if_it_is_right_and_costs_nothing(
    alice, lane, clock
):
    lane("PASSWORD_BY_BOTH", free=2)
    sign_in(), sign_in()
    for _ in range(3):
        assert assert_slowed(sign_in(password=PASSWORD)) == 1
    clock.now += 1
    assert sign_in(password=PASSWORD).status_code == 302


def test_a_right_password_is_no_guess(alice, lane):
    lane("PASSWORD_BY_BOTH", free=2)
    for _ in range(5):
        assert sign_in(password=PASSWORD).status_code == 302


def test_the_window_ends_and_the_tries_are_free_again(alice, lane, clock):
    lane("PASSWORD_BY_BOTH", free=1, seconds=-1)
    assert sign_in().status_code == sign_in().status_code == 422


def test_what_was_typed_stays_beside_the_sentence(alice, lane):
    lane("PASSWORD_BY_BOTH", free=1)
    sign_in()
    response = sign_in()
    assert_slowed(response)
    assert Html(response).value("account") == "alice"
    assert "In a browser where you signed in before" in response.content.decode()


# Lanes


def test_other_addresses_and_accounts_do_not_wait(alice, bob, lane):
    lane("PASSWORD_BY_BOTH", free=1)
    sign_in()
    assert_slowed(sign_in())
    assert sign_in(password=PASSWORD, address="192.0.2.2").status_code == 302
    assert sign_in("bob", PASSWORD).status_code == 302


def test_one_account_is_slowed_for_guesses_from_many_addresses(alice):
    assert guess_until_slowed() == lanes.PASSWORD_BY_ACCOUNT.free


def test_one_address_is_slowed_for_guesses_at_many_accounts(alice):
    taken = sum(sign_in(f"account_{number}").status_code == 422 for number in range(40))
    assert taken == lanes.PASSWORD_BY_ADDRESS.free
    assert_slowed(sign_in("yet_another"))


def test_a_right_password_of_ones_own_ends_no_pause(alice, bob, lane):
    lane("PASSWORD_BY_ADDRESS", free=2)
    sign_in(), sign_in()
    assert_slowed(sign_in("bob", PASSWORD))
    assert_slowed(sign_in())


@pytest.mark.parametrize("spelling", ["ALICE", " alice ", "@alice", "@Alice"])
def test_another_spelling_of_the_account_is_no_other_lane(alice, lane, spelling):
    lane("PASSWORD_BY_ACCOUNT", free=1)
    sign_in()
    assert_slowed(sign_in(spelling, address="192.0.2.2"))


def test_addresses_of_one_ipv6_network_are_one_lane(alice, lane):
    lane("PASSWORD_BY_ADDRESS", free=1)
    sign_in(address="2001:db8:1:2::1")
    assert_slowed(sign_in("other", address="2001:db8:1:2:ffff::9"))
    assert sign_in("other", address="2001:db8:1:3::1").status_code == 422


def test_an_account_that_is_not_there_is_slowed_just_the_same(alice, lane):
    lane("PASSWORD_BY_ACCOUNT", free=1)
    answers = []
    for account in ("alice", "aliki"):
        assert sign_in(account, address=f"{account}.invalid").status_code == 422
        answers.append(sign_in(account, address="192.0.2.5"))
    assert assert_slowed(answers[0]) == assert_slowed(answers[1])
    texts = [Html(answer).one("div", class_="form-errors").text for answer in answers]
    assert texts[0] == texts[1]


def test_counters_hold_nothing_that_names_anybody_and_expire(alice):
    sign_in(address="192.0.2.77")
    rows = [raw for raw in scan() if raw["type"]["S"] == "RateLimit"]
    assert len(rows) == 3
    assert "192.0.2.77" not in str(rows)
    assert "alice" not in str(rows)
    assert all("ttl" in row for row in rows)


# Browsers that the account knows


def test_the_owner_gets_in_where_they_signed_in_before_however_many_guess(alice):
    browser = known_browser()
    guess_until_slowed()
    assert_slowed(sign_in(password=PASSWORD, address="203.0.113.1"))
    assert sign_in(password=PASSWORD, address="203.0.113.1", browser=browser).status_code == 302


def test_signing_up_makes_the_browser_known(table):
    browser = Client()
    new = {"handle": "dora", "name": "Dora", "email": "dora@example.org", "password": PASSWORD}
    browser.post("/signup", new)
    browser.post("/logout")
    guess_until_slowed("dora")
    assert sign_in("dora", PASSWORD, browser=browser).status_code == 302


def test_guesses_in_a_known_browser_are_slowed_too(alice, lane):
    lane("PASSWORD_BY_BROWSER", free=2)
    browser = known_browser()
    assert sign_in(browser=browser).status_code == sign_in(browser=browser).status_code == 422
    response = sign_in(password=PASSWORD, browser=browser)
    assert_slowed(response)
    assert "In a browser where you signed in before" not in response.content.decode()
    assert sign_in(password=PASSWORD).status_code == 302  # in another browser


def test_signing_in_again_brings_no_new_tries(alice, lane):
    lane("PASSWORD_BY_BROWSER", free=2)
    browser = known_browser()
    sign_in(browser=browser)
    assert sign_in(password=PASSWORD, browser=browser).status_code == 302
    browser.post("/logout")
    sign_in(browser=browser)
    assert_slowed(sign_in(browser=browser))


def test_a_browser_knows_several_accounts(alice, bob):
    browser = known_browser("alice")
    sign_in("bob", PASSWORD, browser=browser)
    browser.post("/logout")
    for account in ("alice", "bob"):
        guess_until_slowed(account)
        assert sign_in(account, PASSWORD, browser=browser).status_code == 302
        browser.post("/logout")


def test_the_mark_of_one_account_is_none_of_another(alice, bob):
    browser = known_browser("bob")
    guess_until_slowed("alice")
    assert_slowed(sign_in("alice", PASSWORD, browser=browser))


def test_a_mark_is_worth_nothing_after_the_password_changed(alice):
    browser = known_browser()
    guess_until_slowed()
    hashed = hash_password("a new one entirely")
    change(Credentials, keys.credentials(alice.user_id), [Credentials.password.set(hashed)])
    assert_slowed(sign_in(password="a new one entirely", browser=browser))


@pytest.mark.parametrize(
    "forge",
    [
        lambda mark, alice: mark[:-1] + ("A" if mark[-1] != "A" else "B"),
        lambda mark, alice: "x" + mark,
        lambda mark, alice: TimestampSigner(salt=f"known browser {alice.user_id} ").sign("made-up"),
        lambda mark, alice: TimestampSigner(key="another").sign("made-up"),
        lambda mark, alice: alice.user_id,
        lambda mark, alice: "." * 3000,
        lambda mark, alice: "\x00:\ud83d:x".encode("utf-8", "replace").decode(),
    ],
)
def test_a_mark_cannot_be_made_up(alice, forge):
    browser = known_browser()
    browser.cookies[COOKIE] = forge(browser.cookies[COOKIE].value, alice)
    guess_until_slowed()
    assert_slowed(sign_in(password=PASSWORD, browser=browser))


def test_a_mark_signs_nobody_in_and_names_nobody(alice):
    browser = known_browser()
    value = browser.cookies[COOKIE].value
    assert alice.user_id not in value
    assert "alice" not in value
    assert set(browser.cookies) >= {COOKIE}
    only_it = Client()
    only_it.cookies[COOKIE] = value
    assert only_it.get("/settings/profile")["Location"].startswith("/login")


def test_the_cookie_is_kept_from_scripts_and_other_sites(alice):
    cookie = known_browser().cookies[COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert cookie["path"] == "/"
    assert not cookie["domain"]
    assert settings.DEVICE_COOKIE_NAME in ("device", "__Host-device")


# Codes


def test_codes_are_slowed_for_an_account_from_anywhere(alice, lane):
    lane("CODE_BY_ACCOUNT", free=2)
    app = with_second_factor(alice)
    for number in range(2):
        answer = enter_password(REMOTE_ADDR=f"192.0.2.{number}").post(
            "/login/code", {"code": app.wrong_code()}
        )
        assert answer.status_code == 422
    assert_slowed(enter_password().post("/login/code", {"code": app.code()}))


def test_codes_are_slowed_for_an_address_with_many_accounts(alice, bob, lane):
    lane("CODE_BY_ADDRESS", free=1)
    app, his = with_second_factor(alice), with_second_factor(bob)
    assert enter_password().post("/login/code", {"code": app.wrong_code()}).status_code == 422
    assert_slowed(enter_password("bob").post("/login/code", {"code": his.code()}))


def test_the_owner_enters_the_code_where_they_signed_in_before_however_many_guess(alice, lane):
    lane("CODE_BY_ACCOUNT", free=2)
    app = with_second_factor(alice)
    browser = enter_password()
    assert browser.post("/login/code", {"code": app.code()}).status_code == 302
    browser.post("/logout")
    for _ in range(2):
        assert enter_password().post("/login/code", {"code": app.wrong_code()}).status_code == 422
    assert_slowed(enter_password().post("/login/code", {"code": app.code()}))
    sign_in(password=PASSWORD, browser=browser)
    assert browser.post("/login/code", {"code": app.code()}).status_code == 302


def test_a_password_alone_makes_no_browser_known_where_a_code_is_asked_for(alice):
    with_second_factor(alice)
    assert COOKIE not in enter_password().cookies


def test_a_first_step_from_before_the_site_was_renewed_is_no_fault(alice):
    app = with_second_factor(alice)
    browser = enter_password()
    session = browser.session
    session["half"] = session["half"][:2]
    session.save()
    browser.cookies["session"] = session.session_key
    assert browser.post("/login/code", {"code": app.code()}).status_code == 302
