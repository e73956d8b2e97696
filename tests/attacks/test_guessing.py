"""Guesses at one password from many addresses, at many accounts from one, and all at once: how many are taken.

A patient attacker has three hours, and a day with `FAULTS=long`.
"""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.test import Client

from accounts.sign_in import browsers
from socialsite.web.limits import LimitReached, Slowdown, take_turn
from tests.accounts.conftest import clock
from tests.conftest import PASSWORD, person
from tests.injected.rotation import IS_LONG

__all__ = ["clock"]

HOURS = 24 if IS_LONG else 3


def guess(account: str, address: str) -> int:
    form = {"account": account, "password": "a guess"}
    return Client(REMOTE_ADDR=address).post("/login", form).status_code


def test_a_patient_attacker_with_an_address_for_each_guess(alice, clock):
    """A guess as soon as the pause is over."""
    begun, guesses, pauses = clock.now, 0, 0
    while clock.now < begun + HOURS * browsers.HOUR:
        address = f"2001:db8:{guesses:x}:{pauses:x}::1"
        form = {"account": "alice", "password": "a guess"}
        response = Client(REMOTE_ADDR=address).post("/login", form)
        if response.status_code == 422:
            guesses += 1
        else:
            assert response.status_code == 429
            pauses += 1
            clock.now += int(response["Retry-After"])
    print(f"one account, an address for each guess: {guesses} in {HOURS} hours, {pauses} refused")
    assert guesses <= 31 + 6 * HOURS  # 175 in a day


def test_one_address_at_many_accounts(alice, clock):
    people = [person(f"person_{number}") for number in range(5)]
    tries = 2 * browsers.PASSWORD_BY_ADDRESS.free
    statuses = [guess(people[n % 5].handle + str(n // 5), "198.51.100.1") for n in range(tries)]
    print(
        f"one address, {tries} accounts at once: {statuses.count(422)} guesses, {statuses.count(429)} refused"
    )
    assert statuses.count(422) == browsers.PASSWORD_BY_ADDRESS.free
    assert statuses.count(429) == tries - browsers.PASSWORD_BY_ADDRESS.free


@pytest.mark.parametrize("free", [1, 5])
def test_tries_at_the_same_moment_are_counted_each(table, clock, free):
    lane = Slowdown("race", free=free, longest=600, seconds=3600)

    def try_once(_: int) -> bool:
        try:
            take_turn([(lane, "somebody")])
        except LimitReached:
            return False
        return True

    with ThreadPoolExecutor(16) as pool:
        taken = sum(pool.map(try_once, range(64)))
    print(f"64 tries at the same moment, {free} free: {taken} taken")
    assert 1 <= taken <= free


def test_the_owner_signs_in_while_all_of_it_goes_on(alice, clock):
    browser = Client()
    form = {"account": "alice", "password": PASSWORD}
    browser.post("/login", form)
    browser.post("/logout")
    for number in range(60):
        guess("alice", f"198.51.{number}.1")
    elsewhere = Client(REMOTE_ADDR="203.0.113.9").post("/login", form).status_code
    known = browser.post("/login", form, REMOTE_ADDR="203.0.113.9").status_code
    print(f"after 60 guesses: {known} in a known browser, {elsewhere} in another")
    assert (known, elsewhere) == (302, 429)
