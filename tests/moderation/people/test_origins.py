"""Other accounts of one person: by browser, network and email domain. Who may look, and what the log keeps of it."""

from datetime import timedelta

import pytest

from accounts.people.restrictions import Restriction
from accounts.permissions import Permission, save_role
from accounts.sign_in.browsers import DAYS
from moderation.people import reads
from moderation.people.reads import list_of_domain, list_of_network, list_other_accounts, people_url
from socialsite.clock import utc_now
from tests.accounts.origins import HOME, SCHOOL, come, note
from tests.conftest import HTMX, person
from tests.moderation.cases import logged
from tests.moderation.restricting import restrict
from tests.web.html import Html

PAGE = "/moderation/people"
NET, OTHER_NET = "203.0.113.0/24", "198.51.100.0/24"


@pytest.fixture
def admins(admin, log_in):
    return log_in(admin)


def found(accounts) -> list[tuple[str, str]]:
    return [(row.person.handle, row.shared) for row in accounts.rows]


def text_of(response) -> str:
    return Html(response).one("main").text


def test_the_same_browser_comes_first_then_those_who_share_more_networks(alice, bob, carol):
    dave, erin = person("dave"), person("erin")
    for network in (NET, OTHER_NET):
        note(alice, network, "laptop")
        note(bob, network, "phone")
    note(carol, "192.0.2.0/24", "laptop")
    note(dave, NET, "tablet")
    note(erin, "192.0.2.0/24", "watch")
    assert found(list_other_accounts(alice.user_id)) == [
        ("carol", "Same browser"),
        ("bob", "Same network"),
        ("dave", "Same network"),
    ]
    note(bob, NET, "laptop")
    assert found(list_other_accounts(alice.user_id))[0] == ("bob", "Same browser and network")
    assert found(list_other_accounts(erin.user_id)) == [("carol", "Same network")]


def test_a_person_who_has_not_signed_in_lately_shares_nothing(alice, bob):
    note(bob, NET, "laptop")
    assert found(list_other_accounts(alice.user_id)) == []


def test_what_ended_is_shared_no_more(alice, bob, monkeypatch):
    long_ago = utc_now() - timedelta(days=DAYS, minutes=1)
    with monkeypatch.context() as then:
        then.setattr("accounts.sign_in.browsers.utc_now", lambda: long_ago)
        note(bob, NET, "laptop")
    note(alice, NET, "laptop")
    assert found(list_other_accounts(alice.user_id)) == []
    assert found(list_of_network(NET)) == [("alice", "")]


def test_a_network_of_very_many_is_left_out_and_said(alice, bob, carol, admins, monkeypatch):
    monkeypatch.setattr(reads, "CROWD", 2)
    for one in (alice, bob, carol):
        note(one, NET)
    for one in (alice, carol):
        note(one, "", "laptop")
    accounts = list_other_accounts(alice.user_id)
    assert (found(accounts), accounts.crowded) == ([("carol", "Same browser")], 1)
    answer = admins.post(f"{people_url(alice.user_id)}/accounts")
    assert "1 network or browser is left out" in text_of(answer)


def test_no_more_are_shown_than_fit_on_a_page_and_the_newest_first(alice, bob, carol, monkeypatch):
    monkeypatch.setattr(reads, "MOST_SHOWN", 2)
    for one in (alice, bob, carol):
        note(one, NET)
    for accounts in (list_of_network(NET), list_of_domain("example.org")):
        assert ([handle for handle, _ in found(accounts)], accounts.is_cut) == (
            ["carol", "bob"],
            True,
        )


def test_an_administrator_sees_them_on_the_page_of_a_person(alice, bob, admin, admins):
    browser = come(alice, HOME)
    come(bob, SCHOOL, browser)
    restrict(bob, Restriction.SUSPENDED)
    here = people_url(alice.user_id)
    assert "@bob" not in text_of(admins.get(here))
    assert logged() == []
    answer = admins.post(f"{here}/accounts")
    assert "Same browser, last on" in text_of(answer)
    assert people_url(bob.user_id) in answer.content.decode()
    fragment = admins.post(f"{here}/accounts", headers=HTMX)
    assert Html(fragment).one("section")["id"] == "accounts"
    assert [(one.moderator_id, one.action, one.person_id, one.detail) for one in logged()] == [
        (admin.user_id, "view accounts", alice.user_id, {"found": 1})
    ] * 2
    assert admins.post(f"{PAGE}/{'0' * 26}/accounts").status_code == 404
    assert len(logged()) == 2


def test_an_address_or_a_range_finds_who_signed_in_from_its_network(alice, bob, carol, admins):
    come(alice, HOME)
    come(bob, "203.0.113.99")
    come(carol, SCHOOL)
    for typed in (HOME, NET, " 203.0.113.0 ", "203.0.113.7/32"):
        answer = admins.post(f"{PAGE}/network", {"network": typed})
        said = text_of(answer)
        assert ("@alice" in said, "@bob" in said, "@carol" in said) == (True, True, False), typed
    assert "203.0.113" not in str([one.serialize() for one in logged()])
    assert {one.action for one in logged()} == {"look up network"}
    empty = admins.post(f"{PAGE}/network", {"network": "192.0.2.1"})
    assert "Nobody has signed in from this network" in text_of(empty)


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "Fill"),
        ("home", "Write the network like"),
        ("203.0.0.0/16", "/24"),
        ("2001:db8::/48", "/64"),
        ("203.0.113.0/x", "/24"),
    ],
)
def test_what_is_no_network_is_said_beside_the_field(admins, typed, why):
    answer = admins.post(f"{PAGE}/network", {"network": typed})
    assert answer.status_code == 422
    assert why in Html(answer).error("network")
    assert Html(answer).value("network") == typed
    assert logged() == []


def test_moderators_find_the_accounts_of_a_domain(alice, bob, mod, log_in):
    mods = log_in(mod)
    answer = mods.post(f"{PAGE}/domain", {"domain": "someone@Example.ORG"})
    assert "@alice" in text_of(answer)
    assert "@bob" in text_of(answer)
    none = mods.post(f"{PAGE}/domain", {"domain": "example.com"})
    assert "No account has confirmed an address of this domain." in text_of(none)
    assert [(one.action, one.detail) for one in logged()] == [
        ("look up domain", {"found": 3}),
        ("look up domain", {"found": 0}),
    ]
    wrong = mods.post(f"{PAGE}/domain", {"domain": "no domain"})
    assert (wrong.status_code, Html(wrong).value("domain")) == (422, "no domain")


def test_moderators_see_nothing_of_networks_and_browsers(alice, mod, log_in):
    mods, here = log_in(mod), people_url(alice.user_id)
    assert "Other accounts" not in text_of(mods.get(here))
    assert "Search by network" not in text_of(mods.get(PAGE))
    assert mods.post(f"{here}/accounts").status_code == 404
    assert mods.post(f"{PAGE}/network", {"network": HOME}).status_code == 404
    assert logged() == []


def test_it_takes_both_permissions(alice, admin, log_in):
    save_role(by=admin, name="origins", title="Origins", permissions={Permission.ORIGINS})
    both = {Permission.ORIGINS, Permission.PEOPLE}
    save_role(by=admin, name="both", title="Both", permissions=both)
    where = f"{people_url(alice.user_id)}/accounts"
    assert log_in(person("olga", role="origins")).post(where).status_code == 404
    assert log_in(person("bella", role="both")).post(where).status_code == 200


def test_nobody_asks_for_their_own_and_no_get_shows_any(admin, alice, admins):
    assert admins.post(f"{people_url(admin.user_id)}/accounts").status_code == 403
    for address in (f"{people_url(alice.user_id)}/accounts", f"{PAGE}/network", f"{PAGE}/domain"):
        assert admins.get(address).status_code == 405
    assert logged() == []


def test_found_accounts_can_be_acted_on_together(alice, bob, admin, admins):
    note(alice, NET)
    note(bob, NET)
    page = Html(admins.post(f"{PAGE}/network", {"network": HOME}))
    targets = [box["value"] for box in page.all("input", name="targets")]
    assert len(targets) == 2
    preview = admins.post("/moderation/waves", {"action": "warn", "targets": targets})["Location"]
    said = text_of(admins.get(preview))
    assert ("@alice" in said, "@bob" in said) == (True, True)


def test_many_networks_do_not_hide_the_browser(alice, bob, monkeypatch):
    monkeypatch.setattr(reads, "MOST_TRACES", 3)
    for number in range(4):
        note(alice, f"198.51.{number}.0/24", "laptop")
    note(bob, NET, "laptop")
    assert found(list_other_accounts(alice.user_id)) == [("bob", "Same browser")]


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_the_lists_cost(alice, bob, measure):
    for one in (alice, bob):
        note(one, NET, "laptop")
    for read, calls, units in (
        (lambda: list_other_accounts(alice.user_id), 5, 2.5),
        (lambda: list_of_network(NET), 2, 1.5),
        (lambda: list_of_domain("example.org"), 2, 1.5),
    ):
        with measure() as meter:
            read()
        assert (len(meter.calls), meter.read_units) == (calls, units)
