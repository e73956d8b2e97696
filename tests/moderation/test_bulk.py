"""Several cases are taken at once, and what was closed meanwhile is left as it is. Deciding several is a wave:
test_waves.py, test_wave_pages.py."""

import pytest
from django.test import Client

from moderation.models import ActionKind
from tests.moderation.cases import about, decide, held_post
from tests.moderation.queues import QUEUE, reported_people, rows
from tests.web.html import Html

SELECTED = f"{QUEUE}/selected"


@pytest.fixture
def moderator(mod, log_in) -> Client:
    return log_in(mod)


def boxes(moderator: Client, tab: str = "reports") -> list[str]:
    """What the checkboxes of the queue send."""
    page = Html(moderator.get(f"{QUEUE}?queue={tab}"))
    return [box["value"] for box in page.all("input", name="targets")]


def said(moderator: Client, answer) -> str:
    return Html(moderator.get(answer["Location"])).one(id="toasts").text


def test_those_selected_are_put_on_ones_desk(moderator, alice, bob):
    people = reported_people(2, by=alice)
    held_post(bob)
    moderator.post(SELECTED, {"act": "take", "targets": boxes(moderator)})
    moderator.post(f"{SELECTED}?queue=held", {"act": "take", "targets": boxes(moderator, "held")})
    assert set(rows(moderator.get(f"{QUEUE}?queue=mine"))) == {"bob", *(p.handle for p in people)}


def test_a_closed_case_is_not_taken(moderator, mod, alice):
    [reported] = reported_people(1, by=alice)
    chosen = boxes(moderator)
    decide(mod, about(reported), ActionKind.DISMISS)
    answer = moderator.post(SELECTED, {"act": "take", "targets": chosen})
    assert said(moderator, answer).startswith(
        "0 cases assigned to you, 1 skipped because of changes."
    )


def test_nothing_selected_is_said_so(moderator):
    answer = moderator.post(SELECTED, {"act": "take"})
    assert "Choose a case first." in said(moderator, answer)


@pytest.mark.parametrize(
    "form",
    [
        {"act": "take", "targets": ["nonsense"]},
        {"act": "take", "targets": ["person.x.1"]},
        {"act": "sing", "targets": ["person.01M7YXYAVBYS6TB3H18E6Q4Q9C.1"]},
        {"act": "take", "targets": ["person.01M7YXYAVBYS6TB3H18E6Q4Q9C.1"] * 51},
    ],
)
def test_what_the_page_does_not_send_makes_no_sense(moderator, form):
    assert moderator.post(SELECTED, form).status_code == 400


def test_fifty_at_once_are_taken(moderator):
    cases = [f"person.01M7YXYAVBYS6TB3H18E6Q4Q{number:02}.1" for number in range(50)]
    answer = moderator.post(SELECTED, {"act": "take", "targets": cases, "csrfmiddlewaretoken": "x"})
    assert "50 skipped because of changes" in said(moderator, answer)
