"""Guesses and other much doing are slowed down, yet never keep the owner out; and what a sign-in notes."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.core.signing import TimestampSigner
from django.test import Client

from accounts.credentials.passwords import hash_password
from accounts.models import Credentials, Origin
from accounts.profile import views as profile
from accounts.sign_in import browsers
from accounts.sign_in.browsers import DAYS, OriginKind, Origins, origin_network
from accounts.sign_in.writes import sign_in as start_sign_in
from accounts.sign_up import views as sign_up
from feed.composing import views as composing
from socialsite.clock import utc_now
from socialsite.table import change, keys, query
from socialsite.table.reading import scan
from socialsite.web.limits import Slowdown, client_address
from tests.accounts import scenes as newcomers
from tests.accounts.authenticator import add_to
from tests.accounts.authenticator import sign_in as sign_in_with_passkey
from tests.accounts.scenes import (
    COOKIE,
    HOME,
    SCHOOL,
    assert_slowed,
    codes,
    come,
    enter_password,
    guess_password,
    guess_until_slowed,
    known_browser,
    traces,
    with_second_factor,
)
from tests.conftest import HTMX, PASSWORD
from tests.looks import broken_invariants
from tests.web.html import Html


def most_tries(lane: Slowdown) -> int:
    """How many tries fit into a window, however patient someone is."""
    tries, passed = 0, 0
    while passed < lane.seconds:
        tries += 1
        passed += lane.pause_after(tries)
    return tries


# Pauses


@pytest.mark.usefixtures("clock")
def test_pauses_grow_twofold_up_to_the_longest():
    lane = Slowdown("x", free=3, longest=20, seconds=3600)
    assert [lane.pause_after(tries) for tries in range(1, 10)] == [0, 0, 1, 2, 4, 8, 16, 20, 20]


@pytest.mark.usefixtures("clock")
def test_how_many_tries_a_day_brings_is_bounded_and_known():
    assert most_tries(browsers.PASSWORD_BY_ACCOUNT) <= 175
    assert most_tries(browsers.CODE_BY_ACCOUNT) <= 65
    assert most_tries(browsers.PASSWORD_BY_BROWSER) <= 310
    assert most_tries(browsers.CODE_BY_BROWSER) <= 65


@pytest.mark.usefixtures("clock")
def test_after_some_wrong_passwords_the_next_waits_longer_each_time(alice, lane, clock):
    lane("PASSWORD_BY_BOTH", free=2)
    assert guess_password().status_code == guess_password().status_code == 422
    pauses = []
    for _ in range(4):
        pauses.append(assert_slowed(guess_password()))
        clock.now += pauses[-1]
        assert guess_password().status_code == 422
    assert pauses == [1, 2, 4, 8]


@pytest.mark.usefixtures("clock")
def test_a_try_that_comes_too_early_is_refused_even_if_it_is_right_and_costs_nothing(
    alice, lane, clock
):
    lane("PASSWORD_BY_BOTH", free=2)
    guess_password(), guess_password()
    for _ in range(3):
        assert assert_slowed(guess_password(password=PASSWORD)) == 1
    clock.now += 1
    assert guess_password(password=PASSWORD).status_code == 302


def test_a_pause_that_begins_late_in_a_second_is_as_long_as_it_says(alice, lane, clock):
    lane("PASSWORD_BY_BOTH", free=2)
    clock.now += 0.9
    assert guess_password().status_code == guess_password().status_code == 422
    clock.now += 0.2  # the next second has begun
    assert_slowed(guess_password())
    clock.now += 0.9
    assert guess_password(password=PASSWORD).status_code == 302


@pytest.mark.usefixtures("clock")
def test_a_right_password_is_no_guess(alice, lane):
    lane("PASSWORD_BY_BOTH", free=2)
    for _ in range(5):
        assert guess_password(password=PASSWORD).status_code == 302


@pytest.mark.usefixtures("clock")
def test_the_window_ends_and_the_tries_are_free_again(alice, lane, clock):
    lane("PASSWORD_BY_BOTH", free=1, seconds=-1)
    assert guess_password().status_code == guess_password().status_code == 422


@pytest.mark.usefixtures("clock")
def test_what_was_typed_stays_beside_the_sentence(alice, lane):
    lane("PASSWORD_BY_BOTH", free=1)
    guess_password()
    response = guess_password()
    assert_slowed(response)
    assert Html(response).value("account") == "alice"
    assert "In a browser where you signed in before" in response.content.decode()


# Lanes


@pytest.mark.usefixtures("clock")
def test_other_addresses_and_accounts_do_not_wait(alice, bob, lane):
    lane("PASSWORD_BY_BOTH", free=1)
    guess_password()
    assert_slowed(guess_password())
    assert guess_password(password=PASSWORD, address="192.0.2.2").status_code == 302
    assert guess_password("bob", PASSWORD).status_code == 302


@pytest.mark.usefixtures("clock")
def test_one_account_is_slowed_for_guesses_from_many_addresses(alice):
    assert guess_until_slowed() == browsers.PASSWORD_BY_ACCOUNT.free


@pytest.mark.usefixtures("clock")
def test_one_address_is_slowed_for_guesses_at_many_accounts(alice):
    taken = sum(guess_password(f"account_{number}").status_code == 422 for number in range(40))
    assert taken == browsers.PASSWORD_BY_ADDRESS.free
    assert_slowed(guess_password("yet_another"))


@pytest.mark.usefixtures("clock")
def test_a_right_password_of_ones_own_ends_no_pause(alice, bob, lane):
    lane("PASSWORD_BY_ADDRESS", free=2)
    guess_password(), guess_password()
    assert_slowed(guess_password("bob", PASSWORD))
    assert_slowed(guess_password())


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("spelling", ["ALICE", " alice ", "@alice", "@Alice"])
def test_another_spelling_of_the_account_is_no_other_lane(alice, lane, spelling):
    lane("PASSWORD_BY_ACCOUNT", free=1)
    guess_password()
    assert_slowed(guess_password(spelling, address="192.0.2.2"))


@pytest.mark.usefixtures("clock")
def test_addresses_of_one_ipv6_network_are_one_lane(alice, lane):
    lane("PASSWORD_BY_ADDRESS", free=1)
    guess_password(address="2001:db8:1:2::1")
    assert_slowed(guess_password("other", address="2001:db8:1:2:ffff::9"))
    assert guess_password("other", address="2001:db8:1:3::1").status_code == 422


@pytest.mark.usefixtures("clock")
def test_an_account_that_is_not_there_is_slowed_just_the_same(alice, lane):
    lane("PASSWORD_BY_ACCOUNT", free=1)
    answers = []
    for account in ("alice", "aliki"):
        assert guess_password(account, address=f"{account}.invalid").status_code == 422
        answers.append(guess_password(account, address="192.0.2.5"))
    assert assert_slowed(answers[0]) == assert_slowed(answers[1])
    texts = [Html(answer).one("div", class_="form-errors").text for answer in answers]
    assert texts[0] == texts[1]


@pytest.mark.usefixtures("clock")
def test_counters_hold_nothing_that_names_anybody_and_expire(alice):
    guess_password(address="192.0.2.77")
    rows = [raw for raw in scan() if raw["type"]["S"] == "RateLimit"]
    assert len(rows) == 3
    assert "192.0.2.77" not in str(rows)
    assert "alice" not in str(rows)
    assert all("ttl" in row for row in rows)


# Guesses never keep the owner out of a browser that the account knows; codes are slowed like passwords.


@pytest.fixture
def few_tries(lane):
    """How many there are is said in `tests/accounts/test_slowed.py`."""
    lane("PASSWORD_BY_ACCOUNT", free=3)


# Browsers that the account knows


@pytest.mark.usefixtures("clock", "few_tries")
def test_the_owner_gets_in_where_they_signed_in_before_however_many_guess(alice):
    browser = known_browser()
    guess_until_slowed()
    assert_slowed(guess_password(password=PASSWORD, address="203.0.113.1"))
    assert (
        guess_password(password=PASSWORD, address="203.0.113.1", browser=browser).status_code == 302
    )


@pytest.mark.usefixtures("clock", "few_tries")
def test_signing_up_makes_the_browser_known(table):
    browser = Client()
    new = {"handle": "dora", "name": "Dora", "email": "dora@example.org", "password": PASSWORD}
    browser.post("/signup", new)
    browser.post("/logout")
    guess_until_slowed("dora")
    assert guess_password("dora", PASSWORD, browser=browser).status_code == 302


@pytest.mark.usefixtures("clock", "few_tries")
def test_guesses_in_a_known_browser_are_slowed_too(alice, lane):
    lane("PASSWORD_BY_BROWSER", free=2)
    browser = known_browser()
    assert (
        guess_password(browser=browser).status_code
        == guess_password(browser=browser).status_code
        == 422
    )
    response = guess_password(password=PASSWORD, browser=browser)
    assert_slowed(response)
    assert "In a browser where you signed in before" not in response.content.decode()
    assert guess_password(password=PASSWORD).status_code == 302  # in another browser


@pytest.mark.usefixtures("clock", "few_tries")
def test_signing_in_again_brings_no_new_tries(alice, lane):
    lane("PASSWORD_BY_BROWSER", free=2)
    browser = known_browser()
    guess_password(browser=browser)
    assert guess_password(password=PASSWORD, browser=browser).status_code == 302
    browser.post("/logout")
    guess_password(browser=browser)
    assert_slowed(guess_password(browser=browser))


@pytest.mark.usefixtures("clock", "few_tries")
def test_a_browser_knows_several_accounts(alice, bob):
    browser = known_browser("alice")
    guess_password("bob", PASSWORD, browser=browser)
    browser.post("/logout")
    for account in ("alice", "bob"):
        guess_until_slowed(account)
        assert guess_password(account, PASSWORD, browser=browser).status_code == 302
        browser.post("/logout")


@pytest.mark.usefixtures("clock", "few_tries")
def test_the_mark_of_one_account_is_none_of_another(alice, bob):
    browser = known_browser("bob")
    guess_until_slowed("alice")
    assert_slowed(guess_password("alice", PASSWORD, browser=browser))


@pytest.mark.usefixtures("clock", "few_tries")
def test_a_mark_is_worth_nothing_after_the_password_changed(alice):
    browser = known_browser()
    guess_until_slowed()
    hashed = hash_password("a new one entirely")
    change(Credentials, keys.credentials(alice.user_id), [Credentials.password.set(hashed)])
    assert_slowed(guess_password(password="a new one entirely", browser=browser))


FORGED = {
    "another end": lambda mark, alice: mark[:-1] + ("A" if mark[-1] != "A" else "B"),
    "another start": lambda mark, alice: "x" + mark,
    "another secret": lambda mark, alice: TimestampSigner(
        salt=f"known browser {alice.user_id} "
    ).sign("made-up"),
    "another key": lambda mark, alice: TimestampSigner(key="another").sign("made-up"),
    "the account's id": lambda mark, alice: alice.user_id,
    "dots": lambda mark, alice: "." * 3000,
    "no text": lambda mark, alice: "\x00:\ud83d:x".encode("utf-8", "replace").decode(),
}


@pytest.mark.usefixtures("clock", "few_tries")
def test_a_mark_cannot_be_made_up(alice):
    mark = known_browser().cookies[COOKIE].value
    guess_until_slowed()
    answers = {}
    for name, forge in FORGED.items():
        browser = Client()
        browser.cookies[COOKIE] = forge(mark, alice)
        answers[name] = guess_password(password=PASSWORD, browser=browser).status_code
    assert answers == dict.fromkeys(FORGED, 429)


@pytest.mark.usefixtures("clock", "few_tries")
def test_a_mark_signs_nobody_in_and_names_nobody(alice):
    browser = known_browser()
    value = browser.cookies[COOKIE].value
    assert alice.user_id not in value
    assert "alice" not in value
    assert set(browser.cookies) >= {COOKIE}
    only_it = Client()
    only_it.cookies[COOKIE] = value
    assert only_it.get("/settings/profile")["Location"].startswith("/login")


@pytest.mark.usefixtures("clock", "few_tries")
def test_the_cookie_is_kept_from_scripts_and_other_sites(alice):
    cookie = known_browser().cookies[COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert cookie["path"] == "/"
    assert not cookie["domain"]
    assert settings.DEVICE_COOKIE_NAME in ("device", "__Host-device")


# Codes


@pytest.mark.usefixtures("clock", "few_tries")
def test_codes_are_slowed_for_an_account_from_anywhere(alice, lane):
    lane("CODE_BY_ACCOUNT", free=2)
    app = with_second_factor(alice)
    for number in range(2):
        answer = enter_password(REMOTE_ADDR=f"192.0.2.{number}").post(
            "/login/code", {"code": app.wrong_code()}
        )
        assert answer.status_code == 422
    assert_slowed(enter_password().post("/login/code", {"code": app.code()}))


@pytest.mark.usefixtures("clock", "few_tries")
def test_codes_are_slowed_for_an_address_with_many_accounts(alice, bob, lane):
    lane("CODE_BY_ADDRESS", free=1)
    app, his = with_second_factor(alice), with_second_factor(bob)
    assert enter_password().post("/login/code", {"code": app.wrong_code()}).status_code == 422
    assert_slowed(enter_password("bob").post("/login/code", {"code": his.code()}))


@pytest.mark.usefixtures("clock", "few_tries")
def test_the_owner_enters_the_code_where_they_signed_in_before_however_many_guess(alice, lane):
    lane("CODE_BY_ACCOUNT", free=2)
    app = with_second_factor(alice)
    browser = enter_password()
    assert browser.post("/login/code", {"code": app.code()}).status_code == 302
    browser.post("/logout")
    for _ in range(2):
        assert enter_password().post("/login/code", {"code": app.wrong_code()}).status_code == 422
    assert_slowed(enter_password().post("/login/code", {"code": app.code()}))
    guess_password(password=PASSWORD, browser=browser)
    assert browser.post("/login/code", {"code": app.code()}).status_code == 302


@pytest.mark.usefixtures("clock", "few_tries")
def test_a_password_alone_makes_no_browser_known_where_a_code_is_asked_for(alice):
    with_second_factor(alice)
    assert COOKIE not in enter_password().cookies


@pytest.mark.usefixtures("clock", "few_tries")
def test_a_first_step_from_before_the_site_was_renewed_is_no_fault(alice):
    app = with_second_factor(alice)
    browser = enter_password()
    session = browser.session
    session["half"] = session["half"][:2]
    session.save()
    browser.cookies["session"] = session.session_key
    assert browser.post("/login/code", {"code": app.code()}).status_code == 302


# Limits: who does too much is told when to come back. How guesses are slowed down is in `test_slowed.py`.


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


# Each sign-in notes the network and the browser that it came from, as codes that end after 90 days.

NETWORK, BROWSER = OriginKind.NETWORK, OriginKind.BROWSER
ORIGIN_COOKIE = settings.ORIGIN_COOKIE_NAME


def test_a_sign_in_notes_one_network_and_one_browser(alice, drain_stream):
    come(alice)
    assert [trace.kind for trace in traces(alice)] == [BROWSER, NETWORK]
    for trace in traces(alice):
        (raw,) = query(keys.origins(trace.kind, trace.hmac))
        assert raw["user_id"]["S"] == alice.user_id
    drain_stream()
    assert broken_invariants() == {}


def test_signing_up_notes_them_too(table):
    newcomers.sign_up()
    assert len(traces(newcomers.viewer())) == 2


def test_so_do_both_ways_of_a_second_step_and_a_passkey_alone(alice, bob, carol, phone, log_in):
    app = with_second_factor(alice)
    browser = Client()
    browser.post("/login", {"account": "alice", "password": PASSWORD})
    assert traces(alice) == []
    browser.post("/login/code", {"code": app.code()})
    assert len(traces(alice)) == 2
    add_to(bob, phone, log_in(bob))
    assert sign_in_with_passkey(phone).status_code == 302
    assert len(traces(bob)) == 2


def test_a_wrong_password_and_a_visit_note_nothing(alice, log_in):
    Client().post("/login", {"account": "alice", "password": "wrong"})
    log_in(alice).get("/", REMOTE_ADDR=SCHOOL)
    assert traces(alice) == []


def test_neither_address_nor_the_id_of_the_browser_is_in_the_table(alice):
    browser = come(alice, HOME)
    held = str([raw for raw in scan() if raw["type"]["S"].startswith("Origin")])
    assert held
    assert "203.0.113" not in held
    browser_id = browser.cookies[ORIGIN_COOKIE].value.partition(":")[0]
    assert len(browser_id) > 20
    assert browser_id not in held


def test_signing_in_again_moves_the_end_and_adds_nothing(alice, monkeypatch):
    browser = come(alice)
    later = utc_now() + timedelta(days=30)
    monkeypatch.setattr("accounts.sign_in.browsers.utc_now", lambda: later)
    come(alice, browser=browser)
    assert len(traces(alice)) == 2
    for trace in traces(alice):
        assert abs(trace.ttl - later - timedelta(days=DAYS)) < timedelta(minutes=1)
        assert trace.seen == later.date().isoformat()


def test_an_origin_ends_after_90_days(alice, monkeypatch):
    long_ago = utc_now() - timedelta(days=DAYS, minutes=1)
    monkeypatch.setattr("accounts.sign_in.browsers.utc_now", lambda: long_ago)
    come(alice)
    assert traces(alice) == []  # although DynamoDB has not deleted it yet


def test_two_accounts_in_one_browser_share_its_code_and_others_do_not(alice, bob, carol):
    browser = come(alice)
    come(bob, SCHOOL, browser)
    come(carol)
    assert codes(alice, BROWSER) == codes(bob, BROWSER)
    assert codes(carol, BROWSER).isdisjoint(codes(alice, BROWSER))
    assert codes(carol, NETWORK) == codes(alice, NETWORK)
    assert codes(bob, NETWORK).isdisjoint(codes(alice, NETWORK))


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.7", "203.0.113.0/24"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.7", "203.0.113.0/24"),
        ("unknown", ""),
        ("", ""),
    ],
)
def test_a_network_is_as_wide_as_a_household_or_a_company(address, network):
    assert origin_network(address) == network


def test_a_sign_in_from_no_address_notes_the_browser_alone(alice):
    come(alice, address="")
    assert [trace.kind for trace in traces(alice)] == [BROWSER]


def test_a_cookie_that_the_site_did_not_sign_is_not_believed(alice, bob):
    browser = come(alice)
    value = browser.cookies[ORIGIN_COOKIE].value
    for forged in (f"x{value}", value.partition(":")[0], "x" * 22):
        other = Client()
        other.cookies[ORIGIN_COOKIE] = forged
        come(bob, browser=other)
    assert codes(bob, BROWSER).isdisjoint(codes(alice, BROWSER))


def test_the_cookie_is_kept_from_scripts_and_other_sites_and_outlives_the_sign_in(alice):
    cookie = come(alice).cookies[ORIGIN_COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert (cookie["path"], cookie["domain"]) == ("/", "")
    assert cookie["max-age"] == DAYS * 86_400
    assert alice.user_id not in cookie.value


def test_people_read_what_is_noted_where_they_see_their_sign_ins(alice, log_in):
    page = log_in(alice).get("/settings/security").content.decode()
    assert "which accounts share them" in page


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_it_costs(alice, measure):
    for origins, units in ((Origins(), 4), (Origins("203.0.113.0/24", "b"), 12)):
        with measure() as meter:
            start_sign_in(user_id=alice.user_id, browser="tests", origins=origins)
        assert (len(meter.calls), meter.write_units) == (1, units)
    assert {raw["type"]["S"] for raw in scan()} >= {Origin.__name__, "OriginTrace"}
