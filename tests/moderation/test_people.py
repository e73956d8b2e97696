"""Lists of people for staff, and other accounts of one person."""

from datetime import timedelta

import pytest

from accounts.models import UserInfo
from accounts.people.restrictions import FOR_EVER, Restriction
from accounts.permissions import Permission, save_role
from accounts.profile.writes import change_handle, pause_account
from accounts.sign_in.browsers import DAYS
from moderation.cases.writes import assign_case
from moderation.models import ActionKind, PersonEntry
from moderation.people import reads
from moderation.people.reads import (
    find_people,
    list_new_people,
    list_of_domain,
    list_of_network,
    list_other_accounts,
    list_reported,
    list_restricted,
    people_url,
)
from moderation.people.stream import list_among_people
from relations.blocks.writes import block
from socialsite.clock import utc_now
from socialsite.streams.change import Change
from socialsite.streams.ledger import Ledger
from socialsite.table import Delete, change, get, keys, query, transact
from socialsite.table.ids import time_of
from tests.accounts.scenes import HOME, SCHOOL, come, note
from tests.conftest import HTMX, person
from tests.looks import broken_invariants
from tests.moderation.cases import A_SECOND_AGO, about, decide, logged, report, restrict
from tests.web.html import Html


def handles(page) -> list[str]:
    return [row.person.handle for row in page.items]


def month_of(viewer) -> str:
    """The month in which someone signed up."""
    return f"{time_of(viewer.user_id):%Y-%m}"


def test_everyone_who_signed_up_is_among_the_new_people_the_newest_first(
    alice, bob, carol, drain_stream
):
    assert handles(list_new_people(month_of(alice))) == []
    drain_stream()
    assert handles(list_new_people(month_of(alice))) == ["carol", "bob", "alice"]
    assert handles(list_new_people("2020-01")) == []


def test_more_than_a_page_of_new_people_are_paged_without_losing_anyone(table, drain_stream):
    people = [person(f"person{number}") for number in range(23)]
    month, everyone = month_of(people[0]), [one.card.handle for one in people]
    drain_stream()
    first = list_new_people(month)
    second = list_new_people(month, cursor=first.next_cursor)
    assert [*handles(first), *handles(second)] == everyone[::-1]
    assert second.next_cursor is None


def test_the_restricted_are_listed_by_the_end_of_their_restriction(
    alice, bob, carol, mod, drain_stream
):
    restrict(alice, Restriction.SUSPENDED, lasts=None)
    restrict(bob, Restriction.LIMITED, lasts=timedelta(days=2))
    restrict(carol, Restriction.FROZEN, lasts=timedelta(days=1))
    drain_stream()
    assert handles(list_restricted()) == ["carol", "bob", "alice"]
    assert [word for row in list_restricted().items for word, _ in row.restrictions] == [
        "Frozen",
        "Limited",
        "Suspended",
    ]
    assert broken_invariants() == {}


def test_a_restriction_that_is_lifted_or_over_is_not_listed(alice, bob, drain_stream):
    restrict(alice, Restriction.FROZEN)
    restrict(bob, Restriction.FROZEN, lasts=A_SECOND_AGO)
    drain_stream()
    lifted = [UserInfo.frozen_until.remove()]
    change(UserInfo, keys.user_info(alice.user_id), lifted)
    assert handles(list_restricted()) == []  # before the worker too
    drain_stream()
    assert handles(list_restricted()) == []
    kept = [raw for shard in range(4) for raw in query(keys.restricted_people(shard))]
    assert kept == []
    assert broken_invariants() == {}


def test_the_handler_may_run_twice_and_late(alice, drain_stream):
    drain_stream()
    info = get(UserInfo, keys.user_info(alice.user_id), consistent=True)
    limited = get(UserInfo, info.key, consistent=True)
    limited.limited_until = FOR_EVER
    begun, ended = (
        Change("MODIFY", old, new, "1") for old, new in ((info, limited), (limited, info))
    )
    for one in (begun, ended, begun, ended, begun):  # of which the info says that it is over
        list_among_people(one, Ledger())
        assert handles(list_restricted()) == []
        assert handles(list_new_people(month_of(alice))) == ["alice"]
    assert broken_invariants() == {}


def test_people_who_are_gone_leave_the_lists(alice, drain_stream):
    restrict(alice, Restriction.LIMITED)
    drain_stream()
    transact(Delete(keys.user_info(alice.user_id)))
    drain_stream()
    month = month_of(alice)
    left = [
        raw
        for shard in range(4)
        for part in (keys.new_people(month, shard), keys.restricted_people(shard))
        for raw in query(part)
    ]
    assert left == []


def test_an_entry_of_a_restriction_ends_with_it(alice, drain_stream):
    restrict(alice, Restriction.LIMITED, lasts=timedelta(days=1))
    drain_stream()
    end = get(UserInfo, keys.user_info(alice.user_id)).limited_until
    entry = get(PersonEntry, keys.restricted_person(alice.user_id, str(end)))
    assert abs(entry.ttl - utc_now() - timedelta(days=1)) < timedelta(minutes=1)


def test_the_reported_are_those_with_an_open_case_also_on_a_desk(alice, bob, carol, mod, admin):
    report(carol, alice, rule_id="spam")
    report(carol, bob, rule_id="violence", severity=1)
    assign_case(by=mod, case_id=about(alice), moderator_id=admin.user_id)
    assert handles(list_reported()) == ["bob", "alice"]
    decide(mod, about(bob), ActionKind.WARN, text="No")
    assert handles(list_reported()) == ["alice"]


def test_the_search_finds_people_whom_nobody_else_finds(alice, bob, carol, mod, drain_stream):
    restrict(alice, Restriction.SUSPENDED)
    pause_account(by=bob)
    block(by=carol, user_id=mod.user_id)
    drain_stream()
    assert handles(find_people("ali")) == ["alice"]
    assert handles(find_people("brandt")) == ["bob"]
    assert handles(find_people("@carol")) == ["carol"]
    assert handles(find_people("陈")) == ["carol"]
    assert handles(find_people("nobody")) == []
    assert handles(find_people("…")) == []


def test_a_former_handle_still_finds_its_person(alice, drain_stream):
    change_handle(by=alice, handle="alison")
    drain_stream()
    assert handles(find_people("alice")) == ["alison"]


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_the_lists_cost(alice, bob, carol, drain_stream, measure):
    restrict(alice, Restriction.LIMITED)
    drain_stream()
    for read, calls, units in (
        (lambda: list_new_people(month_of(alice)), 5, 2 + 1.5),
        (list_restricted, 5, 2 + 0.5),
        (list_reported, 4, 2),
        (lambda: find_people("alice"), 3, 1.5),
    ):
        with measure() as meter:
            read()
        assert (len(meter.calls), sum(call.units for call in meter.calls)) == (calls, units)


# Other accounts of one person: by browser, network and email domain. Which staff may look, and what the log keeps.

PAGE = "/moderation/people"
NET, OTHER_NET = "203.0.113.0/24", "198.51.100.0/24"


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
def test_what_the_lists_of_origins_cost(alice, bob, measure):
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
