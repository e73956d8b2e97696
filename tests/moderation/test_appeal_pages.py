"""Appealing on the page of what was done: a conversation until a moderator decides, also for who is shut out."""

import pytest

from moderation.cases.effects import undo_action
from moderation.cases.reads import read_case
from moderation.cases.writes import answer_appeal
from moderation.models import ActionKind, Queue
from moderation.reports import views
from socialsite import keys
from socialsite.web.limits import APPEALS
from tests.accounts.conftest import DECADE
from tests.conftest import HTMX
from tests.moderation.cases import about, decide, index, report, waiting_sign_up
from tests.web.html import Html

WORDS = {"text": "It was a joke"}
ways = pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])


@pytest.fixture
def action_id(alice, bob, mod) -> str:
    """Bob was frozen."""
    report(alice, bob, rule_id="spam")
    return decide(mod, about(bob), ActionKind.FREEZE, text="A rest")


@pytest.fixture
def path(action_id) -> str:
    return f"/standing/{action_id}"


def answer(mod, person, action_id: str, text: str = "", *, grant: bool | None) -> None:
    version = int(read_case(about(person)).version)
    answer_appeal(
        by=mod, case_id=about(person), action_id=action_id, text=text, version=version, grant=grant
    )


def said(response) -> list[str]:
    return [message.text for message in Html(response).all("li", class_="message")]


def has_form(response) -> bool:
    return bool(Html(response).all("form", class_="appeal"))


def test_the_page_and_the_fragment_have_the_form(bob, log_in, path):
    for extra in ({}, {"headers": HTMX}):
        html = Html(log_in(bob).get(path, **extra))
        assert html.one("form", class_="appeal")["action"] == path
        assert html.one("section", id="strike")
        assert bool(html.all("html")) is not bool(extra)


def test_an_appeal_waits_in_its_queue_and_is_on_the_page(bob, log_in, path):
    browser = log_in(bob)
    response = browser.post(path, WORDS)
    assert (response.status_code, response["Location"]) == (302, path)
    assert index() == {keys.queue(Queue.APPEALS): [about(bob)]}
    page = browser.get(path)
    assert said(page) == ["You · now It was a joke"]
    assert "Sent. A moderator will read it." in page.content.decode()
    assert "Your appeal is waiting for an answer" in Html(browser.get("/standing")).one("main").text


def test_over_htmx_the_section_comes_back_with_it(bob, log_in, path):
    response = log_in(bob).post(path, WORDS, headers=HTMX)
    html = Html(response)
    assert html.elements[0]["id"] == "strike"
    assert said(response) == ["You · now It was a joke"]
    assert html.value("text") == ""
    assert "Sent. A moderator will read it." in response["HX-Trigger"]


@ways
def test_sent_twice_it_is_said_once_and_more_can_be_added(bob, log_in, path, extra):
    browser = log_in(bob)
    for text in ("It was a joke", "It was a joke", "A bad one"):
        assert browser.post(path, {"text": text}, **extra).status_code < 400
    assert said(browser.get(path)) == ["You · now It was a joke", "You · now A bad one"]
    assert index() == {keys.queue(Queue.APPEALS): [about(bob)]}


@ways
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "Write something first."),
        (" \n ", "Write something first."),
        ("x" * 501, "Use up to 500 characters (this has 501)."),
    ],
)
def test_what_cannot_be_sent_stays_with_a_sentence(bob, log_in, path, extra, text, says):
    response = log_in(bob).post(path, {"text": text}, **extra)
    assert response.status_code == 422
    assert Html(response).error("text") == says
    assert Html(response).value("text").strip() == text.strip()
    assert index() == {}


def test_nobody_appeals_for_somebody_else(alice, carol, mod, log_in, path):
    for other in (alice, carol, mod):
        assert log_in(other).post(path, WORDS).status_code == 404
    assert index() == {}


def test_who_is_suspended_appeals_as_well(alice, bob, mod, log_in):
    browser = log_in(bob)
    report(alice, bob)
    path = f"/standing/{decide(mod, about(bob), ActionKind.SUSPEND)}"
    assert has_form(browser.get(path))
    assert browser.post(path, WORDS)["Location"] == path
    assert said(browser.get(path)) == ["You · now It was a joke"]
    assert index() == {keys.queue(Queue.APPEALS): [about(bob)]}


def test_a_question_back_can_be_answered(bob, mod, log_in, path, action_id):
    browser = log_in(bob)
    browser.post(path, WORDS)
    answer(mod, bob, action_id, "Which one?", grant=None)
    assert "You have a message from a moderator." in browser.get("/local").content.decode()
    browser.post(path, WORDS)  # the same words, as someone has spoken since
    assert said(browser.get(path)) == [
        "You · now It was a joke",
        "A moderator · now Which one?",
        "You · now It was a joke",
    ]


@pytest.mark.parametrize(
    ("grant", "says"),
    [(True, "Your appeal was granted"), (False, "Your appeal was rejected")],
)
def test_once_it_is_decided_there_is_nothing_more_to_say(
    bob, mod, log_in, path, action_id, grant, says
):
    browser = log_in(bob)
    browser.post(path, WORDS)
    answer(mod, bob, action_id, "We looked", grant=grant)
    page = browser.get(path)
    assert says in Html(page).one("ul", class_="chips").text
    assert said(page)[-1] == "A moderator · now We looked"
    assert not has_form(page)
    assert ("Your account is frozen" in browser.get("/standing").content.decode()) is not grant


@ways
@pytest.mark.parametrize("how", ["granted", "refused", "undone"])
def test_words_that_come_too_late_are_not_kept(bob, mod, log_in, path, action_id, how, extra):
    browser = log_in(bob)
    if how == "undone":
        undo_action(by=mod, case_id=about(bob), action_id=action_id)
    else:
        browser.post(path, WORDS)
        answer(mod, bob, action_id, grant=how == "granted")
    before = said(browser.get(path))
    response = browser.post(path, WORDS, **extra)
    assert response["HX-Redirect" if extra else "Location"] == path
    page = browser.get(path)
    assert "A moderator has already decided this." in page.content.decode()
    assert said(page) == before


def test_each_decision_has_its_own_conversation(alice, bob, mod, log_in, path):
    report(alice, bob)
    other = f"/standing/{decide(mod, about(bob), ActionKind.WARN)}"
    browser = log_in(bob)
    browser.post(path, WORDS)
    assert said(browser.get(other)) == []
    browser.post(other, {"text": "And why this?"})
    assert said(browser.get(other)) == ["You · now And why this?"]
    assert said(browser.get(path)) == ["You · now It was a joke"]


def test_a_sign_up_that_was_declined_is_not_appealed(bob, mod, log_in):
    browser, case_id = log_in(bob), waiting_sign_up(bob)
    path = f"/standing/{decide(mod, case_id, ActionKind.DECLINE)}"
    assert not has_form(browser.get(path))
    browser.post(path, WORDS)
    assert said(browser.get(path)) == []
    assert index() == {}


def test_ten_a_day_are_much(bob, log_in, path, limit):
    assert (APPEALS.hits, APPEALS.seconds) == (10, 86_400)
    limit(views, "APPEALS", 2)
    browser = log_in(bob)
    answers = [browser.post(path, {"text": f"Number {n}"}).status_code for n in range(4)]
    assert answers == [302, 302, 429, 429]
    assert 0 < int(browser.post(path, WORDS)["Retry-After"]) <= DECADE
    assert len(said(browser.get(path))) == 2
