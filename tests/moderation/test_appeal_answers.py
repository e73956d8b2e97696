"""Answering an appeal on the page of its case."""

import pytest
from django.test import Client

from moderation.cases.writes import appeal
from moderation.models import ActionKind
from tests.moderation.cases import about, decide, info, logged
from tests.moderation.queues import QUEUE, page_of, part, report, version_of
from tests.web.html import Html


@pytest.fixture
def moderator(mod, log_in) -> Client:
    return log_in(mod)


@pytest.fixture
def appealed(mod, bob, carol) -> str:
    """Bob was frozen, and appeals; the action's id."""
    report(bob, by=[carol])
    action_id = decide(mod, about(bob), ActionKind.FREEZE, text="Cool down")
    appeal(person_id=bob.user_id, action_id=action_id, text="It was a joke")
    return action_id


def answer(moderator: Client, reported, kind: str, words: str = "", version: int = 0):
    version = version or version_of(about(reported))
    form = {"answer": kind, "words": words, "version": version}
    return moderator.post(f"{about(reported).url}/appeal?queue=appeals", form)


def test_an_appeal_shows_what_was_done_and_what_was_said(moderator, bob, appealed):
    said = part(page_of(moderator, bob), "case-appeal-title")
    for words in ("Appeal against: Frozen", "Cool down", "It was a joke"):
        assert words in said


def test_granting_undoes_it_and_leads_to_the_next(moderator, bob, appealed):
    assert answer(moderator, bob, "grant")["Location"] == f"{QUEUE}?queue=appeals"
    assert info(bob).frozen_until is None
    assert "Appeal granted" in page_of(moderator, bob).one("p", class_="case-closed").text


def test_refusing_needs_words_and_closes_the_case(moderator, bob, appealed):
    refused = answer(moderator, bob, "refuse")
    assert refused.status_code == 422
    assert Html(refused).all("p", class_="field-error")
    assert answer(moderator, bob, "refuse", "No, it was not").status_code == 302
    assert info(bob).frozen_until
    assert "No, it was not" in part(page_of(moderator, bob), "case-history")


def test_asking_back_keeps_it_open(moderator, bob, appealed):
    location = answer(moderator, bob, "ask", "What was funny?")["Location"]
    assert location == f"{about(bob).url}?queue=appeals"
    assert "What was funny?" in part(page_of(moderator, bob), "case-appeal-title")


def test_an_answer_to_a_case_that_moved_is_kept_and_not_sent(moderator, bob, appealed, mod):
    version = version_of(about(bob))
    appeal(person_id=bob.user_id, action_id=appealed, text="And one thing more")
    moved = answer(moderator, bob, "refuse", "Typed before", version)
    assert moved.status_code == 409
    html = Html(moved)
    assert "And one thing more" in html.one(id="appeal").text
    assert html.value("words") == "Typed before"
    assert answer(moderator, bob, "refuse", "Typed before").status_code == 302


def test_an_appeal_answered_twice_is_answered_once(moderator, bob, appealed):
    version = version_of(about(bob))
    assert answer(moderator, bob, "grant", version=version).status_code == 302
    assert answer(moderator, bob, "grant", version=version).status_code == 409
    assert [entry.action for entry in logged()].count("grant appeal") == 1
