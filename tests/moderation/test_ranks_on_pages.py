"""No page offers what is refused about colleagues and superiors, and none does it: a junior with "cases" alone, and a
moderator. The table of actions by roles: `test_ranks.py`."""

import pytest

from accounts.people.reads import get_user_info
from accounts.people.viewer import Viewer
from accounts.permissions import grant_role
from moderation.cases.reads import CaseId
from moderation.cases.rounds import others_answer
from moderation.cases.writes import appeal
from moderation.models import ActionKind, Appeal
from socialsite.models import Role
from socialsite.table import Create, transact
from tests.conftest import HTMX, person, post
from tests.moderation.cases import about, decide, info, report, strikes
from tests.moderation.permitted import everything_of
from tests.moderation.queues import version_of
from tests.web.html import Html

K = ActionKind


@pytest.fixture(autouse=True)
def junior_role(table) -> None:
    transact(Create(Role.new(name="junior", title="Junior", permissions={"cases"})))


def change_role(viewer: Viewer, role: str) -> None:
    grant_role(by=person("chairman", role="admin"), user_id=viewer.user_id, role=role)


def send(browser, case_id: CaseId, action: str, **form):
    fields = {"action": action, "version": version_of(case_id), "rule": "spam", "end": "7"}
    return browser.post(f"{case_id.url}/decide", fields | {"preset": "default"} | form)


@pytest.mark.parametrize("of", ["junior", "moderator", "admin"])
def test_no_page_offers_what_is_refused_and_none_does_it(of, alice, log_in):
    """A junior with "cases" alone, about a colleague and those above."""
    browser, whom = log_in(person("jun", role="junior")), person("whom", role=of)
    post_id = post(whom, "Look")
    report(alice, whom, post_id, rule_id="spam")
    before = everything_of(about(whom))
    html = Html(browser.get(about(whom).url))
    assert {button["value"] for button in html.all("button", name="action")} == {"dismiss"}
    assert "your role is not above theirs" in html.one("p", class_="ladder-taken").text
    assert not html.all("form", id="note-form")
    for action in ("warn", "sensitive", "hide", "reset", "limit", "freeze"):
        asked = browser.get(f"{about(whom).url}/decide?action={action}")
        assert asked.status_code == 409
        sent = send(browser, about(whom), action, posts=[post_id], parts=["name"], words="Mine")
        assert sent.status_code == 409
        assert "your role is not above theirs" in sent.content.decode()
        assert Html(sent).value("words") == "Mine"
    assert browser.post(f"{about(whom).url}/note", {"text": "Hm"}).status_code == 403
    told = browser.post(f"{about(whom).url}/note", {"text": "Hm"}, headers=HTMX)
    assert told.status_code == 403
    assert everything_of(about(whom)) == before
    assert info(whom).name == "Whom"
    assert send(browser, about(whom), "dismiss").status_code == 302


def test_what_was_done_before_they_were_staff_is_left_to_those_above(alice, bob, admin, log_in):
    junior = log_in(person("jun", role="junior"))
    report(alice, bob, rule_id="spam")
    warned = decide(admin, about(bob), K.WARN)
    appeal(person_id=bob.user_id, action_id=warned, text="Why?")
    change_role(bob, "moderator")
    html = Html(junior.get(about(bob).url))
    assert not html.all("button", name="answer")
    assert not html.all("button", name="action_id")
    assert "someone above them answers" in html.one("section", id="appeal").text
    form = {"answer": "refuse", "words": "No", "version": version_of(about(bob))}
    assert junior.post(f"{about(bob).url}/appeal", form).status_code == 403
    assert junior.post(f"{about(bob).url}/undo", {"action_id": warned}).status_code == 404
    assert strikes(bob)[0].appeal == Appeal.OPEN
    chair = log_in(person("chair", role="admin"))
    assert len(Html(chair.get(about(bob).url)).all("button", name="answer")) == 3
    assert chair.post(f"{about(bob).url}/appeal", form).status_code == 302


def test_an_appeal_of_staff_waits_for_those_above_alone(alice, bob, admin):
    """Otherwise the administrator who decided would be sent away, with nobody left to answer."""
    person("mei", role="moderator")
    report(alice, bob, rule_id="spam")
    warned = decide(admin, about(bob), K.WARN)
    appeal(person_id=bob.user_id, action_id=warned, text="Why?")
    change_role(bob, "moderator")
    others = [get_user_info(one.user_id) for one in (bob, admin)]
    assert not others_answer(admin, about(bob), bob.user_id, K.WARN, staff=others)


@pytest.mark.parametrize("of", ["moderator", "admin"])
def test_the_page_of_a_person_takes_no_note_about_a_superior(of, mod, log_in):
    whom, browser = person("whom", role=of), log_in(mod)
    address = f"/moderation/people/{whom.user_id}"
    html = Html(browser.get(address))
    assert not html.all("button", id="note-button")
    assert browser.post(f"{address}/note", {"text": "Hm"}).status_code == 403
    assert Html(browser.get(address)).all("button", id="note-button") == []
    junior = person("jun", role="junior")
    below = f"/moderation/people/{junior.user_id}"
    assert Html(browser.get(below)).all("button", id="note-button")
    assert browser.post(f"{below}/note", {"text": "Hm"}).status_code == 302
