"""An edit never slips past a moderator: what was reported is kept, and what is held waits."""

import pytest
from django.test import Client

from feed.publishing.writes import delete_post
from moderation.cases.effects import undo_action
from moderation.cases.lists import get_case
from moderation.cases.reads import read_case
from moderation.models import ActionKind, Queue
from socialsite import keys
from socialsite.site_settings.site_setup import SiteRules
from socialsite.site_settings.word_filters import Effect, Word
from tests.conftest import post
from tests.feed.editing.edits import edit
from tests.kept import keep_site_rules
from tests.moderation.cases import about, about_post, broken, decide, index, report, withheld
from tests.streams.records import everything, handle_all, lines, unread
from tests.web.html import Html

HELD, REPORTS = keys.queue(Queue.HELD), keys.queue(Queue.REPORTS)
WORDS = (
    Word("w1", "word", "cheap", Effect.FLAG, "spam", ""),
    Word("w2", "word", "casino", Effect.HOLD, "spam", ""),
)


@pytest.fixture
def words(table):
    keep_site_rules(SiteRules(words=WORDS))
    yield
    keep_site_rules(SiteRules())


def evidence(person) -> list[str]:
    return [str(one.html) for one in get_case(about(person)).evidence]


def test_an_edit_leaves_the_evidence_as_it_was(alice, bob):
    post_id = post(bob, "Awful")
    report(alice, bob, post_id)
    edit(bob, post_id, "Lovely")
    (kept,) = get_case(about(bob)).evidence
    assert (kept.html, kept.is_changed) == ("Awful", True)


def test_the_case_says_that_the_post_was_edited_and_leads_to_its_history(alice, bob, mod, log_in):
    post_id = post(bob, "Awful")
    report(alice, bob, post_id)
    browser, history = log_in(mod), f"/@bob/posts/{post_id}/history"
    assert not Html(browser.get(about(bob).url)).all("a", href=history)
    edit(bob, post_id, "Lovely")
    page = Html(browser.get(about(bob).url))
    assert "Since changed" in [one.text for one in page.all(class_="chip")]
    assert page.one("a", href=history)
    assert browser.get(history).status_code == 200


def test_the_version_that_the_reporter_saw_is_the_evidence(alice, bob, log_in):
    post_id = post(bob, "Awful")
    browser = log_in(alice)
    form = Html(browser.get(f"/@bob/posts/{post_id}/report"))
    assert form.value("version") == "1"
    edit(bob, post_id, "Lovely")
    sent = {"reason": "spam", "comment": "", "version": form.value("version")}
    assert browser.post(f"/@bob/posts/{post_id}/report", sent).status_code == 302
    assert evidence(bob) == ["Awful"]


@pytest.mark.parametrize("version", [0, 2, 3, 99])
def test_a_version_that_there_is_not_is_the_present_one(alice, bob, version):
    post_id = post(bob, "Awful")
    edit(bob, post_id, "Lovely")
    report(alice, bob, post_id, version=version)
    assert evidence(bob) == ["Lovely"]


def test_two_people_who_saw_two_versions_report_both(alice, carol, bob):
    post_id = post(bob, "Awful")
    report(alice, bob, post_id)
    edit(bob, post_id, "Awfuller")
    report(carol, bob, post_id)
    assert sorted(evidence(bob)) == ["Awful", "Awfuller"]


def test_an_edit_that_is_held_opens_a_case(words, bob, log_in, drain_stream):
    post_id = post(bob)
    drain_stream()
    edit(bob, post_id, "casino")
    assert Client().get(f"/@bob/posts/{post_id}").status_code == 404
    drain_stream()
    assert index() == {HELD: [about_post(post_id)]}
    assert broken(before_the_worker=False) == {}


def test_what_was_released_and_is_edited_waits_in_another_round(words, bob, mod, drain_stream):
    post_id = post(bob, "casino")
    drain_stream()
    released = decide(mod, about_post(post_id), ActionKind.RELEASE)
    assert withheld(bob, post_id) is None
    drain_stream()
    edit(bob, post_id, "casino!")
    drain_stream()
    case = read_case(about_post(post_id))
    assert index() == {HELD: [about_post(post_id)]}
    assert case.round == 2
    undo_action(by=mod, case_id=about_post(post_id), action_id=released)
    assert withheld(bob, post_id) == "held"
    decide(mod, about_post(post_id), ActionKind.RELEASE)
    drain_stream()
    assert (withheld(bob, post_id), index()) == (None, {})
    assert broken(before_the_worker=False) == {}


def test_an_edit_that_meets_a_word_rule_is_reported_by_the_site(words, bob, drain_stream):
    post_id = post(bob)
    edit(bob, post_id, "so cheap")
    drain_stream()
    assert index() == {REPORTS: [about(bob)]}
    assert evidence(bob) == ["so cheap"]
    edit(bob, post_id, "so good")
    drain_stream()
    assert evidence(bob) == ["so cheap"]
    assert broken(before_the_worker=False) == {}


@pytest.mark.parametrize("released", [False, True])
@pytest.mark.parametrize("text", ["casino", "cheap"])
def test_the_worker_may_hear_of_such_an_edit_twice(words, bob, mod, drain_stream, text, released):
    post_id = post(bob, "casino" if released else "Hello")
    drain_stream()
    if released:
        decide(mod, about_post(post_id), ActionKind.RELEASE)
        drain_stream()
    edit(bob, post_id, f"{text}!")
    records = unread()
    first = handle_all(records)
    done = everything()
    second = handle_all(records)
    assert everything() == done
    assert lines(second) == lines(first)
    if text == "casino":
        decide(mod, about_post(post_id), ActionKind.RELEASE)
        handle_all(records)
        assert index() == {}
    drain_stream()
    assert broken(before_the_worker=False) == {}


def test_a_held_edit_that_is_deleted_leaves_no_open_case(words, bob, drain_stream):
    post_id = post(bob)
    edit(bob, post_id, "casino")
    delete_post(by=bob, post_id=post_id)
    drain_stream()
    assert index() == {}
    assert broken(before_the_worker=False) == {}
