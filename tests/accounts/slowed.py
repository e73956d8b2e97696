"""What the tests of slowed sign-ins share: a clock that stands still, lanes of a few tries, and guesses."""

import time

from django.test import Client

from tests.conftest import PASSWORD

COOKIE = "device"


class Clock:
    """Stands in for `time` where pauses are measured."""

    def __init__(self) -> None:
        self.now = time.time()

    def time(self) -> float:
        return self.now


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
