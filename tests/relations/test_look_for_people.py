"""The worker looks for the people whom someone may know, after a page has asked for it."""

import pytest

from accounts.people.viewer import VISITOR
from privacy.erasure.writes import close_account
from relations.follows.writes import follow
from relations.suggested import look_for_people
from socialsite.streams.models import JobKind
from socialsite.table import fetch, keys
from tests.relations.nearby import shown
from tests.streams.crowd import jobs


@pytest.fixture(autouse=True)
def knows_carol(alice, bob, carol) -> None:
    """Alice follows Bob, who follows Carol."""
    follow(by=alice, user_id=bob.user_id)
    follow(by=bob, user_id=carol.user_id)


def handles(viewer) -> list[str]:
    return [one.person.handle for one in shown(viewer=viewer)]


def test_the_first_page_asks_and_the_next_has_whom_the_worker_found(alice, drain_stream):
    drain_stream()
    assert handles(alice) == []
    (job,) = jobs(JobKind.LOOK_FOR_PEOPLE)
    assert job.subject_id == alice.user_id
    drain_stream()
    assert not jobs(JobKind.LOOK_FOR_PEOPLE)
    assert handles(alice) == ["carol"]
    assert not jobs(JobKind.LOOK_FOR_PEOPLE)


def test_pages_that_ask_at_once_make_one_job(alice):
    for _ in range(3):
        shown(viewer=alice)
    assert len(jobs(JobKind.LOOK_FOR_PEOPLE)) == 1


def test_a_page_itself_looks_nowhere(alice, measure):
    with measure() as meter:
        shown(viewer=alice)
    patterns = {call.access_pattern for call in meter.calls}
    assert {"find_suggestions", "ask_to_look"} <= patterns
    assert "recommend_people" not in patterns


def test_a_visitor_asks_for_nothing(drain_stream):
    assert shown(viewer=VISITOR) == []
    assert not jobs(JobKind.LOOK_FOR_PEOPLE)


def test_nothing_is_kept_for_an_account_that_is_gone(alice, drain_stream):
    close_account(by=alice, at_once=True)
    drain_stream()
    look_for_people(alice.user_id)
    assert not fetch([keys.suggestions(alice.user_id)], consistent=True)
