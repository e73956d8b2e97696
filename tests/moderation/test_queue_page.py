"""The queue: what waits, the most urgent first, in tabs, and who looks at what. To others it is not there."""

import pytest
from django.test import Client

from accounts.permissions import Permission, save_role
from moderation.cases.writes import assign_case, claim_case
from moderation.models import ActionKind
from tests.conftest import HTMX, person
from tests.moderation.cases import about, decide, held_post, waiting_sign_up
from tests.moderation.queues import QUEUE, report, reported_people, reporters, rows
from tests.web.html import Html


@pytest.fixture
def moderator(mod, log_in) -> Client:
    return log_in(mod)


def row_text(response, handle: str) -> str:
    cards = Html(response).all("article", class_="case-row")
    return next(card.text for card in cards if f"@{handle}" in card.text)


@pytest.mark.parametrize("path", ["/moderation", QUEUE])
def test_to_who_is_no_moderator_it_is_not_there(alice, log_in, path):
    assert Client().get(path).status_code == 404
    assert log_in(alice).get(path).status_code == 404


def test_moderation_leads_to_the_queue(moderator):
    assert moderator.get("/moderation")["Location"] == QUEUE


def test_the_menu_leads_moderators_there_and_nobody_else(alice, moderator, log_in):
    assert '"/moderation"' in moderator.get("/").content.decode()
    assert '"/moderation"' not in log_in(alice).get("/").content.decode()


def test_the_most_urgent_stands_first_and_then_the_oldest(moderator, alice, bob, carol, mod):
    old, new = person("old"), person("new")
    for reported, severity in ((old, 3), (alice, 2), (new, 3), (bob, 1)):
        report(reported, by=[carol], severity=severity)
    assert rows(moderator.get(QUEUE)) == ["bob", "alice", "old", "new"]


def test_a_row_says_who_how_grave_how_many_and_which_rules(moderator, alice):
    report(alice, by=reporters(2), rule="harassment", severity=2)
    report(alice, by=[person("zoe")], rule="spam", severity=3)
    text = row_text(moderator.get(QUEUE), "alice")
    for said in ("Alice Archer", "Serious", "3 reports", "Spam", "Harassment or hate"):
        assert said in text


def test_a_severity_shows_its_cases_alone(moderator, alice, bob, carol):
    report(alice, by=[carol], severity=1)
    report(bob, by=[carol], severity=3)
    assert rows(moderator.get(f"{QUEUE}?severity=1")) == ["alice"]
    assert rows(moderator.get(f"{QUEUE}?severity=3")) == ["bob"]


@pytest.mark.parametrize(
    "query", ["queue=nowhere", "severity=4", "severity=x", "queue=closed&month=2026-13"]
)
def test_what_is_no_tab_is_a_bad_request(moderator, query):
    assert moderator.get(f"{QUEUE}?{query}").status_code == 400


def test_a_row_says_who_looks_at_it(moderator, alice, bob, mod, admin):
    report(alice, by=[bob])
    claim_case(by=admin, case_id=about(alice))
    assert "Addy Admin is reviewing this" in row_text(moderator.get(QUEUE), "alice")
    assert rows(moderator.get(QUEUE)) == ["alice"]


def test_what_lies_on_a_desk_is_under_mine_alone(moderator, alice, bob, mod):
    report(alice, by=[bob])
    assign_case(by=mod, case_id=about(alice), moderator_id=mod.user_id)
    assert rows(moderator.get(QUEUE)) == []
    assert rows(moderator.get(f"{QUEUE}?queue=mine")) == ["alice"]
    assert "Assigned to you" in row_text(moderator.get(f"{QUEUE}?queue=mine"), "alice")


def test_held_posts_and_sign_ups_have_their_tabs(moderator, alice, bob):
    held_post(alice)
    waiting_sign_up(bob)
    assert rows(moderator.get(f"{QUEUE}?queue=held")) == ["alice"]
    assert rows(moderator.get(f"{QUEUE}?queue=sign-ups")) == ["bob"]


def test_closed_cases_say_how_and_by_whom(moderator, alice, bob, mod):
    report(alice, by=[bob])
    decide(mod, about(alice), ActionKind.WARN, text="Careful")
    assert rows(moderator.get(QUEUE)) == []
    assert "Warned · closed by Mod Miller" in row_text(
        moderator.get(f"{QUEUE}?queue=closed"), "alice"
    )


def test_another_month_has_other_closed_cases(moderator, alice, bob, mod):
    report(alice, by=[bob])
    decide(mod, about(alice), ActionKind.DISMISS)
    page = moderator.get(f"{QUEUE}?queue=closed&month=2025-12")
    assert rows(page) == []
    assert "December 2025" in Html(page).one("p", class_="months").text
    assert Html(page).link("next") == "?queue=closed&month=2026-01"


def test_nobody_finds_a_case_about_themselves(moderator, mod, bob):
    report(mod, by=[bob])
    assert rows(moderator.get(QUEUE)) == []


@pytest.mark.parametrize(
    "tab", ["reports", "mine", "desks", "appeals", "held", "sign-ups", "closed"]
)
def test_an_empty_tab_says_so(moderator, tab):
    page = moderator.get(f"{QUEUE}?queue={tab}")
    assert page.status_code == 200
    assert Html(page).one(class_="empty").text


def test_a_long_queue_goes_on_over_pages_and_each_case_stands_once(moderator, alice):
    people = reported_people(45, by=alice)
    seen, address = [], QUEUE
    while address:
        page = moderator.get(address)
        seen += rows(page)
        address = Html(page).link("next")
    assert seen == [one.handle for one in people]


def test_htmx_gets_the_next_rows_alone(moderator, alice):
    reported_people(21, by=alice)
    address = Html(moderator.get(QUEUE)).link("next")
    part = moderator.get(address, headers=HTMX)
    assert rows(part) == ["person20"]
    assert "<html" not in part.content.decode()


def test_who_may_only_approve_sign_ups_finds_those_alone(admin, bob, log_in):
    save_role(by=admin, name="doorkeeper", title="Door", permissions={Permission.SIGN_UPS})
    keeper = log_in(person("keeper", role="doorkeeper"))
    waiting_sign_up(bob)
    assert rows(keeper.get(QUEUE)) == rows(keeper.get(f"{QUEUE}?queue=sign-ups")) == ["bob"]
    assert keeper.get(f"{QUEUE}?queue=reports").status_code == 404
    assert keeper.get("/moderation")["Location"] == QUEUE
    tabs = [
        link["href"]
        for link in Html(keeper.get(f"{QUEUE}?queue=sign-ups")).all("a")
        if "queue?" in link["href"]
    ]
    assert not [href for href in tabs if "reports" in href or "held" in href]


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_a_page_of_twenty_is_three_calls_and_one_for_hints(moderator, alice, requests_of):
    reported_people(25, by=alice)
    moderator.get(f"{QUEUE}?queue=held")  # the numbers on the tabs are kept
    with requests_of() as requests:
        moderator.get(QUEUE)
    assert requests.operations == ["BatchGetItem", "Query", "BatchGetItem", "Query"]
    assert requests.units[1:] == [1.0, 10.0, 0.5]
