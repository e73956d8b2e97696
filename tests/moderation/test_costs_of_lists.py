"""What the lists of moderation cost, and a case: calls and units, as docs/access-patterns.md tells them."""

import pytest

from moderation.cases.lists import get_case, get_next_case, list_cases, list_closed
from moderation.cases.writes import appeal
from moderation.models import Queue
from moderation.reports.reads import get_strike, list_own_reports, list_strikes
from moderation.reports.writes import file_report
from socialsite import keys
from socialsite.clock import utc_now_iso
from tests.conftest import person
from tests.moderation.cases import about, crowd_ids, decide, report
from tests.moderation.costs import BATCH, GET, QUERY, K, Scene, cost, scene_of

pytestmark = pytest.mark.engines("embedded", reason="the others report other capacity")

REPORTS = keys.queue(Queue.REPORTS)


@pytest.fixture
def scene(alice, bob, carol, mod) -> Scene:
    return scene_of(alice, bob, carol, mod)


def crowd_of_cases(scene: Scene, number: int) -> None:
    """As many more people whom Alice reported."""
    for place in range(number):
        report(scene.alice, person(f"person_{place}"))


def test_the_lists_of_cases_are_a_query_and_their_people(scene, measure):
    crowd_of_cases(scene, 24)
    with measure() as meter:
        page = list_cases(REPORTS)
    assert len(page.items) == 20
    assert cost(meter) == ([QUERY, BATCH], 1 + 10, 0)
    for row in page.items:
        decide(scene.mod, row.case_id, K.DISMISS)
    with measure() as meter:
        closed = list_closed(utc_now_iso()[:7])
    assert len(closed.items) == 20
    assert cost(meter) == ([QUERY, BATCH, BATCH], 1 + 10 + 10.5, 0)


def test_the_next_case_is_a_query_and_one_look_at_ten_cases(scene, measure):
    crowd_of_cases(scene, 12)
    with measure() as meter:
        assert get_next_case(REPORTS, by=scene.mod, besides=about(scene.bob))
    assert cost(meter) == ([QUERY, BATCH], 0.5 + 10, 0)


def test_a_case_is_a_get_three_queries_and_one_batch(scene, measure):
    for by in crowd_ids(19):
        file_report(by=by, person_id=scene.bob.user_id, post_id=scene.post_id, comment="x" * 500)
    with measure() as meter:
        assert len(get_case(about(scene.bob)).reports) == 20
    operations, units, _ = cost(meter)
    assert operations == [GET, QUERY, QUERY, QUERY, BATCH]
    assert units <= 20


def test_what_people_see_of_theirs_costs_little(scene, measure):
    action_id = scene.done(K.WARN, keep_open=True)
    appeal(person_id=scene.bob.user_id, action_id=action_id, text="No")
    with measure() as meter:
        list_strikes(scene.bob.user_id)
    assert cost(meter) == ([QUERY], 0.5, 0)
    with measure() as meter:
        get_strike(scene.bob.user_id, action_id)
    assert cost(meter) == ([BATCH, QUERY], 2, 0)
    with measure() as meter:
        assert len(list_own_reports(scene.alice)) == 1
    assert cost(meter) == ([QUERY, BATCH], 0.5 + 1.5, 0)
