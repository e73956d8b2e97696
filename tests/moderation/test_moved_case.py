"""A case that changed while a moderator looked: nothing is done, they learn who it was, and keep what they typed."""

import pytest
from django.test import Client

from moderation.cases.services.claim import claim_case
from moderation.models import ActionKind
from tests.conftest import HTMX, person
from tests.moderation.cases import about, actions, decide
from tests.moderation.queues import report, version_of
from tests.web.html import Html


@pytest.fixture
def seen(bob, carol) -> int:
    """The version of the case about Bob that everyone has seen."""
    report(bob, by=[carol], text="Buy this")
    return version_of(about(bob))


@pytest.fixture
def moderator(mod, log_in) -> Client:
    return log_in(mod)


def send(moderator: Client, bob, seen: int, headers=None):
    form = {"action": "limit", "version": seen, "preset": "default", "end": "3", "words": "Typed"}
    address = f"{about(bob).url}/decide?queue=reports"
    return moderator.post(address, form, headers=headers or {})


def why(answer) -> str:
    return Html(answer).one("p", class_="form-errors").text


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_another_closed_it(moderator, admin, bob, seen, headers):
    decide(admin, about(bob), ActionKind.WARN, text="Careful")
    answer = send(moderator, bob, seen, headers)
    assert answer.status_code == 409
    assert why(answer) == "Addy Admin has since closed this case: Warned."
    assert Html(answer).value("words") == "Typed"
    assert "Actions on this case" in Html(answer).one(id="case").text
    assert len(actions(about(bob))) == 1


def test_another_looks_at_it(moderator, admin, bob, seen):
    claim_case(by=admin, case_id=about(bob))
    answer = send(moderator, bob, seen)
    assert answer.status_code == 409
    assert why(answer) == "Addy Admin is reviewing this case."
    assert not actions(about(bob))


def test_another_did_something_about_it(moderator, admin, bob, seen):
    decide(admin, about(bob), ActionKind.WARN, text="Careful", keep_open=True)
    answer = send(moderator, bob, seen)
    assert "Addy Admin" in why(answer)


def test_more_was_reported_and_the_case_is_shown_anew(moderator, bob, seen):
    report(bob, by=[person("zoe")], rule="violence", severity=1, comment="And this")
    answer = send(moderator, bob, seen)
    assert answer.status_code == 409
    assert "something was added" in why(answer)
    assert "And this" in Html(answer).one(id="case").text
    assert send(moderator, bob, int(Html(answer).value("version"))).status_code == 302


def test_htmx_gets_the_dialog_again_with_the_case_behind_it(moderator, bob, seen):
    report(bob, by=[person("zoe")], severity=1)
    answer = send(moderator, bob, seen, HTMX)
    assert answer["HX-Retarget"] == "#modal"
    assert Html(answer).one(id="case")["hx-swap-oob"] == "true"


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_one_learns_it_before_anything_is_typed(moderator, bob, seen, headers):
    report(bob, by=[person("zoe")], severity=1)
    address = f"{about(bob).url}/decide?action=warn&version={seen}"
    assert moderator.get(address, headers=headers).status_code == 409


def test_a_dismissal_that_came_too_late_cannot_be_confirmed_again(moderator, admin, bob, seen):
    decide(admin, about(bob), ActionKind.WARN, text="Careful")
    answer = moderator.get(f"{about(bob).url}/decide?action=dismiss&version={seen}")
    assert answer.status_code == 409
    assert "Confirm" not in answer.content.decode()
