"""Guesses at passwords and codes are slowed down, with growing pauses for each account and address."""

import pytest

from accounts.sign_in import browsers
from socialsite.table.reading import scan
from socialsite.web.limits import Slowdown
from tests.accounts.slowed import assert_slowed, guess_until_slowed, sign_in
from tests.conftest import PASSWORD
from tests.web.html import Html

pytestmark = pytest.mark.usefixtures("clock")


def most_tries(lane: Slowdown) -> int:
    """How many tries fit into a window, however patient someone is."""
    tries, passed = 0, 0
    while passed < lane.seconds:
        tries += 1
        passed += lane.pause_after(tries)
    return tries


# Pauses


def test_pauses_grow_twofold_up_to_the_longest():
    lane = Slowdown("x", free=3, longest=20, seconds=3600)
    assert [lane.pause_after(tries) for tries in range(1, 10)] == [0, 0, 1, 2, 4, 8, 16, 20, 20]


def test_how_many_tries_a_day_brings_is_bounded_and_known():
    assert most_tries(browsers.PASSWORD_BY_ACCOUNT) <= 175
    assert most_tries(browsers.CODE_BY_ACCOUNT) <= 65
    assert most_tries(browsers.PASSWORD_BY_BROWSER) <= 310
    assert most_tries(browsers.CODE_BY_BROWSER) <= 65


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
    assert guess_until_slowed() == browsers.PASSWORD_BY_ACCOUNT.free


def test_one_address_is_slowed_for_guesses_at_many_accounts(alice):
    taken = sum(sign_in(f"account_{number}").status_code == 422 for number in range(40))
    assert taken == browsers.PASSWORD_BY_ADDRESS.free
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
