"""A case on one page: the person, the reasons by rule, the posts as they were, what may be done."""

import pytest
from django.test import Client

from accounts.people.restrictions import Restriction
from feed.publishing.writes import delete_post
from moderation.cases.writes import assign_case
from moderation.models import ActionKind
from tests.accounts.renaming import rename
from tests.conftest import HTMX, person
from tests.moderation.cases import about, about_post, decide, held_post
from tests.moderation.queues import (
    asks_to_join,
    page_of,
    part,
    report,
    reporters,
    rows,
    steps,
)
from tests.moderation.restricting import restrict
from tests.web.html import Html


@pytest.fixture
def moderator(mod, log_in) -> Client:
    return log_in(mod)


PATHS = ["", "/note", "/reveal", "/undo", "/claim", "/assign", "/decide", "/appeal"]


@pytest.mark.parametrize("path", PATHS)
def test_to_who_is_no_moderator_a_case_is_not_there(path, alice, bob, carol, log_in):
    report(bob, by=[carol])
    for browser in (Client(), log_in(alice)):
        address = f"{about(bob).url}{path}"
        ask = browser.get if path in ("", "/decide", "/assign") else browser.post
        assert ask(address).status_code == 404


def test_a_case_that_was_never_there_is_not_found(moderator, bob):
    assert moderator.get(about(bob).url).status_code == 404
    assert moderator.get("/moderation/cases/person/x").status_code == 404
    assert moderator.get(f"/moderation/cases/animal/{bob.user_id}").status_code == 404


def test_nobody_opens_a_case_about_themselves(moderator, mod, bob):
    report(mod, by=[bob], comment="Who am I?")
    held_id = held_post(mod)
    for path in ("", "/decide?action=warn", "/assign"):
        answer = moderator.get(f"{about(mod).url}{path}")
        assert answer.status_code == 403
        assert "Bob" not in answer.content.decode()
    assert moderator.get(about_post(held_id).url).status_code == 403
    for path, form in (
        ("note", {"text": "Mine"}),
        ("claim", {"on": "1"}),
        ("reveal", {}),
        ("photo", {}),
    ):
        assert moderator.post(f"{about(mod).url}/{path}", form, headers=HTMX).status_code == 403


def test_the_person_comes_first_with_what_is_held_against_them(moderator, mod, bob, carol):
    report(bob, by=[carol])
    decide(mod, about(bob), ActionKind.WARN, text="Careful")
    restrict(bob, Restriction.LIMITED)
    report(bob, by=[person("zoe")])
    rename(bob, "bobby")
    said = part(page_of(moderator, bob), "case-person")
    for words in (
        "@bobby",
        "was @bob until",
        "Bob Brandt",
        "Joined today",
        "0 posts",
        "1 strike",
        "Limited until",
    ):
        assert words in said


def test_reports_are_grouped_by_rule_the_gravest_first(moderator, bob):
    for rule, severity, handle, comment in (
        ("spam", 3, "anna", "Again!"),
        ("violence", 1, "berta", "He means it"),
        ("harassment", 2, "cleo", ""),
        ("spam", 3, "dina", ""),
    ):
        report(bob, by=[person(handle)], rule=rule, severity=severity, comment=comment)
    said = part(page_of(moderator, bob), "case-reasons")
    assert "4 people reported this" in said
    order = ["Violence", "He means it", "Harassment", "Cleo", "Spam", "Again!", "Dina"]
    assert sorted(order, key=said.index) == order


def test_more_reports_than_fit_are_counted(moderator, bob):
    report(bob, by=reporters(53))
    assert "And 3 more." in part(page_of(moderator, bob), "case-reasons")


def test_reports_of_an_earlier_round_stand_apart(moderator, mod, bob, carol):
    report(bob, by=[carol], comment="Old words")
    decide(mod, about(bob), ActionKind.DISMISS)
    report(bob, by=[person("zoe")], comment="New words")
    html = page_of(moderator, bob)
    assert "New words" in part(html, "case-reasons")
    assert "Old words" not in part(html, "case-reasons")
    assert "Old words" in part(html, "case-history")


def test_a_post_stays_as_it_was_though_its_author_deletes_it(moderator, bob, carol):
    post_id = report(bob, by=[carol], text="Words to keep")
    delete_post(by=bob, post_id=post_id)
    html = page_of(moderator, bob)
    assert "Words to keep" in part(html, "case-evidence")
    assert "Since deleted" in part(html, "case-evidence")
    assert not html.all("input", name="posts")


def test_posts_are_chosen_unless_nothing_can_be_done_about_them(moderator, mod, bob, carol):
    hidden = report(bob, by=[carol], text="One")
    shown = report(bob, by=[person("zoe")], text="Two")
    decide(mod, about(bob), ActionKind.HIDE, hidden, keep_open=True)
    html = page_of(moderator, bob)
    assert [box["value"] for box in html.all("input", name="posts")] == [shown]
    assert "Hidden" in part(html, "case-evidence")


def test_a_sensitive_post_is_covered(moderator, mod, bob, carol):
    post_id = report(bob, by=[carol], text="Blood")
    decide(mod, about(bob), ActionKind.SENSITIVE, post_id, keep_open=True)
    html = page_of(moderator, bob)
    assert "Blood" in html.one("details", class_="covered").text


def test_the_ladder_has_what_belongs_to_the_kind_of_case(moderator, bob, carol):
    report(bob, by=[carol])
    held_id, joins = held_post(bob), asks_to_join(person("zoe"), "I bake")
    assert steps(page_of(moderator, bob)) == [
        "dismiss", "warn", "sensitive", "hide", "reset", "limit", "freeze", "suspend",
    ]  # fmt: skip
    assert steps(Html(moderator.get(about_post(held_id).url))) == ["release", "refuse"]
    page = moderator.get(joins.url)
    assert steps(Html(page)) == ["approve", "decline"]
    assert "I bake" in page.content.decode()


def test_every_step_says_in_one_line_what_it_does(moderator, bob, carol):
    report(bob, by=[carol])
    lines = page_of(moderator, bob).all("span", class_="step-line")
    assert len(lines) == 8
    assert all(0 < len(line.text) <= 60 for line in lines)


def test_a_held_post_is_its_own_evidence(moderator, bob):
    case = about_post(held_post(bob, "Hold this"))
    said = part(Html(moderator.get(case.url)), "case-evidence")
    assert "Hold this" in said
    assert "Waiting for review" in said


def test_the_case_stands_beside_its_queue(moderator, mod, bob, carol, alice):
    report(bob, by=[carol])
    report(alice, by=[carol])
    assign_case(by=mod, case_id=about(alice), moderator_id=mod.user_id)
    page = moderator.get(f"{about(bob).url}?queue=reports")
    assert rows(page) == ["bob"]
    assert Html(page).one("article", class_="is-open")["aria-current"] == "true"
    assert rows(moderator.get(f"{about(bob).url}?queue=mine")) == ["alice"]


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_a_case_with_twenty_reports_and_its_queue_are_eight_calls(
    moderator, alice, bob, requests_of
):
    report(bob, by=reporters(20), text="Buy this")
    with requests_of() as requests:
        moderator.get(about(bob).url)
    assert requests.operations == [
        "BatchGetItem", "GetItem", "Query", "Query", "Query", "BatchGetItem", "Query", "BatchGetItem",
    ]  # fmt: skip
    assert sum(requests.units[1:]) <= 19
