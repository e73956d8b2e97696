"""Several cases at once: each is its own decision, and what changed meanwhile is left as it is."""

import pytest
from django.test import Client

from moderation.cases.services.claim import claim_case
from moderation.models import ActionKind
from tests.conftest import person
from tests.moderation.cases import about, about_post, actions, decide, held_post, logged
from tests.moderation.queues import QUEUE, report, reported_people, rows, version_of
from tests.web.html import Html

SELECTED = f"{QUEUE}/selected"


@pytest.fixture
def moderator(mod, log_in) -> Client:
    return log_in(mod)


def boxes(moderator: Client, tab: str = "reports") -> list[str]:
    """What the checkboxes of the queue send."""
    page = Html(moderator.get(f"{QUEUE}?queue={tab}"))
    return [box["value"] for box in page.all("input", name="cases")]


def said(moderator: Client, answer) -> str:
    return Html(moderator.get(answer["Location"])).one(id="toasts").text


def test_to_others_it_is_not_there_and_by_get_neither(alice, moderator, log_in):
    assert log_in(alice).post(SELECTED, {"act": "dismiss"}).status_code == 404
    assert Client().post(SELECTED, {"act": "dismiss"}).status_code == 404
    assert moderator.get(SELECTED).status_code == 405


def test_those_selected_are_dismissed_each_by_a_decision_of_its_own(moderator, alice):
    people = reported_people(4, by=alice)
    answer = moderator.post(SELECTED, {"act": "dismiss", "cases": boxes(moderator)[:3]})
    assert said(moderator, answer).startswith("3 cases dismissed.")
    assert rows(moderator.get(QUEUE)) == [people[3].handle]
    assert [entry.action for entry in logged()] == ["dismiss"] * 3


def test_what_changed_meanwhile_is_left_and_counted(moderator, admin, alice):
    people = reported_people(20, by=alice)
    chosen = boxes(moderator)
    report(people[0], by=[person("zoe")], severity=1)
    claim_case(by=admin, case_id=about(people[1]))
    answer = moderator.post(SELECTED, {"act": "dismiss", "cases": chosen})
    assert said(moderator, answer).startswith("18 cases dismissed, 2 skipped because of changes.")
    assert rows(moderator.get(QUEUE)) == [people[0].handle, people[1].handle]


def test_sent_twice_they_are_dismissed_once(moderator, alice):
    [reported] = reported_people(1, by=alice)
    chosen = boxes(moderator)
    for result in ("1 case dismissed.", "0 cases dismissed, 1 skipped because of changes."):
        answer = moderator.post(SELECTED, {"act": "dismiss", "cases": chosen})
        assert said(moderator, answer).startswith(result)
    assert len(actions(about(reported))) == 1


def test_those_selected_are_put_on_ones_desk(moderator, alice, bob):
    people = reported_people(2, by=alice)
    held_post(bob)
    moderator.post(SELECTED, {"act": "take", "cases": boxes(moderator)})
    moderator.post(f"{SELECTED}?queue=held", {"act": "take", "cases": boxes(moderator, "held")})
    assert set(rows(moderator.get(f"{QUEUE}?queue=mine"))) == {"bob", *(p.handle for p in people)}


def test_a_closed_case_is_not_taken(moderator, mod, alice):
    [reported] = reported_people(1, by=alice)
    chosen = boxes(moderator)
    decide(mod, about(reported), ActionKind.DISMISS)
    answer = moderator.post(SELECTED, {"act": "take", "cases": chosen})
    assert said(moderator, answer).startswith(
        "0 cases assigned to you, 1 skipped because of changes."
    )


def test_one_does_not_dismiss_a_case_about_oneself(moderator, mod, bob):
    report(mod, by=[bob])
    value = f"person.{mod.user_id}.{version_of(about(mod))}"
    moderator.post(SELECTED, {"act": "dismiss", "cases": [value]})
    assert not actions(about(mod))


def test_held_posts_are_not_dismissed(moderator, bob):
    case = about_post(held_post(bob))
    value = f"post.{case.subject_id}.{version_of(case)}"
    held = f"{SELECTED}?queue=held"
    assert moderator.post(held, {"act": "dismiss", "cases": [value]}).status_code == 400
    moderator.post(SELECTED, {"act": "dismiss", "cases": [value]})
    assert not actions(case)


def test_nothing_selected_is_said_so(moderator):
    answer = moderator.post(SELECTED, {"act": "dismiss"})
    assert "Choose a case first." in said(moderator, answer)


@pytest.mark.parametrize(
    "form",
    [
        {"act": "dismiss", "cases": ["nonsense"]},
        {"act": "dismiss", "cases": ["person.x.1"]},
        {"act": "sing", "cases": ["person.01M7YXYAVBYS6TB3H18E6Q4Q9C.1"]},
        {"act": "dismiss", "cases": ["person.01M7YXYAVBYS6TB3H18E6Q4Q9C.1"] * 51},
    ],
)
def test_what_the_page_does_not_send_makes_no_sense(moderator, form):
    assert moderator.post(SELECTED, form).status_code == 400


def test_fifty_at_once_are_taken(moderator):
    cases = [f"person.01M7YXYAVBYS6TB3H18E6Q4Q{number:02}.1" for number in range(50)]
    answer = moderator.post(
        SELECTED, {"act": "dismiss", "cases": cases, "csrfmiddlewaretoken": "x"}
    )
    assert "50 skipped because of changes" in said(moderator, answer)
