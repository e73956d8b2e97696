"""Limits: who tries too often is told when to come back."""

import pytest
from django.test import Client

from accounts.views import profile, sign_up
from accounts.views import sign_in as sign_in_view
from feed.views import posts
from socialsite.table.reading import scan
from socialsite.web.limits import client_address
from tests.accounts.conftest import DECADE
from tests.conftest import HTMX, PASSWORD
from tests.web.html import Html

BY_ADDRESS, BY_ACCOUNT = "SIGN_IN_BY_ADDRESS", "SIGN_IN_BY_ACCOUNT"


def sign_in(account: str = "alice", password: str = "wrong", address: str = "192.0.2.1"):
    form = {"account": account, "password": password}
    return Client(REMOTE_ADDR=address).post("/login", form)


def assert_too_many(response) -> int:
    assert response.status_code == 429
    assert "That was a lot at once" in response.content.decode()
    return int(response["Retry-After"])


def test_an_account_can_be_tried_only_so_often_from_anywhere(alice, limit):
    limit(sign_in_view, BY_ACCOUNT, 2)
    for number in range(2):
        assert sign_in(address=f"192.0.2.{number}").status_code == 422
    assert 0 < assert_too_many(sign_in(address="192.0.2.9")) <= DECADE
    assert_too_many(sign_in(password=PASSWORD, address="192.0.2.9"))


def test_the_limit_of_one_account_leaves_others_alone(alice, bob, limit):
    limit(sign_in_view, BY_ACCOUNT, 1)
    sign_in("alice")
    assert_too_many(sign_in("alice"))
    assert sign_in("bob", PASSWORD).status_code == 302


@pytest.mark.parametrize("spelling", ["ALICE", " alice ", "@alice", "@Alice"])
def test_another_spelling_of_the_account_buys_no_more_tries(alice, limit, spelling):
    limit(sign_in_view, BY_ACCOUNT, 1)
    sign_in("alice")
    assert_too_many(sign_in(spelling))


def test_unknown_accounts_are_limited_just_the_same(table, limit):
    limit(sign_in_view, BY_ACCOUNT, 1)
    assert sign_in("nobody_here").status_code == 422
    assert_too_many(sign_in("nobody_here"))


def test_an_address_can_try_only_so_often_whatever_the_account(alice, limit):
    limit(sign_in_view, BY_ADDRESS, 2)
    sign_in("one_account")
    sign_in("another_account")
    assert_too_many(sign_in("alice", PASSWORD))
    assert sign_in("alice", PASSWORD, "192.0.2.2").status_code == 302


def test_retry_after_is_the_window_of_the_limit_that_was_reached(alice, limit):
    limit(sign_in_view, BY_ADDRESS, 1, seconds=300)
    limit(sign_in_view, BY_ACCOUNT, 100)
    answers = [sign_in(f"account_{number}") for number in range(4)]  # more than two windows take
    refused = [answer for answer in answers if answer.status_code == 429]
    assert refused
    assert all(int(answer["Retry-After"]) <= 300 for answer in refused)


def test_addresses_of_one_ipv6_network_count_as_one(alice, limit):
    limit(sign_in_view, BY_ADDRESS, 1)
    sign_in(address="2001:db8:1:2::1")
    assert_too_many(sign_in("other", address="2001:db8:1:2:ffff::9"))
    assert sign_in("other", address="2001:db8:1:3::1").status_code == 422


def test_a_forwarded_address_is_not_believed_without_a_trusted_proxy(alice, limit):
    limit(sign_in_view, BY_ADDRESS, 1)
    form = {"account": "a_b_c", "password": "wrong"}
    answers = [
        Client(REMOTE_ADDR="192.0.2.1").post(
            "/login", form, headers={"X-Forwarded-For": f"198.51.100.{number}"}
        )
        for number in range(2)
    ]
    assert_too_many(answers[1])


def test_behind_a_trusted_proxy_the_address_that_it_saw_counts(alice, limit, settings):
    settings.TRUSTED_PROXY_HOPS = 1
    limit(sign_in_view, BY_ADDRESS, 1)
    form = {"account": "a_b_c", "password": "wrong"}

    def attempt(forwarded: str):
        return Client(REMOTE_ADDR="10.0.0.1").post(
            "/login", form, headers={"X-Forwarded-For": forwarded}
        )

    assert attempt("198.51.100.1").status_code == 422
    assert attempt("198.51.100.2").status_code == 422
    assert_too_many(attempt("203.0.113.7, 198.51.100.1"))


@pytest.mark.parametrize(
    ("forwarded", "address"),
    [
        ("198.51.100.1", "198.51.100.1"),
        ("198.51.100.1:5123", "198.51.100.1"),
        ("203.0.113.7, 198.51.100.1:443", "198.51.100.1"),
        ("2001:db8:1:2::9", "2001:db8:1:2::"),
        ("[2001:db8:1:2::9]", "2001:db8:1:2::"),
        ("[2001:db8:1:2::9]:443", "2001:db8:1:2::"),
        ("[::ffff:198.51.100.1]:443", "198.51.100.1"),
        ("", "10.0.0.1"),
        ("[", "unknown"),
        ("198.51.100.1:443:1", "unknown"),
    ],
)
def test_a_forwarded_address_counts_without_its_port(rf, settings, forwarded, address):
    settings.TRUSTED_PROXY_HOPS = 1
    request = rf.get("/", headers={"X-Forwarded-For": forwarded}, REMOTE_ADDR="10.0.0.1")
    assert client_address(request) == address


def test_signing_up_is_limited_by_address(table, limit):
    limit(sign_up, "SIGN_UP_BY_ADDRESS", 1)
    form = {"name": "Dora", "password": PASSWORD}
    first = Client().post("/signup", form | {"handle": "dora_1", "email": "1@example.org"})
    assert first.status_code == 302
    second = Client().post("/signup", form | {"handle": "dora_2", "email": "2@example.org"})
    assert_too_many(second)


def test_posts_are_limited_by_person_and_refused_ones_are_not_published(alice, log_in, limit):
    limit(posts, "POSTS", 1)
    browser = log_in(alice)
    browser.post("/posts", {"content": "one", "nonce": "n" * 22})
    assert_too_many(browser.post("/posts", {"content": "two", "nonce": "m" * 22}))
    htmx = browser.post("/posts", {"content": "two", "nonce": "m" * 22}, headers=HTMX)
    assert htmx.status_code == 429
    assert len(Html(browser.get("/@alice")).post_ids()) == 1


def test_uploads_are_limited_by_person(alice, log_in, limit, tmp_path):
    limit(profile, "UPLOADS", 1)
    browser = log_in(alice)
    for status in (422, 429):
        file = tmp_path / "x.png"
        file.write_bytes(b"no picture")
        with file.open("rb") as upload:
            form = {"name": "Alice", "avatar": upload}
            assert browser.post("/settings/profile", form).status_code == status


def test_limits_hold_the_subject_only_as_a_hash(alice):
    sign_in(address="192.0.2.77")
    rows = [raw for raw in scan() if raw["type"]["S"] == "RateLimit"]
    assert len(rows) == 2
    assert "192.0.2.77" not in str(rows)
    assert "alice" not in str(rows)
