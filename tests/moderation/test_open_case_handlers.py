"""The stream makes cases of what waits or met a word rule, once, in whatever order and however often it is told."""

from collections.abc import Callable

import pytest

from accounts.people.viewer import Viewer
from accounts.sign_up.writes import Admission, sign_up
from feed.posts.content_checks import Verdict
from feed.posts.models import Withheld
from feed.publishing.writes import delete_post, publish_post
from moderation.cases.reads import CaseId, read_case
from moderation.models import ActionKind, CaseKind, Queue
from moderation.reports.reads import list_own_reports
from socialsite import keys
from socialsite.site_settings.site_setup import MINOR, SERIOUS, Rule, SiteRules
from socialsite.site_settings.word_filters import Effect, Word
from socialsite.table import ids
from tests.conftest import PASSWORD, post
from tests.kept import keep_site_rules
from tests.moderation.cases import (
    about,
    about_post,
    broken,
    decide,
    index,
    is_there,
    report,
)
from tests.streams.records import everything, handle_all, lines, unread

HELD, REPORTS, SIGN_UPS = (
    keys.queue(queue) for queue in (Queue.HELD, Queue.REPORTS, Queue.SIGN_UPS)
)
WORDS = (
    Word("w1", "word", "cheap", Effect.FLAG, "spam", ""),
    Word("w2", "word", "awful", Effect.FLAG, "hate", ""),
)
RULES = SiteRules(
    rules=(Rule("spam", MINOR), Rule("hate", SERIOUS)), has_own_rules=True, words=WORDS
)


@pytest.fixture(autouse=True)
def rules(table):
    keep_site_rules(RULES)
    yield
    keep_site_rules(SiteRules())


def held(author: Viewer) -> str:
    verdict = Verdict(withheld=Withheld.HELD)
    return publish_post(by=author, content="Wait", nonce=ids.new_id(), verdict=verdict)


def wait_for_approval(handle: str = "wendy") -> CaseId:
    user_id = sign_up(
        handle=handle,
        name=handle.title(),
        email=f"{handle}@example.org",
        confirmed=True,
        password=PASSWORD,
        admission=Admission(waits=True, asked="I like it here"),
    )
    return CaseId(CaseKind.SIGN_UP, user_id)


def held_and_deleted(author: Viewer) -> None:
    delete_post(by=author, post_id=held(author))


def flagged_and_deleted(author: Viewer) -> None:
    delete_post(by=author, post_id=post(author, "So cheap"))


SCENES: dict[str, Callable[[Viewer], object]] = {
    "held": held,
    "flagged": lambda author: post(author, "So cheap"),
    "waiting": lambda _: wait_for_approval(),
    "held and deleted": held_and_deleted,
    "flagged and deleted": flagged_and_deleted,
}


@pytest.mark.parametrize("scene", SCENES)
def test_each_handler_run_twice_does_what_it_does_once(bob, drain_stream, scene):
    drain_stream()
    SCENES[scene](bob)
    records = unread()
    first = handle_all(records)
    done = everything()
    second = handle_all(records)
    assert everything() == done
    assert lines(second) == lines(first)
    handle_all(records[::-1])
    assert [len(found) for found in index().values()] in ([], [1])
    drain_stream()
    assert broken(before_the_worker=False) == {}


def test_a_held_post_waits_in_its_queue(bob, drain_stream):
    post_id = held(bob)
    drain_stream()
    case = read_case(about_post(post_id))
    assert index() == {HELD: [about_post(post_id)]}
    assert (case.person_id, case.reports) == (bob.user_id, 0)


def test_a_post_for_everybody_to_see_makes_no_case(bob, drain_stream):
    post(bob, "Hello")
    drain_stream()
    assert index() == {}


def test_a_flagged_post_is_a_report_of_its_author_by_the_site(bob, drain_stream):
    post(bob, "So cheap and so awful")
    drain_stream()
    case = read_case(about(bob))
    assert index() == {REPORTS: [about(bob)]}
    assert (case.reports, case.severity, case.rules) == (1, SERIOUS, {"hate"})
    assert broken(before_the_worker=False) == {}


def test_the_site_and_a_person_are_two_reporters(alice, bob, drain_stream):
    post_id = post(bob, "So cheap")
    drain_stream()
    case = report(alice, bob, post_id)
    assert case.reports == 2
    assert len(list_own_reports(alice)) == 1
    assert broken(before_the_worker=False) == {}


def test_a_sign_up_waits_in_its_queue_until_it_is_approved(mod, drain_stream):
    case_id = wait_for_approval()
    drain_stream()
    assert index(mod) == {SIGN_UPS: [case_id]}
    decide(mod, case_id, ActionKind.APPROVE)
    drain_stream()
    assert index(mod) == {}
    assert broken(before_the_worker=False) == {}


def test_a_held_post_that_its_author_deletes_is_nobodys_work(bob, drain_stream):
    post_id = held(bob)
    drain_stream()
    delete_post(by=bob, post_id=post_id)
    drain_stream()
    assert index() == {}
    assert read_case(about_post(post_id)).decision == "gone"
    assert broken(before_the_worker=False) == {}


def test_also_if_it_was_hidden_meanwhile(alice, bob, mod, drain_stream):
    post_id = held(bob)
    report(alice, bob)
    decide(mod, about(bob), ActionKind.HIDE, post_id)
    drain_stream()
    delete_post(by=bob, post_id=post_id)
    drain_stream()
    assert index() == {}


def test_a_post_published_and_deleted_before_the_worker_looks_opens_nothing(bob, drain_stream):
    post_id = held(bob)
    delete_post(by=bob, post_id=post_id)
    drain_stream()
    assert not is_there(about_post(post_id))
    assert index() == {}


def test_a_record_that_comes_after_the_decision_opens_nothing_again(bob, mod, drain_stream):
    drain_stream()
    post_id = held(bob)
    records = unread()
    handle_all(records)
    decide(mod, about_post(post_id), ActionKind.REFUSE)
    handle_all(records)
    assert index() == {}


def test_a_flagged_post_that_was_decided_about_is_not_reported_again(bob, mod, drain_stream):
    drain_stream()
    post(bob, "So cheap")
    records = unread()
    handle_all(records)
    decide(mod, about(bob), ActionKind.DISMISS)
    handle_all(records)
    assert index() == {}
    post(bob, "So very cheap")
    drain_stream()
    assert read_case(about(bob)).reports == 1
    assert broken(before_the_worker=False) == {}
