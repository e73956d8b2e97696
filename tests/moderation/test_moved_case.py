"""A case that changed while a moderator looked: nothing is done, they learn who it was, and keep what they typed."""

import pytest
from django.test import Client

from moderation.cases.writes import claim_case, leave_case
from moderation.models import ActionKind
from tests.accounts.codes import proved_long_ago, with_second_factor
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
    form["rule"] = "spam"
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
    assert headers or Html(answer).value("words") == "Typed"
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


def test_an_open_dialog_gets_the_reason_alone_with_the_case_behind_it(moderator, bob, seen):
    report(bob, by=[person("zoe")], severity=1, comment="And this")
    answer = send(moderator, bob, seen, HTMX)
    assert answer["HX-Retarget"] == "#moved"
    assert int(Html(answer).value("version")) == seen + 1
    assert "And this" in Html(answer).one("section", class_="news").text
    assert Html(answer).one(id="case")["hx-swap-oob"] == "true"
    assert not Html(answer).all("textarea", name="words")  # what is typed there stays
    assert Html(answer).one("form", id="note-form").attributes.get("hx-preserve") is not None
    assert "hx-preserve" not in moderator.get(about(bob).url).content.decode()


def test_a_dialog_that_can_decide_no_more_loses_its_button(moderator, admin, bob, seen):
    decide(admin, about(bob), ActionKind.DISMISS)
    form = {"action": "dismiss", "version": seen}
    answer = moderator.post(f"{about(bob).url}/decide", form, headers=HTMX)
    assert "Confirm" not in Html(answer).one(id="decide-buttons").text


def news(moderator: Client, bob, seen: int, told: str = "", **more):
    asked = {"action": "warn", "version": seen, "told": told or seen, **more}
    return moderator.get(f"{about(bob).url}/news", asked, headers=HTMX)


def test_while_nothing_changes_a_dialog_hears_nothing(moderator, mod, bob, seen):
    claim_case(by=mod, case_id=about(bob))
    assert news(moderator, bob, seen).status_code == 204


def test_it_hears_once_that_more_was_added_and_still_decides_the_case_it_knows(
    moderator, bob, seen
):
    report(bob, by=[person("zoe")], comment="And this")
    heard = news(moderator, bob, seen)
    assert "something was added" in why(heard)
    assert int(Html(heard).value("version")) == seen
    assert "And this" not in heard.content.decode()
    assert news(moderator, bob, seen, told=seen + 1).status_code == 204
    assert send(moderator, bob, seen).status_code == 409


def test_after_a_look_it_decides_the_case_as_it_is_now(moderator, bob, seen):
    report(bob, by=[person("zoe")], comment="And this")
    looked = news(moderator, bob, seen, look="1")
    assert "And this" in Html(looked).one("section", class_="news").text
    assert "Carol" not in looked.content.decode()  # whose report was seen before
    assert send(moderator, bob, int(Html(looked).value("version"))).status_code == 302


def test_it_hears_who_reviews_the_case_now_and_when_they_left_it(moderator, admin, bob, seen):
    claim_case(by=admin, case_id=about(bob))
    heard = news(moderator, bob, seen)
    assert why(heard) == "Addy Admin is reviewing this case."
    leave_case(by=admin, case_id=about(bob))
    free = news(moderator, bob, seen, told=f"{seen}-taken")
    assert free.status_code == 200
    assert not Html(free).all("p", class_="form-errors")


def test_it_hears_who_closed_the_case(moderator, admin, bob, seen):
    decide(admin, about(bob), ActionKind.WARN, text="Careful")
    heard = why(news(moderator, bob, seen))
    assert heard.startswith("Addy Admin has since closed this case: Warned.")


def test_it_hears_everything_with_a_proof_that_is_old(mod, log_in, settings, bob, seen):
    settings.STAFF_SECOND_FACTOR = True
    with_second_factor(mod)
    moderator = log_in(mod)
    proved_long_ago(mod)
    report(bob, by=[person("zoe")], comment="And this")
    assert "something was added" in why(news(moderator, bob, seen))
    assert "And this" in Html(news(moderator, bob, seen, look="1")).one(class_="news").text


def test_asking_while_nothing_changes_costs_one_unit_for_the_case(moderator, bob, seen, measure):
    with measure() as meter:
        news(moderator, bob, seen)
    assert [call.units for call in meter.calls if call.access_pattern == "get_dialog_state"] == [1]


@pytest.mark.parametrize("wrong", [{"version": "x"}, {"version": "9" * 30}, {"told": "x"}])
def test_what_no_dialog_asks_is_no_fault(moderator, bob, seen, wrong):
    asked = {"action": "warn", "version": str(seen), "told": str(seen)} | wrong
    assert moderator.get(f"{about(bob).url}/news", asked, headers=HTMX).status_code < 500


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
