"""How passwords are hashed in production: Argon2id, 19 MiB, two passes, one lane, two at once."""

import argon2
import pytest
from django.contrib.auth.hashers import identify_hasher
from django.test import Client

from accounts.credentials import passwords
from accounts.credentials.passwords import WrongPassword, hash_password, password_matches
from accounts.models import Credentials
from socialsite import settings as socialsite
from socialsite.table import Unavailable, get, keys
from tests.accounts.credentials import check_credentials
from tests.accounts.test_change_password import send as change_password
from tests.conftest import PASSWORD, person
from tests.web.html import Html


@pytest.fixture(autouse=True)
def _production_hasher(settings):
    settings.PASSWORD_HASHERS = socialsite.PASSWORD_HASHERS


def test_the_hash_is_argon2id_with_19_mib_two_passes_one_lane():
    hashed = hash_password(PASSWORD)
    parameters = argon2.extract_parameters(hashed.removeprefix("argon2"))
    assert parameters.type is argon2.Type.ID
    assert (parameters.memory_cost, parameters.time_cost, parameters.parallelism) == (
        19 * 1024,
        2,
        1,
    )


def test_the_right_password_matches_and_no_other():
    hashed = hash_password(PASSWORD)
    assert password_matches(PASSWORD, hashed)
    assert not password_matches(PASSWORD + "x", hashed)
    assert not password_matches(PASSWORD, None)


def test_each_hash_has_a_salt_of_its_own():
    assert hash_password(PASSWORD) != hash_password(PASSWORD)


def test_an_account_is_stored_with_it_and_signs_in(table):
    dora = person("dora")
    stored = get(Credentials, keys.credentials(dora.user_id)).password
    assert isinstance(identify_hasher(stored), passwords.Argon2Hasher)
    assert check_credentials(account="dora", password=PASSWORD).user_id == dora.user_id
    with pytest.raises(WrongPassword):
        check_credentials(account="dora", password="something else")


def test_an_unknown_account_costs_a_hash_too(table):
    """With every place taken even an unknown account has to wait: it is hashed for as well."""
    with AllPlacesTaken(), pytest.raises(Unavailable):
        check_credentials(account="nobody_here", password=PASSWORD)


def test_who_waits_for_a_hash_too_long_is_told_to_come_back(table):
    person("dora")
    with AllPlacesTaken():
        response = Client().post("/login", {"account": "dora", "password": PASSWORD})
    assert response.status_code == 503
    assert int(response["Retry-After"]) > 0


def test_a_place_comes_free_again_after_a_refused_password(table):
    person("dora")
    for _ in range(passwords.HASHES_AT_ONCE + 1):
        with pytest.raises(WrongPassword):
            check_credentials(account="dora", password="something else")


def test_a_password_too_long_is_refused_before_it_is_hashed(table):
    with AllPlacesTaken():
        response = Client().post("/login", {"account": "dora", "password": "x" * 129})
    assert response.status_code == 422
    assert Html(response).error("password")


class AllPlacesTaken:
    """As many sign-ins as may hash at once are at it."""

    def __enter__(self) -> None:
        self.taken = [passwords._slot() for _ in range(passwords.HASHES_AT_ONCE)]
        for place in self.taken:
            place.__enter__()

    def __exit__(self, *_: object) -> None:
        for place in self.taken:
            place.__exit__(None, None, None)


LONG = {
    "64 of words": "correct horse battery staple, and then some more of the same kind!!",
    "128 of letters": "".join(chr(97 + (n * 7) % 26) for n in range(128)),
    "128 of many scripts": ("пароль密码🔑é " * 20)[:128],
    "spaces at both ends": f"   {'a long one with spaces':-^70}   ",
}


@pytest.mark.parametrize("password", LONG.values(), ids=LONG)
def test_a_long_password_of_any_signs_is_taken_whole(table, password):
    """64 characters and more, up to 128: signing up, signing in, and changing it. Nothing is cut off."""
    form = {"handle": "dora", "name": "Dora", "email": "dora@example.org", "password": password}
    assert Client().post("/signup", form).status_code == 302
    for wrong in (password[:-1], password[:64] if len(password) > 64 else password[1:]):
        with pytest.raises(WrongPassword):
            check_credentials(account="dora", password=wrong)
    browser = Client()
    assert browser.post("/login", {"account": "dora", "password": password}).status_code == 302
    other = password[::-1]
    assert change_password(browser, password, other).status_code == 302
    assert check_credentials(account="dora", password=other)
