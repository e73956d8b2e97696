"""Each sign-in notes the network and the browser that it came from, as codes that end after 90 days."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import Origin
from accounts.sign_in.browsers import DAYS, OriginKind, Origins, origin_network
from accounts.sign_in.writes import sign_in as start_sign_in
from socialsite.clock import utc_now
from socialsite.table import keys, query
from socialsite.table.reading import scan
from tests.accounts.addresses import newcomers
from tests.accounts.authenticator import add_to
from tests.accounts.authenticator import sign_in as sign_in_with_passkey
from tests.accounts.codes import with_second_factor
from tests.accounts.origins import HOME, SCHOOL, codes, come, traces
from tests.conftest import PASSWORD
from tests.looks import broken_invariants

NETWORK, BROWSER = OriginKind.NETWORK, OriginKind.BROWSER
COOKIE = settings.ORIGIN_COOKIE_NAME


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
    browser_id = browser.cookies[COOKIE].value.partition(":")[0]
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
    value = browser.cookies[COOKIE].value
    for forged in (f"x{value}", value.partition(":")[0], "x" * 22):
        other = Client()
        other.cookies[COOKIE] = forged
        come(bob, browser=other)
    assert codes(bob, BROWSER).isdisjoint(codes(alice, BROWSER))


def test_the_cookie_is_kept_from_scripts_and_other_sites_and_outlives_the_sign_in(alice):
    cookie = come(alice).cookies[COOKIE]
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
