"""Many new accounts from one network on one day are a hint, for staff who may see who shares a network."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import Origin
from accounts.people.viewer import Viewer
from accounts.permissions import Permission, save_role
from accounts.sign_in.browsers import OriginKind
from moderation.models import HintKind
from moderation.suspicions.reads import list_hints
from moderation.suspicions.stream import NEWCOMER, note_newcomers
from privacy.erasure.search import clear
from socialsite import keys
from socialsite.clock import utc_now
from socialsite.streams.change import Change
from socialsite.streams.ledger import Ledger
from socialsite.table import ids, reading
from tests.accounts.origins import codes, note
from tests.conftest import person
from tests.moderation.cases import logged
from tests.moderation.hints import all_post, newcomers
from tests.moderation.queues import QUEUE
from tests.moderation.test_wave_pages import page_text, start
from tests.streams.records import everything, handle_all, lines, unread
from tests.web.html import Html

NET, OTHER_NET = "203.0.113.0/24", "198.51.100.0/24"
LINE = "5 new accounts signed in from the same network within a day"


@pytest.fixture
def admins(admin, log_in) -> Client:
    return log_in(admin)


@pytest.fixture
def crowd(table, drain_stream) -> list[Viewer]:
    """Five new accounts from one network."""
    return come_all(newcomers(5), drain_stream)


def come_all(people: list[Viewer], drain_stream, network: str = NET) -> list[Viewer]:
    for one in people:
        note(one, network)
    drain_stream()
    return people


def lines_of_hints() -> list[str]:
    return [hint.line for hint in list_hints(HintKind)]


def hint_url() -> str:
    [hint] = list_hints(HintKind)
    return hint.url


def origin_of(someone: Viewer) -> Origin:
    [hmac] = codes(someone, OriginKind.NETWORK)
    return reading.get(Origin, keys.origin(OriginKind.NETWORK, hmac, someone.user_id))


def noted(someone: Viewer, age: timedelta, event: str = "INSERT") -> bool:
    """Whether the worker counts a sign-in from the network at that age of the account."""
    ledger = Ledger()
    moment = ids.time_of(someone.user_id) + age
    note_newcomers(Change(event, None, origin_of(someone), "1", moment), ledger)
    return ledger.had_effects


# What becomes a hint


def test_from_five_new_accounts_of_a_network_on_it_is_a_hint(table, drain_stream):
    people = newcomers(6)
    come_all(people[:4], drain_stream)
    assert not lines_of_hints()
    come_all(people[4:5], drain_stream)
    assert lines_of_hints() == [LINE]
    come_all(people[5:], drain_stream)
    assert lines_of_hints() == [LINE.replace("5", "6")]


def test_each_account_counts_once_and_each_network_for_itself(table, drain_stream):
    people = newcomers(4)
    for network in (NET, OTHER_NET, NET):
        come_all(people, drain_stream, network)
    come_all([person("else")], drain_stream, "192.0.2.0/24")
    assert not lines_of_hints()


def test_a_browser_that_new_accounts_share_is_no_hint(table, drain_stream):
    for one in newcomers(5):
        note(one, "", "laptop")
    drain_stream()
    assert not lines_of_hints()


def test_accounts_of_more_than_a_day_do_not_count(alice):
    note(alice, NET)
    assert not noted(alice, NEWCOMER + timedelta(seconds=1))
    assert noted(alice, NEWCOMER - timedelta(seconds=1))


def test_sign_ins_of_two_days_are_counted_apart(table):
    for number, one in enumerate(newcomers(5)):
        note(one, NET)
        moment = utc_now() - timedelta(days=number == 4)
        note_newcomers(Change("INSERT", None, origin_of(one), "1", moment), Ledger())
    assert not lines_of_hints()


def test_the_handler_run_twice_does_what_it_does_once(table, drain_stream):
    people = newcomers(5)
    drain_stream()
    for one in people:
        note(one, NET)
    records = unread()
    first = handle_all(records)
    done = everything()
    second = handle_all(records)
    assert everything() == done
    assert lines(second) == lines(first)
    assert lines_of_hints() == [LINE]


# What is kept of it


def items_of_the_hint() -> list[str]:
    held = everything().values()
    return [str(raw) for raw in held if raw["type"]["S"] in ("Hint", "SamePost")]


def test_its_items_hold_neither_the_network_nor_the_hash_of_the_origin(crowd):
    held = items_of_the_hint()
    assert len(held) == 6
    [hmac] = codes(crowd[0], OriginKind.NETWORK)
    for secret in ("203.0.113", hmac, hmac[:24], "origin"):
        assert not any(secret in one for one in held), secret


def test_the_search_leaves_nothing_of_erased_people(crowd):
    erased = [one.user_id for one in crowd]
    for raw in everything().values():
        if raw["type"]["S"] in ("Hint", "SamePost"):
            clear(raw, erased)
    assert not any(user_id in one for one in items_of_the_hint() for user_id in erased)


# What staff see and do


def test_it_stands_above_the_reports_for_those_who_may_see_origins(crowd, admins, mod, log_in):
    assert LINE in Html(admins.get(QUEUE)).one("ul", aria_labelledby="hints").text
    assert "This may be a wave" not in page_text(log_in(mod).get(QUEUE))


def test_others_see_the_hints_about_posts_alone(crowd, mod, log_in, drain_stream):
    all_post(crowd)
    drain_stream()
    shown = Html(log_in(mod).get(QUEUE)).one("ul", aria_labelledby="hints").text
    assert "posted the same text" in shown
    assert "network" not in shown


@pytest.mark.parametrize("missing", [Permission.ORIGINS, Permission.PEOPLE, Permission.CASES])
def test_without_one_of_the_three_permissions_it_can_neither_be_opened_nor_put_away(
    crowd, admin, log_in, missing
):
    three = {Permission.CASES, Permission.PEOPLE, Permission.ORIGINS}
    save_role(by=admin, name="most", title="Most", permissions=three - {missing})
    browser, before = log_in(person("hosty", role="most")), logged()
    for rest in ("look", "put-away"):
        assert browser.post(f"{hint_url()}/{rest}").status_code == 404
    assert logged() == before
    assert lines_of_hints() == [LINE]


def test_a_look_at_all_is_a_draft_about_them_that_begins_with_a_warning(crowd, admins):
    address = str(admins.post(f"{hint_url()}/look")["Location"])
    page = Html(admins.get(address))
    included = {box["value"] for box in page.all("input", name="include", checked="")}
    assert included == {f"person.{one.user_id}" for one in crowd}
    assert page.one("input", name="kind", checked="")["value"] == "warn"
    [entry] = logged()
    assert (entry.action, entry.detail) == ("look up network", {"found": 5})


def test_the_wave_of_a_hint_warns_them_and_puts_it_away(crowd, admins, drain_stream):
    address = str(admins.post(f"{hint_url()}/look")["Location"])
    start(admins, address, "warn")
    assert logged()[-1].detail["hint"].endswith("-place")  # and no hash
    drain_stream()
    assert "5 cases decided." in page_text(admins.get(address))
    assert not lines_of_hints()


def test_it_is_put_away_once_and_the_log_keeps_no_hash(crowd, admins):
    address = hint_url()
    for _ in range(2):
        assert admins.post(f"{address}/put-away").status_code == 302
    assert not lines_of_hints()
    assert "This may be a wave" not in page_text(admins.get(QUEUE))
    [entry] = logged()
    assert entry.action == "put hint away"
    assert entry.detail["hint"].endswith("-place")


def test_an_id_that_never_was_is_not_there(crowd, admins):
    day = f"{utc_now():%Y-%m-%d}"
    for hint_id in (f"{day}-place-0", f"{day}-PLACE-0", "x"):
        for rest in ("look", "put-away"):
            assert admins.post(f"/moderation/hints/{hint_id}/{rest}").status_code == 404
    assert not logged()
