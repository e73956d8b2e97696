"""Where waves begin besides the reports: one's own desk, all desks, and appeals; and which rule a draft begins with."""

import re

import pytest
from django.test import Client

from moderation.cases.reads import CaseId, is_open, read_case
from moderation.cases.writes import assign_case
from moderation.models import ActionKind, CaseKind
from socialsite.streams.worker import Worker
from tests.conftest import person, post
from tests.moderation.cases import about, actions, info
from tests.moderation.permitted import appealed_by, new_case
from tests.moderation.queues import QUEUE, report, reported_people, version_of
from tests.moderation.test_wave_pages import WAVES, begin, boxes, page_text, said, start
from tests.web.html import Html

TABS = ("mine", "desks", "appeals")


@pytest.fixture
def moderator(mod, log_in) -> Client:
    return log_in(mod)


@pytest.fixture
def worker(table: str) -> Worker:
    return Worker()


def seen(case_id: CaseId) -> str:
    return f"{case_id.kind}.{case_id.subject_id}.{version_of(case_id)}"


def chosen_rule(answer) -> str:
    """The rule that the select of a draft begins with, empty if it asks to choose."""
    rules = re.search(r'<select name="rule".*?</select>', answer.content.decode(), re.DOTALL)
    assert rules is not None
    chosen = re.search(r'<option value="([^"]*)" selected', rules[0])
    return chosen[1] if chosen else ""


# Desks


@pytest.mark.parametrize("tab", ["mine", "desks"])
def test_the_cases_on_desks_are_decided_in_a_wave(tab, moderator, mod, worker, alice):
    people = reported_people(3, by=alice)
    for one in people:
        assign_case(by=mod, case_id=about(one), moderator_id=mod.user_id)
    address = begin(moderator, "", boxes(moderator, tab), tab)
    assert Html(moderator.get(address)).one("input", name="kind", checked="")["value"] == "warn"
    start(moderator, address, "limit")
    worker.drain()
    assert all(info(one).limited_until for one in people)
    assert not any(is_open(read_case(about(one))) for one in people)


@pytest.mark.parametrize(
    ("kind", "first"),
    [(CaseKind.PERSON, "warn"), (CaseKind.POST, "release"), (CaseKind.SIGN_UP, "approve")],
)
def test_a_draft_begins_with_the_mildest_action_that_does_something(moderator, mod, kind, first):
    case_id = new_case(kind)
    assign_case(by=mod, case_id=case_id, moderator_id=mod.user_id)
    address = begin(moderator, "", [seen(case_id)], "mine")
    assert Html(moderator.get(address)).one("input", name="kind", checked="")["value"] == first


def test_cases_of_several_kinds_are_no_wave_and_that_is_said_on_their_page(moderator, mod):
    chosen = [seen(new_case(kind)) for kind in CaseKind]
    answer = moderator.post(f"{WAVES}?queue=mine", {"action": "", "targets": chosen})
    assert answer["Location"] == f"{QUEUE}?queue=mine"
    assert "No action fits all of these." in said(moderator, answer)


@pytest.mark.parametrize("tab", TABS)
def test_their_tabs_offer_to_act_on_what_is_selected(tab, moderator, admin, mod):
    case_id = new_case(CaseKind.PERSON)
    if tab == "appeals":
        appealed_by(case_id, admin)
    else:
        assign_case(by=mod, case_id=case_id, moderator_id=mod.user_id)
    button = Html(moderator.get(f"{QUEUE}?queue={tab}")).one("button", name="action")
    assert (button["value"], button["formaction"]) == ("", f"{WAVES}?queue={tab}")


# Appeals


def test_a_wave_about_people_who_appealed_leaves_their_appeals_open(moderator, admin, worker):
    case_id = new_case(CaseKind.PERSON)
    appealed_by(case_id, admin)
    address = begin(moderator, "", boxes(moderator, "appeals"), "appeals")
    assert "The appeal stays open" in page_text(moderator.get(address))
    start(moderator, address, "limit")
    worker.drain()
    assert ActionKind.LIMIT in [action.kind for action in actions(case_id)]
    assert read_case(case_id).appealed


def test_a_post_whose_author_appealed_is_left_out(moderator, admin, worker):
    appealed, waiting = (new_case(CaseKind.POST) for _ in range(2))
    appealed_by(appealed, admin)
    address = begin(moderator, "", [seen(appealed), seen(waiting)], "mine")
    assert "Left out: An appeal about it waits for its answer." in page_text(moderator.get(address))
    start(moderator, address, "release")
    worker.drain()
    assert read_case(appealed).appealed
    assert not is_open(read_case(waiting))


# The rule


def test_the_rule_that_every_case_names_is_chosen_already(moderator, alice):
    reported_people(2, by=alice)
    answer = moderator.get(begin(moderator, "warn", boxes(moderator)))
    assert chosen_rule(answer) == "spam"
    assert "No spam" in Html(answer).one(id="told").text


def test_of_a_dismissal_that_becomes_a_warning_the_rule_is_chosen_too(moderator, alice):
    reported_people(2, by=alice)
    address = begin(moderator, "dismiss", boxes(moderator))
    typed = {"kind": "warn", "shown": "dismiss"}
    assert chosen_rule(moderator.post(address, typed)) == "spam"


def test_what_the_moderator_chose_stays(moderator, alice):
    reported_people(2, by=alice)
    address = begin(moderator, "warn", boxes(moderator))
    typed = {"kind": "suspend", "shown": "warn", "rule": "violence"}
    assert chosen_rule(moderator.post(address, typed)) == "violence"
    assert chosen_rule(moderator.post(address, {**typed, "rule": ""})) == ""


def test_if_the_cases_name_different_rules_or_none_the_moderator_chooses(
    moderator, alice, bob, carol
):
    report(bob, by=[alice])
    report(carol, by=[alice], rule="violence", severity=1)
    assert chosen_rule(moderator.get(begin(moderator, "warn", boxes(moderator)))) == ""
    posts = [f"{bob.user_id}.{post(bob, 'Buy')}", f"{alice.user_id}.{post(alice, 'Buy')}"]
    address = str(moderator.post(WAVES, {"post": posts})["Location"])
    assert chosen_rule(moderator.get(address)) == ""


def test_a_case_with_two_rules_names_none_for_all(moderator, alice, bob):
    report(bob, by=[alice])
    report(bob, by=[person("zoe")], rule="violence", severity=1)
    assert chosen_rule(moderator.get(begin(moderator, "warn", boxes(moderator)))) == ""
