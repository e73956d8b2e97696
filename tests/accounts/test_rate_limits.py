"""Limits: who does too much is told when to come back. How guesses are slowed down is in `test_slowed_sign_in.py`."""

import pytest
from django.test import Client

from accounts.profile import views as profile
from accounts.sign_up import views as sign_up
from feed.composing import views as composing
from socialsite.table.reading import scan
from socialsite.web.limits import client_address
from tests.conftest import HTMX, PASSWORD
from tests.web.html import Html


def assert_too_many(response) -> int:
    assert response.status_code == 429
    assert "That was a lot at once" in response.content.decode()
    return int(response["Retry-After"])


def join(number: int, address: str = "192.0.2.1", **headers: str):
    form = {"name": "Dora", "password": PASSWORD, "handle": f"dora_{number}"}
    form["email"] = f"{number}@example.org"
    return Client(REMOTE_ADDR=address).post("/signup", form, headers=headers)


def test_retry_after_is_the_window_of_the_limit_that_was_reached(table, limit):
    limit(sign_up, "SIGN_UP_BY_ADDRESS", 1, seconds=300)
    answers = [join(number) for number in range(3)]  # more than two windows take
    refused = [answer for answer in answers if answer.status_code == 429]
    assert refused
    assert all(int(answer["Retry-After"]) <= 300 for answer in refused)


def test_addresses_of_one_ipv6_network_count_as_one(table, limit):
    limit(sign_up, "SIGN_UP_BY_ADDRESS", 1)
    assert join(1, "2001:db8:1:2::1").status_code == 302
    assert_too_many(join(2, "2001:db8:1:2:ffff::9"))
    assert join(3, "2001:db8:1:3::1").status_code == 302


def test_a_forwarded_address_is_not_believed_without_a_trusted_proxy(table, limit):
    limit(sign_up, "SIGN_UP_BY_ADDRESS", 1)
    join(1, **{"X-Forwarded-For": "198.51.100.1"})
    assert_too_many(join(2, **{"X-Forwarded-For": "198.51.100.2"}))


def test_behind_a_trusted_proxy_the_address_that_it_saw_counts(table, limit, settings):
    settings.TRUSTED_PROXY_HOPS = 1
    limit(sign_up, "SIGN_UP_BY_ADDRESS", 1)
    assert join(1, **{"X-Forwarded-For": "198.51.100.1"}).status_code == 302
    assert join(2, **{"X-Forwarded-For": "198.51.100.2"}).status_code == 302
    assert_too_many(join(3, **{"X-Forwarded-For": "203.0.113.7, 198.51.100.1"}))


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
    limit(composing, "POSTS", 1)
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
    form = {"account": "alice", "password": "wrong"}
    Client(REMOTE_ADDR="192.0.2.77").post("/login", form)
    rows = [raw for raw in scan() if raw["type"]["S"] == "RateLimit"]
    assert len(rows) == 3
    assert "192.0.2.77" not in str(rows)
    assert "alice" not in str(rows)
